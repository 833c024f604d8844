"""Fills a gradebook file of a campus system with our points, every other byte as it was.

Columns are found by title, people by id, login, e-mail, then name. What matches nothing is listed;
nothing is guessed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from app.classroom import people, tables
from app.classroom.campus_columns import POINTS_POSSIBLE, match, number, shown
from app.classroom.gradebook import Gradebook
from app.classroom.grades import Grade
from app.classroom.tables import Record, TableFile, Unreadable
from app.model.classes import EnrolmentId

MOST_BYTES = 10 * 2**20
MOST_ROWS = 50_000


@dataclass(frozen=True)
class Filled:
    """The file with our points, and what was done: every sentence is for the uploader."""

    data: bytes
    people: int
    people_of: int
    columns: int
    columns_of: int
    cells: int
    unmatched_people: tuple[str, ...] = ()
    unmatched_columns: tuple[str, ...] = ()
    strangers: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def fill(data: bytes, book: Gradebook, titles: Mapping[str, Sequence[str]] | None = None) -> Filled:
    """The campus's file with the points of a gradebook. Raises Unreadable with a sentence.

    `titles` gives more names for an assignment, by its id: the title of its exercise, for one.
    Where a number stands already and is the same, however it is spelled, the cell stays.
    """
    table = tables.read(data, most_bytes=MOST_BYTES, most_rows=MOST_ROWS)
    place, head = _head(table)
    columns = match(head, table.records, book, titles or {})
    if not columns.found:
        raise Unreadable("None of its columns has the title of an assignment of this class.")
    rows = _people(table, place, head, book)
    if not rows.matched:
        raise Unreadable(f"None of its {rows.people} people is in this class. Nothing was filled.")
    grades = {row.enrolment.id: row.grades for row in book.rows}
    order = {given.id: n for n, given in enumerate(book.assignments)}
    comma, canvas = _decimal_comma(table), _is_canvas(table)
    records, cells = list(table.records), 0
    for n, enrolment in rows.matched.items():
        record = records[n]
        for column, given in columns.found.items():
            text = _text(grades[enrolment][order[given.id]], comma=comma, canvas=canvas)
            changed = _with(record, column, text, table.separator)
            cells += changed is not record
            record = changed
        records[n] = record
    return Filled(
        table.with_records(tuple(records)).write(),
        people=len(rows.matched),
        people_of=len(book.rows),
        columns=len(columns.found),
        columns_of=len(book.assignments),
        cells=cells,
        unmatched_people=tuple(
            row.enrolment.name for row in book.rows if row.enrolment.id not in rows.matched.values()
        ),
        unmatched_columns=tuple(columns.without),
        strangers=rows.strangers,
        notes=tuple(columns.notes),
    )


def _head(table: TableFile) -> tuple[int, Record]:
    """The line of titles: the first that says anything."""
    for n, record in enumerate(table.records):
        if not record.empty:
            if not {"name", "first", "last", "student_id", "login", "email"} & set(
                people.columns(record.cells)
            ):
                raise Unreadable(f"Line {record.line} names no column that says who a row is.")
            return n, record
    raise Unreadable("This file is empty.")


@dataclass(frozen=True)
class _People:
    matched: dict[int, EnrolmentId]
    strangers: tuple[str, ...]
    people: int


def _people(table: TableFile, head_at: int, head: Record, book: Gradebook) -> _People:
    places = people.columns(head.cells)
    by = people.index(row.enrolment for row in book.rows)
    found: dict[int, EnrolmentId] = {}
    strangers: list[str] = []
    for n, record in enumerate(table.records):
        if n <= head_at or record.empty:
            continue
        who = people.who(record.cells, places)
        if who.name.casefold() == POINTS_POSSIBLE:
            continue
        match = by.find(who)
        if match is None:
            strangers.append(f"line {record.line}, “{(who.name or who.login)[:80]}”")
        else:
            found[n] = match
    doubled = {one for one, count in Counter(found.values()).items() if count > 1}
    for n in [n for n, match in found.items() if match in doubled]:
        strangers.append(f"line {table.records[n].line} is a second row of the same person")
        del found[n]
    return _People(found, tuple(strangers), len(found) + len(strangers))


def _is_canvas(table: TableFile) -> bool:
    """Whether it has Canvas's line of possible points."""
    return any(
        record.cells and record.cells[0].casefold() == POINTS_POSSIBLE
        for record in table.records[:5]
    )


def _text(grade: Grade, *, comma: bool, canvas: bool) -> str | None:
    """What a cell says: points, in Canvas EX for excused; None leaves it as it is."""
    if grade.held:
        return None
    if grade.kind == "excused":
        return "EX" if canvas else None
    if grade.points is None:
        return None
    text = shown(grade.points)
    return text.replace(".", ",") if comma else text


def _with(record: Record, column: int, text: str | None, separator: str) -> Record:
    """The record with a cell that says `text`; the same record where it says so already."""
    if text is None or column >= len(record.raw):
        return record
    before = record.cells[column]
    theirs, ours = number(before), number(text)
    if before == text or (theirs is not None and theirs == ours):
        return record
    raw = list(record.raw)
    raw[column] = tables.like(raw[column], text, separator)
    return replace(record, raw=tuple(raw))


def _decimal_comma(table: TableFile) -> bool:
    """Whether the file writes decimals with a comma: some number in it does, and none a point."""
    if table.separator == ",":
        return False
    cells = [c for record in table.records for c in record.cells]
    commas = sum(bool(re.fullmatch(r"\d+,\d{1,2}", cell)) for cell in cells)
    points = sum(bool(re.fullmatch(r"\d+\.\d{1,2}", cell)) for cell in cells)
    return commas > points
