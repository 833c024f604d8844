"""Pasted code mended: plain spaces, quotes and minus signs for those of printed text.

What cannot be seen vanishes; every other character is replaced by one, so that columns move only
where something vanished, and `column_as_typed` moves them back. Comments stay as they are, so do
strings, but for what stands between the braces of an f-string, which is code, and for spaces where
those of the code are off as well: a page that changed the one changed the other.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

_SPACES = frozenset("\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
                    "\u202f\u205f\u3000")  # fmt: skip
_DOUBLE = frozenset("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb")
_SINGLE = frozenset("\u2018\u2019\u201a\u201b\u2032")
_PRIMES = frozenset("\u2032\u2033")
_DASHES = frozenset("\u2010\u2011\u2012\u2013\u2014\u2212")
_UNSEEN = frozenset("\u034f\u17b4\u17b5\u180b\u180c\u180d\u180e\ufe0e\ufe0f")
SPACE, UNSEEN, QUOTE, MINUS = (
    "non-breaking space", "invisible character", "curly quote", "typographic minus sign",
)  # fmt: skip
_ODD = re.compile(r"[^\x00-\x7f]")
_PREFIX = re.compile(r"(?:^|[^\w])[rRbBuU]?[fF][rR]?\Z")


@dataclass(frozen=True)
class Mended:
    """The mended source, what was changed ("2 curly quotes"), and the columns of what vanished.

    `gone` has, by line from 1, the columns from 0 that vanished from the line as it was typed.
    """

    source: str
    notes: list[str]
    gone: Mapping[int, list[int]] = field(default_factory=dict)

    def column_as_typed(self, line: int, column: int) -> int:
        """The column, from 1, in the text as it was typed."""
        for vanished in self.gone.get(line, ()):
            if vanished <= column - 1:
                column += 1
        return column


def is_unseen(character: str) -> bool:
    """Whether nothing shows where this character stands: zero width, marks of direction.

    Variation selectors count: they only say how the sign before them is drawn. Control characters
    do not: a source that has them is no text that was pasted.
    """
    return character in _UNSEEN or unicodedata.category(character) == "Cf"


def is_odd(source: str) -> bool:
    """Whether a source holds anything but ASCII: only then can there be what to fix."""
    return _ODD.search(source) is not None


def parse(source: str, filename: str = "solution.py") -> ast.Module:
    """The tree of a source; raises SyntaxError also for a name that holds a sign without a shape.

    Python takes some of those for letters (since 3.13 the joiners U+200C and U+200D as well), so
    two names may look the same and differ.
    """
    tree = ast.parse(source, filename)
    if not source.isascii() and any(any(map(is_unseen, name)) for name in _names(tree)):
        raise SyntaxError("invalid non-printable character in a name")
    return tree


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        for key in ("id", "arg", "attr", "name", "asname"):
            name = getattr(node, key, None)
            if isinstance(name, str):
                yield name


def mend(source: str) -> Mended:
    """The source with what pasting broke put right; the source itself where nothing is off."""
    if not is_odd(source):
        return Mended(source, [])
    mending = _Mending(source)
    mending.run()
    return mending.result()


class _Mending:
    """One pass over a source; `text` keeps a place for each character, "" where it vanished."""

    def __init__(self, source: str) -> None:
        self.text = list(source)
        self.counts = dict.fromkeys((SPACE, UNSEEN, QUOTE, MINUS), 0)
        self.strings: list[range] = []

    def run(self) -> None:
        self.code(0, len(self.text))
        if self.counts[SPACE]:
            for places in self.strings:
                for at in places:
                    if self.text[at] in _SPACES:
                        self.put(at, " ", SPACE)

    def result(self) -> Mended:
        notes = [f"{n} {name}{'s' if n > 1 else ''}" for name, n in self.counts.items() if n]
        if not notes:
            return Mended("".join(self.text), [])
        gone: dict[int, list[int]] = {}
        line, start = 1, 0
        for at, character in enumerate(self.text):
            if character == "\n":
                line, start = line + 1, at + 1
            elif not character:
                gone.setdefault(line, []).append(at - start)
        return Mended("".join(self.text), notes, gone)

    def code(self, at: int, end: int) -> None:
        """Fix code from `at` to `end`."""
        while at < end:
            at = self.step(at, end)

    def step(self, at: int, end: int) -> int:
        """Fix what stands at `at`, and give where to go on."""
        character = self.text[at]
        if character == "#":
            return self.find(at, end, "\n")
        if character in _PRIMES and self.follows_a_value(at):
            return at + 1  # a transpose, in a formula's spelling: no quote
        if character in _DOUBLE or character in _SINGLE or character in "\"'":
            return self.string(at, end)
        if character in _SPACES:
            self.put(at, " ", SPACE)
        elif character in _DASHES:
            self.put(at, "-", MINUS)
        elif is_unseen(character):
            self.put(at, "", UNSEEN)
        return at + 1

    def put(self, at: int, new: str, kind: str) -> None:
        self.counts[kind] += 1
        self.text[at] = new

    def follows_a_value(self, at: int) -> bool:
        before = "".join(self.text[max(at - 2, 0) : at])
        return bool(re.search(r"[\w)\]]\Z", before)) and not _is_prefix(self.text, at)

    def find(self, at: int, end: int, wanted: str) -> int:
        while at < end and self.text[at] != wanted:
            at += 1
        return at

    def string(self, at: int, end: int) -> int:
        """Fix the string that opens at `at`, and give where it ends."""
        text = self.text
        curly = text[at] not in "\"'"
        plain, alike = ('"', _DOUBLE) if text[at] in _DOUBLE or text[at] == '"' else ("'", _SINGLE)
        same = (alike | {plain}) if curly else frozenset([plain])
        width = 3 if len(text[at : at + 3]) == 3 and set(text[at : at + 3]) <= same else 1
        formats = bool(_PREFIX.search("".join(text[max(at - 4, 0) : at])))
        closing = self.closing(at + width, end, same, width)
        if curly:
            for place in (*range(at, at + width), *range(closing, min(closing + width, end))):
                if text[place] in alike:
                    self.put(place, plain, QUOTE)
        self.strings.append(range(at + width, min(closing, end)))
        if formats:
            self.fields(at + width, min(closing, end))
        return closing + width

    def closing(self, at: int, end: int, same: frozenset[str], width: int) -> int:
        while at < end:
            if self.text[at] == "\\":
                at += 2
            elif self.text[at] == "\n" and width == 1:
                return at
            elif at + width <= end and set(self.text[at : at + width]) <= same:
                return at
            else:
                at += 1
        return at

    def fields(self, at: int, end: int) -> None:
        """Fix what stands between the braces of an f-string: it is code."""
        while at < end:
            if self.text[at] != "{":
                at += 1
            elif at + 1 < end and self.text[at + 1] == "{":
                at += 2
            else:
                closing = self.matching(at, end)
                self.code(at + 1, closing)
                at = closing + 1

    def matching(self, at: int, end: int) -> int:
        depth = 0
        for place in range(at, end):
            depth += {"{": 1, "}": -1}.get(self.text[place], 0)
            if depth == 0:
                return place
        return end


def _is_prefix(text: list[str], at: int) -> bool:
    """Whether the letters before a quote are a string's prefix: `rb"…"`."""
    before = "".join(text[max(at - 3, 0) : at])
    return bool(re.search(r"(?:^|[^\w)\]])[rRbBuUfF]{1,2}\Z", before))
