"""Python source as HTML, in the class names that the editor's colours use too."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator

from markupsafe import Markup, escape

from app.grading.sentences.phrases import shown
from app.lexer import Token, tokens
from app.model.bounds import COLOURED_CHARACTERS, COLOURED_MARKS
from app.web.html.remembered import Remembered

_FIELD = re.compile(r"\{\{|\}\}|\{(?P<code>[^{}\n:!]++)[^{}\n]*+\}")
_PLAIN = {"comment": "c", "number": "m"}
_CONSTANTS = frozenset({"True", "False", "None"})
_SOFT = frozenset({"match", "case"})
_SUBJECT, _NOT_SUBJECT = " (['\"{-", "=,.:)"
_LINE = 400
"""Characters of a line that are looked at around such a word."""

_SPAN = '<span class="{}">{}</span>'.format

_kept: Remembered[Markup] = Remembered(size=len)


def highlighted(source: str) -> Markup:
    """The source with keywords, names, strings, numbers and comments marked; invisibles shown.

    What is over the bounds is shown without colours.
    """
    return _kept.get(source, _highlighted)


def _highlighted(source: str) -> Markup:
    text = shown(source)
    head, tail = text[:COLOURED_CHARACTERS], text[COLOURED_CHARACTERS:]
    parts: list[str] = []
    marks, at = 0, 0
    for start, end, kind in _tokens(head):
        if marks == COLOURED_MARKS:
            break
        parts += (escape(head[at:start]), _SPAN(kind, escape(head[start:end])))
        marks, at = marks + 1, end
    parts += (escape(head[at:]), escape(tail))
    return Markup("".join(parts))  # noqa: S704 (every part was escaped)


def _tokens(text: str, base: int = 0) -> Iterator[tuple[int, int, str]]:
    """Start, end and class of what is marked."""
    after = ""
    for token in tokens(text):
        before, after = after, token.text if token.kind == "name" else ""
        if token.kind == "string":
            yield from _string(token, base)
            continue
        kind = _PLAIN.get(token.kind) or _word(token, text, before)
        if kind:
            yield base + token.start, base + token.end, kind


def _word(token: Token, text: str, before: str) -> str:
    """The class of a name, "" for one without."""
    if before in ("def", "class"):
        return "f"
    if token.text in _CONSTANTS:
        return "m"
    if keyword.iskeyword(token.text) or (token.text in _SOFT and _opens_a_block(token, text)):
        return "k"
    return ""


def _opens_a_block(token: Token, text: str) -> bool:
    """Whether `match` or `case` begins its line, with something after it and a colon."""
    before = text[max(0, token.start - _LINE) : token.start]
    rest = text[token.end : token.end + _LINE].partition("\n")[0]
    begins = not before.rpartition("\n")[2].strip()
    return begins and ":" in rest and rest[:1] in _SUBJECT and rest.lstrip()[:1] not in _NOT_SUBJECT


def _string(token: Token, base: int) -> Iterator[tuple[int, int, str]]:
    """A string; the expressions in the braces of an f-string are code."""
    start, at = base + token.start, 0
    if "f" in token.prefix or "t" in token.prefix:
        for field in _FIELD.finditer(token.text):
            if field["code"] is None:
                continue
            yield start + at, start + field.start("code"), "s"
            yield from _tokens(field["code"], start + field.start("code"))
            at = field.end("code")
    yield start + at, base + token.end, "s"
