"""What changed between two sources of one learner, line by line, as data for the templates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from app.model.bounds import DIFF_CHARACTERS, DIFF_LINES, DIFF_SHOWN_LINES
from app.web.html.remembered import Remembered
from app.web.pages.matching_lines import matching

CONTEXT = 3


@dataclass(frozen=True)
class TextLine:
    """One line: "same", "del" or "add", its number in the text it is from, and its words."""

    kind: str
    number: int
    text: str


@dataclass(frozen=True)
class ChangedPlaces:
    """The changed places, each with a little around it; `before` and `after` name the tries.

    `cut` is true where the texts are too long to be compared or shown whole.
    """

    before: int
    after: int
    hunks: tuple[tuple[TextLine, ...], ...]
    cut: bool = False

    @property
    def same(self) -> bool:
        """Whether nothing changed at all."""
        return not self.hunks and not self.cut


Compared: TypeAlias = tuple[tuple[tuple[TextLine, ...], ...], bool]
_kept: Remembered[Compared] = Remembered(
    size=lambda compared: sum(len(line.text) + 200 for hunk in compared[0] for line in hunk)
)


def changes(old: str, new: str, before: int, after: int) -> ChangedPlaces:
    """The difference of two texts, as far as the bounds let it be looked at and shown."""
    hunks, is_cut = _kept.get(f"{len(old)} {old} {new}", lambda _: _compared(old, new))
    return ChangedPlaces(before, after, hunks, is_cut)


def _compared(old: str, new: str) -> Compared:
    a, b = _lines(old), _lines(new)
    left = DIFF_SHOWN_LINES
    hunks: list[tuple[TextLine, ...]] = []
    for hunk in _hunks(a, b):
        hunks.append(hunk[:left])
        left -= len(hunk)
        if left <= 0:
            break
    is_cut = left < 0 or len(old) > DIFF_CHARACTERS or len(new) > DIFF_CHARACTERS
    return tuple(hunks), is_cut


def _lines(text: str) -> list[str]:
    return text[:DIFF_CHARACTERS].split("\n")[:DIFF_LINES]


def _hunks(a: Sequence[str], b: Sequence[str]) -> Iterator[tuple[TextLine, ...]]:
    """The changed places with their surroundings; places that meet are one."""
    hunk: list[TextLine] = []
    i = j = 0
    for i2, j2 in (*matching(a, b), (len(a), len(b))):
        changed = i2 > i or j2 > j
        if changed:
            hunk += [TextLine("del", n + 1, a[n]) for n in range(i, i2)]
            hunk += [TextLine("add", n + 1, b[n]) for n in range(j, j2)]
        if j2 < len(b):
            hunk.append(TextLine("same", j2 + 1, b[j2]))
        i, j = i2 + 1, j2 + 1
        quiet = _quiet(hunk)
        if quiet == len(hunk):
            hunk = hunk[-CONTEXT:]
        elif quiet > 2 * CONTEXT:
            yield tuple(hunk[: len(hunk) - quiet + CONTEXT])
            hunk = hunk[-CONTEXT:]
    if _quiet(hunk) < len(hunk):
        yield tuple(hunk[: len(hunk) - max(0, _quiet(hunk) - CONTEXT)])


def _quiet(hunk: Sequence[TextLine]) -> int:
    """How many lines at the end did not change."""
    count = 0
    while count < len(hunk) and hunk[-1 - count].kind == "same":
        count += 1
    return count
