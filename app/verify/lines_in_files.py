"""Where in a file a key or a function stands, found in the text: nothing here parses Python."""

from __future__ import annotations

import re

_NUMBERED = re.compile(r"(\w+)\[(\d+)\](?:\.(\w+))?")


def line_of(data: bytes, file: str, key: str) -> int | None:
    """The line, counted from 1, that a complaint about `key` points at; None where not found.

    Keys are spelled as the catalog spells them: `entry_point`, `tolerance.rtol`,
    `example[2].case`; in Python files a function's name; in Markdown a heading.
    """
    lines = data.decode("utf-8", "replace").splitlines()
    if not key:
        return None
    if file.endswith(".py"):
        return _first(lines, re.compile(rf"\s*(?:def|class)\s+{re.escape(key)}\b"))
    if file.endswith(".md"):
        return _first(lines, re.compile(rf"#+\s*{re.escape(key)}\s*+#*+\s*+$", re.IGNORECASE))
    return _toml_line(lines, key)


def line_with(data: bytes, text: str) -> int | None:
    """The first line that holds a text, counted from 1."""
    return _first(data.decode("utf-8", "replace").splitlines(), re.compile(f".*{re.escape(text)}"))


def _toml_line(lines: list[str], key: str) -> int | None:
    numbered = _NUMBERED.fullmatch(key)
    if numbered is not None:
        table, number, name = numbered.groups()
        start = _header(lines, f"[[{table}]]", int(number))
    else:
        table, _, name = key.rpartition(".")
        start = _header(lines, f"[{table}]", 1) if table else 0
    if start is None:
        return None
    if not name:
        return start
    found = _first(lines[start:], re.compile(rf"\s*\"?{re.escape(name)}\"?\s*="))
    if found is None:
        found = _first(lines[start:], re.compile(rf"\s*\[+{re.escape(name)}\]+"))
    return start or None if found is None else start + found


def _header(lines: list[str], header: str, number: int) -> int | None:
    found = [at for at, line in enumerate(lines, 1) if line.strip() == header]
    return found[number - 1] if len(found) >= number else None


def _first(lines: list[str], wanted: re.Pattern[str]) -> int | None:
    return next((at for at, line in enumerate(lines, 1) if wanted.match(line)), None)
