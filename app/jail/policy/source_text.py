"""The text of a submission: decoded, and mended where pasting from a page broke it.

Each character is replaced by one character, so that lines and columns stay where the editor has
them. A mark at the very start of the file is taken away; no editor counts it.
"""

from __future__ import annotations

import ast
import re

from app.jail.offer.refusals import Refusal

_SPACES = frozenset("\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
                    "\u202f\u205f\u3000")  # fmt: skip
_INVISIBLE = frozenset("\u200b\u200c\u200d\u2060\ufeff\u00ad")
_DOUBLE = frozenset("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb")
_SINGLE = frozenset("\u2018\u2019\u201a\u201b\u2032")
_DASHES = frozenset("\u2010\u2011\u2012\u2013\u2212")
_ODD = re.compile("[" + "".join(_SPACES | _INVISIBLE | _DOUBLE | _SINGLE | _DASHES) + "]")
_KINDS = (
    (_SPACES, "non-breaking space"),
    (_INVISIBLE, "invisible character"),
    (_DOUBLE | _SINGLE, "curly quote"),
    (_DASHES, "typographic minus sign"),
)


class Undecodable(Exception):
    """The bytes are no text that Python reads; where and why."""

    def __init__(self, line: int, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.line, self.refusal = line, refusal


def decode(text: bytes) -> tuple[str, list[str]]:
    """The source as text with "\\n" at its line ends, and what was changed.

    Raises Undecodable for bytes that are not UTF-8, NUL, and half a surrogate pair.
    """
    try:
        source = text.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        why = Refusal("The file is not text in UTF-8.", "Save it as UTF-8 and send it again.")
        raise Undecodable(line, why) from None
    source, notes = _plain(source)
    bad = re.search("[\0\ud800-\udfff]", source)
    if bad:
        what = "a NUL character" if bad[0] == "\0" else "half a character (a lone surrogate)"
        line = source.count("\n", 0, bad.start()) + 1
        why = Refusal(f"There is {what} in the source.", "Delete it: type the line again.")
        raise Undecodable(line, why)
    return source, notes


def _plain(source: str) -> tuple[str, list[str]]:
    notes = []
    if source.startswith("\ufeff"):
        source = source[1:]
        notes.append("1 byte-order mark")
    if "\r" in source:
        source = source.replace("\r\n", "\n").replace("\r", "\n")
        notes.append("Windows line ends")
    return source, notes


def as_compiled(source: str) -> str:
    """The text that was compiled for a source that was, to which its lines and columns belong."""
    source, _ = _plain(source)
    if not _ODD.search(source):
        return source
    try:
        ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return normalise(source)[0]
    return source


def normalise(source: str) -> tuple[str, list[str]]:
    """Plain spaces, quotes and minus signs for those of printed text, in code only, and a count.

    What stands in a string or a comment stays as it is. ("…", []) where there is nothing to change.
    """
    if not _ODD.search(source):
        return source, []
    characters = list(source)
    counts = dict.fromkeys((name for _, name in _KINDS), 0)
    position = 0
    while position < len(characters):
        position = _step(characters, position, counts)
    return "".join(characters), [
        f"{n} {name}{'s' if n > 1 else ''}" for name, n in counts.items() if n
    ]


def _step(text: list[str], at: int, counts: dict[str, int]) -> int:
    """Mend what stands at `at`, and give where to go on."""
    character = text[at]
    if character == "#":
        return _find(text, at, "\n")
    if character in _DOUBLE or character in _SINGLE or character in "\"'":
        return _string(text, at, counts)
    if character in _SPACES:
        return _put(text, at, " ", counts)
    if character in _DASHES:
        return _put(text, at, "-", counts)
    if character in _INVISIBLE and not _between_letters(text, at):
        return _put(text, at, " ", counts)
    return at + 1


def _string(text: list[str], at: int, counts: dict[str, int]) -> int:
    """Mend the quotes of the string that opens at `at`, and give where it ends."""
    double = text[at] in _DOUBLE or text[at] == '"'
    curly = text[at] not in "\"'"
    plain, alike = ('"', _DOUBLE) if double else ("'", _SINGLE)
    same = (alike | {plain}) if curly else {plain}
    width = 3 if all(c in same for c in text[at : at + 3]) and len(text[at : at + 3]) == 3 else 1
    end = _closing(text, at + width, same, width)
    if curly:
        for place in (*range(at, at + width), *range(end, min(end + width, len(text)))):
            if text[place] in alike:
                _put(text, place, plain, counts)
    return end + width


def _closing(text: list[str], at: int, same: set[str] | frozenset[str], width: int) -> int:
    while at < len(text):
        if text[at] == "\\":
            at += 2
        elif text[at] == "\n" and width == 1:
            return at
        elif all(c in same for c in text[at : at + width]):
            return at
        else:
            at += 1
    return at


def _find(text: list[str], at: int, wanted: str) -> int:
    while at < len(text) and text[at] != wanted:
        at += 1
    return at


def _between_letters(text: list[str], at: int) -> bool:
    around = text[max(at - 1, 0) : at] + text[at + 1 : at + 2]
    return len(around) == 2 and all(c.isalnum() or c == "_" for c in around)


def _put(text: list[str], at: int, new: str, counts: dict[str, int]) -> int:
    name = next(name for kind, name in _KINDS if text[at] in kind)
    counts[name] += 1
    text[at] = new
    return at + 1
