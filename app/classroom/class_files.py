"""Grades as tables of our own, for Canvas, Moodle, Blackboard and for people."""

from __future__ import annotations

from typing import Literal, TypeAlias

from app.classroom.gradebook import Gradebook, GradebookRow
from app.classroom.grades import Grade
from app.classroom.tables import harmless, written
from app.model.classes import POINT, Assignment

System: TypeAlias = Literal["canvas", "moodle", "blackboard", "plain"]
SYSTEMS: tuple[System, ...] = ("canvas", "moodle", "blackboard", "plain")


def export(book: Gradebook, system: System) -> bytes:
    """The grades as a CSV file of the kind a system reads; names never start a formula."""
    makers = {
        "canvas": _canvas,
        "moodle": _moodle,
        "blackboard": _blackboard,
        "plain": _plain,
    }
    return written(makers[system](book))


def warnings(book: Gradebook) -> tuple[str, ...]:
    """What to know before one uploads it: Canvas drops columns whose title holds "final"."""
    return tuple(
        f"Canvas drops “{given.title}”: its title holds “final” (canvas-lms#2134). Rename it."
        for given in book.assignments
        if "final" in given.title.casefold()
    )


def _points(hundredths: int) -> str:
    return f"{hundredths // POINT}.{hundredths % POINT:02}"


def _cell(grade: Grade, excused: str) -> str:
    if grade.held:
        return ""
    if grade.kind == "excused":
        return excused
    return "" if grade.points is None else _points(grade.points)


def _titles(book: Gradebook, form: str = "{title}") -> list[str]:
    return [
        harmless(form.format(title=given.title, points=_most(given))) for given in book.assignments
    ]


def _most(given: Assignment) -> str:
    text = _points(given.policy.points)
    return text.removesuffix(".00")


def _canvas(book: Gradebook) -> list[list[str]]:
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *_titles(book)]
    most = [_points(given.policy.points) for given in book.assignments]
    rows = [
        [
            harmless(row.enrolment.sort_name or row.enrolment.name),
            "",
            *_ids(row),
            harmless(row.enrolment.section),
            *(_cell(found, "EX") for found in row.grades),
        ]
        for row in book.rows
    ]
    return [head, ["    Points Possible", "", "", "", "", *most], *rows]


def _moodle(book: Gradebook) -> list[list[str]]:
    head = ["First name", "Last name", "ID number", "Email address", *_titles(book)]
    rows = [
        [*_first_last(row), *_ids(row), *(_cell(found, "") for found in row.grades)]
        for row in book.rows
    ]
    return [head, *rows]


def _blackboard(book: Gradebook) -> list[list[str]]:
    titles = _titles(book, "{title} [Total Pts: {points} Score]")
    rows = [
        [
            *reversed(_first_last(row)),
            *reversed(_ids(row)),
            *(_cell(found, "") for found in row.grades),
        ]
        for row in book.rows
    ]
    return [["Last Name", "First Name", "Username", "Student ID", *titles], *rows]


def _plain(book: Gradebook) -> list[list[str]]:
    titles = _titles(book, "{title} ({points})")
    head = ["name", "section", "student_id", "login", *titles, "total", "possible"]
    rows = [
        [
            harmless(row.enrolment.name),
            harmless(row.enrolment.section),
            *_ids(row),
            *(_cell(found, "excused") for found in row.grades),
            _points(_released_total(row)),
            _points(row.possible),
        ]
        for row in book.rows
    ]
    return [head, *rows]


def _released_total(row: GradebookRow) -> int:
    """The total without what is held."""
    return sum(found.points or 0 for found in row.grades if not found.held)


def _ids(row: GradebookRow) -> list[str]:
    enrolment = row.enrolment
    return [harmless(enrolment.student_id or ""), harmless(enrolment.campus_login or "")]


def _first_last(row: GradebookRow) -> list[str]:
    """A name in two parts: as the roster gave them, else at its last blank."""
    last, comma, first = row.enrolment.sort_name.partition(",")
    if not comma:
        first, _, last = row.enrolment.name.rpartition(" ")
    return [harmless(first.strip()), harmless(last.strip())]
