"""The map of a section: which exercise builds on which, laid out in columns, as data for the SVG.

Columns by the longest way from a beginning; rows so that an exercise stands near what it builds on
and no two share a place. Nothing is set by hand, so any section gets a map.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.model import Exercise, Slug

WIDTH = 178
HEIGHT = 30
_ROW = 44
_TOP = 2
_LETTERS = 19
_SMALL = frozenset({"a", "an", "and", "of", "the", "with", "to", "for", "in"})


@dataclass(frozen=True)
class Pill:
    """One exercise on the map."""

    exercise: Exercise
    number: int
    label: str
    x: float
    y: float


@dataclass(frozen=True)
class Edge:
    """A line from an exercise to one that builds on it; `source` colours it."""

    source: Slug
    path: str


@dataclass(frozen=True)
class PathMap:
    """The whole map."""

    width: float
    height: float
    pills: tuple[Pill, ...]
    edges: tuple[Edge, ...]


def path_map(section: Sequence[Exercise]) -> PathMap:
    """The map of a section's exercises, in their order."""
    known = {exercise.slug: exercise for exercise in section}
    column = _columns(section, known)
    row = _rows(section, known, column)
    labels = _labels(section)
    step = WIDTH + 46
    pills = {
        exercise.slug: Pill(
            exercise,
            number,
            labels[exercise.slug],
            2 + column[exercise.slug] * step,
            _TOP + row[exercise.slug] * _ROW,
        )
        for number, exercise in enumerate(section, 1)
    }
    taken = {(column[slug], row[slug]) for slug in pills}
    edges = tuple(
        Edge(before, _edge(pills[before], pills[exercise.slug], column, row, taken))
        for exercise in section
        for before in exercise.after
        if before in pills
    )
    width = 4 + max(column.values(), default=0) * step + WIDTH
    height = 2 * _TOP + max(row.values(), default=0) * _ROW + HEIGHT
    return PathMap(width, height, tuple(pills.values()), edges)


def _columns(section: Sequence[Exercise], known: Mapping[Slug, Exercise]) -> dict[Slug, int]:
    """How many steps lead to each; a circle, which is its author's mistake, ends at its length."""
    column = {exercise.slug: 0 for exercise in section}
    for _ in section:
        for exercise in section:
            steps = [column[before] + 1 for before in exercise.after if before in known]
            column[exercise.slug] = min(max(steps, default=0), len(section))
    return column


def _rows(
    section: Sequence[Exercise], known: Mapping[Slug, Exercise], column: Mapping[Slug, int]
) -> dict[Slug, int]:
    """A free row for each, as near as can be to the middle of what it builds on."""
    row: dict[Slug, int] = {}
    taken: set[tuple[int, int]] = set()
    heirs = {slug: any(slug in other.after for other in section) for slug in known}
    for exercise in sorted(section, key=lambda e: (column[e.slug], not heirs[e.slug], e.order)):
        at = column[exercise.slug]
        above = [row[before] for before in exercise.after if before in row]
        wish = sum(above) / len(above) if above else 0.0
        free = (n for n in range(len(section) + 1) if (at, n) not in taken)
        row[exercise.slug] = min(free, key=lambda n: (abs(n - wish), n))
        taken.add((at, row[exercise.slug]))
    return row


def _edge(
    start: Pill,
    end: Pill,
    column: Mapping[Slug, int],
    row: Mapping[Slug, int],
    taken: set[tuple[int, int]],
) -> str:
    """A line that stays in its row while it can, and goes round the pills that are in its way."""
    x1, y1 = start.x + WIDTH, start.y + HEIGHT / 2
    x2, y2 = end.x, end.y + HEIGHT / 2
    first, last = column[start.exercise.slug], column[end.exercise.slug]
    between = range(first + 1, last)
    if not between:
        return _bend(x1, y1, x2, y2)
    blocked = any((at, row[start.exercise.slug]) in taken for at in between)
    lane = y1 if not blocked else y1 + _ROW / 2
    gap = min(58.0, (x2 - x1) / 3)
    enter = f"C{x1 + gap * 0.6:g} {y1:g} {x1 + gap * 0.4:g} {lane:g} {x1 + gap:g} {lane:g}"
    leave = f"H{x2 - gap:g}C{x2 - gap * 0.4:g} {lane:g} {x2 - gap * 0.6:g} {y2:g} {x2:g} {y2:g}"
    return f"M{x1:g} {y1:g}{enter if lane != y1 else ''}{leave}"


def _bend(x1: float, y1: float, x2: float, y2: float) -> str:
    if y1 == y2:
        return f"M{x1:g} {y1:g}H{x2:g}"
    middle = (x2 - x1) * 0.6
    return f"M{x1:g} {y1:g}C{x1 + middle:g} {y1:g} {x2 - middle:g} {y2:g} {x2:g} {y2:g}"


def _labels(section: Sequence[Exercise]) -> dict[Slug, str]:
    """A short name for each pill: its title's first words, or the last where those are taken.

    The last ones are better, too, where they say more than a single first word.
    """
    labels: dict[Slug, str] = {}
    for exercise in section:
        words = exercise.title.split(":")[0].split("(")[0].split()
        first, last = _fitting(words), _fitting(words[::-1], backwards=True)
        lone = " " not in first and len(last) > len(first)
        labels[exercise.slug] = last if lone or first in labels.values() else first
    return labels


def _fitting(words: Sequence[str], *, backwards: bool = False) -> str:
    """As many whole words as a pill holds, with no "and" or "with" left over at the cut."""
    kept: list[str] = []
    for word in words:
        if kept and len(" ".join((*kept, word))) > _LETTERS:
            break
        kept.append(word)
    while len(kept) > 1 and kept[-1].lower() in _SMALL:
        kept.pop()
    return " ".join(kept[::-1] if backwards else kept)
