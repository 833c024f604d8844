"""What a newer Python than the one that runs here would know, told with the version that runs."""

from __future__ import annotations

import re
import sys

from app.jail.offer.refusals import Refusal

Version = tuple[int, int]

HERE: Version = sys.version_info[:2]

NAMES: dict[tuple[str, str], Version] = {
    ("collections.abc", "Buffer"): (3, 12),
    ("functools", "Placeholder"): (3, 14),
    ("itertools", "batched"): (3, 12),
    ("math", "fma"): (3, 13),
    ("math", "sumprod"): (3, 12),
    ("operator", "is_none"): (3, 14),
    ("operator", "is_not_none"): (3, 14),
    ("typing", "NoDefault"): (3, 13),
    ("typing", "ReadOnly"): (3, 13),
    ("typing", "TypeAliasType"): (3, 12),
    ("typing", "TypeIs"): (3, 13),
    ("typing", "evaluate_forward_ref"): (3, 14),
    ("typing", "get_protocol_members"): (3, 13),
    ("typing", "is_protocol"): (3, 13),
    ("typing", "override"): (3, 12),
}
"""Names of the offered modules by the Python they came with."""

_LINES: tuple[tuple[str, str, Version, str], ...] = (
    (r"type\s+\w+\s*(\[.*\])?\s*=", "The `type` statement", (3, 12), "Write X = ..."),
    (r"(def|class)\s+\w+\s*\[[^\]]*=", "A default of a type parameter", (3, 13), "Leave it out."),
    (r"(def|class)\s+\w+\s*\[", "A list of type parameters", (3, 12), "Leave the [ ] out."),
    (r".*(?<![\w\"'])[rR]?[tT][rR]?[\"']", "A t-string", (3, 14), "Write an f-string."),
    (r"except\s+[\w.]+\s*(,\s*[\w.]+\s*)+:\s*\Z", "`except` of several without brackets", (3, 14),
     "Write except (A, B):"),
    (r".*[fF]([\"'])[^\"']*\{[^}\"']*\1[^}\"']*\1[^}\"']*\}",
     "An f-string's own quote inside its { }", (3, 12), "Use the other quote there."),
    (r".*[fF]([\"']).*\{[^}]*\\[^}]*\}", "A backslash inside the { } of an f-string", (3, 12),
     "Give the value a name in the line before."),
)  # fmt: skip

_PATTERNS = tuple((re.compile(p, re.S), what, since, instead) for p, what, since, instead in _LINES)


def came_with(what: str, version: Version, instead: str = "") -> Refusal:
    """The sentence: what it is, with which Python it came, and which one runs here."""
    return Refusal(f"{what} came with Python {_text(version)}; {RUNS}.", instead)


def newer_line(line: str, here: Version = HERE) -> Refusal | None:
    """Of a line that Python does not read: the newer syntax in it, where one is known."""
    for pattern, what, since, instead in _PATTERNS:
        if here < since and pattern.match(line):
            return came_with(what, since, instead)
    return None


def newer_name(module: str, name: str, here: Version = HERE) -> Refusal | None:
    """Of a name that a module does not have: that a newer Python's has it."""
    version = NAMES.get((module, name))
    if version is None or here >= version:
        return None
    return came_with(f"{module}.{name}", version)


def _text(version: Version) -> str:
    return ".".join(map(str, version))


RUNS = f"Python {_text(HERE)} runs here"
