"""Which column of a campus system's file is which assignment's."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from app.classroom.gradebook import Gradebook
from app.classroom.policy import plain
from app.classroom.tables import Record
from app.model.classes import POINT, Assignment

POINTS_POSSIBLE = "points possible"
_READ_ONLY = "(read only)"
_CANVAS_ID = re.compile(r"\s*\(\d+\)$")
_MOODLE = re.compile(r"^(?:[A-Za-z ]{1,40}:\s*)?(.*?)\s*\((?:Real|Punkte)\)$")
_BLACKBOARD = re.compile(r"^(.*?)\s*\[Total Pts: ([0-9.,]+)[^\]]*\]\s*(?:\|\s*\d+)?$")


@dataclass
class Columns:
    """Where each assignment's column is, and why another one has none."""

    found: dict[int, Assignment] = field(default_factory=dict)
    without: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def title_of(cell: str) -> str:
    """A column's title without what Canvas, Moodle and Blackboard add to it."""
    for pattern in (_BLACKBOARD, _MOODLE):
        found = pattern.match(cell)
        if found:
            return found.group(1)
    return _CANVAS_ID.sub("", cell)


def match(
    head: Record,
    records: Sequence[Record],
    book: Gradebook,
    titles: Mapping[str, Sequence[str]],
) -> Columns:
    """The columns by title, and a sentence for each assignment that has none of its own."""
    locked = _locked(head, records)
    named = [_plain(title_of(cell)) for cell in head.cells]
    whole = [_plain(cell) for cell in head.cells]
    told = Columns()
    for given in book.assignments:
        names = [given.title, given.exercise, given.id, *titles.get(given.id, ())]
        fits = _fits([_plain(name) for name in names], named, whole)
        open_ones = [n for n in fits if n not in locked and n not in told.found]
        if _is_final(given.title):
            told.without.append(f"“{given.title}”. Canvas drops columns with “final” in the title.")
        elif len(open_ones) == 1:
            told.found[open_ones[0]] = given
            told.notes += _other_scale(head.cells[open_ones[0]], open_ones[0], records, given)
        elif open_ones:
            told.without.append(f"“{given.title}”: {len(open_ones)} columns have this title.")
        elif fits:
            told.without.append(f"“{given.title}”: its column is read only.")
        else:
            told.without.append(f"“{given.title}”: no column has this title.")
    return told


def _fits(names: list[str], named: list[str], whole: list[str]) -> list[int]:
    """The columns of the first name that any column has."""
    for name in names:
        fits = [n for n, cell in enumerate(named) if name in (cell, whole[n])]
        if fits:
            return fits
    return []


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _is_final(title: str) -> bool:
    """Whether Canvas takes a column of this title for a total of its own (canvas-lms#2134)."""
    return "final" in title.casefold()


def _locked(head: Record, records: Sequence[Record]) -> set[int]:
    """Columns Canvas only shows: it says so in the title or in the line of possible points."""
    locked = {n for n, cell in enumerate(head.cells) if cell.casefold().endswith(_READ_ONLY)}
    for record in records[:5]:
        if record.cells and record.cells[0].casefold() == POINTS_POSSIBLE:
            locked |= {n for n, cell in enumerate(record.cells) if _READ_ONLY in cell.casefold()}
    return locked


def _other_scale(
    title: str, column: int, records: Sequence[Record], given: Assignment
) -> list[str]:
    """A note where the campus's column is worth another number of points."""
    found = _BLACKBOARD.match(title)
    most = found.group(2) if found else ""
    for record in records[:5]:
        if record.cells and record.cells[0].casefold() == POINTS_POSSIBLE:
            most = record.cells[column] if column < len(record.cells) else ""
    theirs = number(most)
    if theirs is None or theirs * POINT == given.policy.points:
        return []
    ours = plain(Fraction(given.policy.points, POINT))
    return [f"“{given.title}” has {most} points there and {ours} here; ours were written."]


def number(text: str) -> Fraction | None:
    """A cell's number, with a point or a comma; None where it is none."""
    text = text.replace(",", ".")
    if len(text) > 20 or not re.fullmatch(r"\d+(?:\.\d*)?|\.\d+", text):
        return None
    return Fraction(text)


def shown(hundredths: int) -> str:
    """Points with two decimals, as files hold them."""
    return f"{hundredths // POINT}.{hundredths % POINT:02}"
