"""The sentences of a TypeScript file: its texts, with {names} in the gaps."""

from __future__ import annotations

import re
from collections.abc import Iterator

_WORDS = re.compile(r"[A-Za-z}’`)]['’`)]?[,.;:…?!]? +[A-Za-z{`(“]|^[A-Z][a-z]+[.…]?$")
_CODE = re.compile(r"=>|\[data-|[#.][a-z-]+ [#.>[a-z]|querySelector|^[a-z-]+(, ?[a-z-]+)+$|^:|\]$")
_BEFORE_A_PATTERN = re.compile(r"(?:[=(,:;!&|?{}\[]|return|=>|^)\s*$")


def sentences(source: str) -> Iterator[str]:
    """Every text of a file that reads like a sentence, in order, each once."""
    seen = set()
    for text in _texts(source):
        flat = " ".join(text.split())
        if flat not in seen and _WORDS.search(flat) and not _CODE.search(flat):
            seen.add(flat)
            yield flat


def _texts(source: str) -> Iterator[str]:
    at, before = 0, ""
    while at < len(source):
        character, two = source[at], source[at : at + 2]
        if two == "//":
            at = _after(source, "\n", at)
        elif two == "/*":
            at = _after(source, "*/", at)
        elif character == "/" and _BEFORE_A_PATTERN.search(before):
            at = _after_pattern(source, at)
            before = "x"
        elif character in "\"'`":
            text, inner, at = _text(source, at)
            yield text
            yield from inner
            before = "x"
        else:
            before = (before + character)[-12:]
            at += 1


def _text(source: str, start: int) -> tuple[str, list[str], int]:
    """The text that begins at a quote, the texts inside its gaps, and where it ends."""
    quote, at, pieces, inner = source[start], start + 1, [""], list[str]()
    while at < len(source) and source[at] != quote:
        if source[at] == "\\":
            pieces.append(source[at + 1])
            at += 2
        elif quote == "`" and source[at : at + 2] == "${":
            end = _end_of_gap(source, at + 2)
            pieces.append(_gap(source[at + 2 : end]))
            inner += _texts(source[at + 2 : end])
            at = end + 1
        else:
            pieces.append(source[at])
            at += 1
    return "".join(pieces), inner, at + 1


def _end_of_gap(source: str, at: int) -> int:
    depth = 1
    while True:
        if source[at] in "\"'`":
            at = _text(source, at)[2]
            continue
        depth += {"{": 1, "}": -1}.get(source[at], 0)
        if depth == 0:
            return at
        at += 1


def _gap(expression: str) -> str:
    texts = re.findall(r"[?:]\s*[\"'`]([^\"'`]*)[\"'`]", expression)
    if texts:
        return "{" + " | ".join(filter(None, texts)) + "}"
    names = re.findall(r"[A-Za-z_]\w*", expression)
    return "{" + (names[-1] if names else "…") + "}"


def _after(source: str, end: str, at: int) -> int:
    found = source.find(end, at)
    return len(source) if found < 0 else found + len(end)


def _after_pattern(source: str, at: int) -> int:
    in_class = False
    at += 1
    while at < len(source) and (in_class or source[at] != "/") and source[at] != "\n":
        in_class = (in_class or source[at] == "[") and source[at] != "]"
        at += 2 if source[at] == "\\" else 1
    return at + 1
