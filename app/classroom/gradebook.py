"""The table of a class: one row a learner, one column an assignment, and its total.

Worked out from stored tries each time it is looked at. Nothing is kept that could be wrong.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from app.classroom.grades import NEVER_COUNTS, Grade, grade, scores_held
from app.model import LearnerId, Slug
from app.model.classes import (
    Assignment,
    AssignmentId,
    Enrolment,
    EnrolmentId,
    Extension,
    Override,
    Policy,
    Regraded,
    Try,
)


@dataclass(frozen=True)
class ClassWork:
    """Everything grades are worked out from; seats that staff look from are left out of it."""

    zone: ZoneInfo
    enrolments: tuple[Enrolment, ...]
    assignments: tuple[Assignment, ...]
    tries: Mapping[tuple[LearnerId, Slug], Sequence[Try]]
    extensions: Mapping[tuple[AssignmentId, EnrolmentId], Extension]
    overrides: Mapping[tuple[AssignmentId, EnrolmentId], Override]


@dataclass(frozen=True)
class GradebookRow:
    """One learner: a grade an assignment, in the order of the columns.

    `total` are hundredths of what has been given so far; `possible` leaves excused ones out.
    """

    enrolment: Enrolment
    grades: tuple[Grade, ...]
    total: int
    possible: int


@dataclass(frozen=True)
class Gradebook:
    """Columns, rows by sort name, and the mean of each column over those who have points."""

    assignments: tuple[Assignment, ...]
    rows: tuple[GradebookRow, ...]
    means: tuple[int | None, ...]

    def grade(self, assignment: AssignmentId, enrolment: EnrolmentId) -> Grade | None:
        """One cell, or None where there is no such row or column."""
        columns = [given.id for given in self.assignments]
        row = next((row for row in self.rows if row.enrolment.id == enrolment), None)
        if row is None or assignment not in columns:
            return None
        return row.grades[columns.index(assignment)]


def by_learner(tries: Iterable[Try]) -> dict[tuple[LearnerId, Slug], list[Try]]:
    """Tries by who made them and for which exercise."""
    found: dict[tuple[LearnerId, Slug], list[Try]] = defaultdict(list)
    for tried in tries:
        found[tried.learner, tried.exercise].append(tried)
    return dict(found)


def in_roster_order(enrolments: Iterable[Enrolment]) -> tuple[Enrolment, ...]:
    """By sort name, then name; the order of every table of people."""
    return tuple(
        sorted(enrolments, key=lambda e: ((e.sort_name or e.name).casefold(), e.name, e.id))
    )


def cell(work: ClassWork, assignment: Assignment, enrolment: Enrolment) -> Grade:
    """One learner's grade in one assignment."""
    key = (assignment.id, enrolment.id)
    tries: Sequence[Try] = ()
    if enrolment.learner is not None:
        tries = work.tries.get((enrolment.learner, assignment.exercise), ())
    return grade(assignment, tries, work.zone, work.extensions.get(key), work.overrides.get(key))


def gradebook(work: ClassWork, *, section: str | None = None) -> Gradebook:
    """The whole table, or one section's."""
    columns = tuple(sorted(work.assignments, key=lambda given: (given.position, given.id)))
    rows = [
        _row(work, columns, enrolment)
        for enrolment in in_roster_order(work.enrolments)
        if enrolment.state in ("active", "invited")
        and (section is None or enrolment.section == section)
    ]
    return Gradebook(columns, tuple(rows), _means(columns, rows))


def _row(work: ClassWork, columns: tuple[Assignment, ...], enrolment: Enrolment) -> GradebookRow:
    grades = tuple(cell(work, given, enrolment) for given in columns)
    return GradebookRow(
        enrolment,
        grades,
        total=sum(found.points or 0 for found in grades),
        possible=sum(
            given.policy.points
            for given, found in zip(columns, grades, strict=True)
            if found.kind != "excused"
        ),
    )


def _means(columns: tuple[Assignment, ...], rows: list[GradebookRow]) -> tuple[int | None, ...]:
    means: list[int | None] = []
    for n in range(len(columns)):
        points = [row.grades[n].points for row in rows]
        known = [found for found in points if found is not None]
        means.append((2 * sum(known) + len(known)) // (2 * len(known)) if known else None)
    return tuple(means)


@dataclass(frozen=True)
class GradeChange:
    """What a grade was and what it would be, in hundredths; None is no grade."""

    enrolment: Enrolment
    old: int | None
    new: int | None

    @property
    def gains(self) -> bool:
        """Whether the learner is better off."""
        return (self.new or 0) > (self.old or 0)


def changes(work: ClassWork, assignment: Assignment, policy: Policy) -> tuple[GradeChange, ...]:
    """Whose points would change under another policy, and how."""
    after = Assignment(
        assignment.id,
        assignment.class_id,
        assignment.exercise,
        assignment.title,
        assignment.position,
        policy,
        assignment.made_at,
    )
    found = []
    for enrolment in in_roster_order(work.enrolments):
        if enrolment.state in ("active", "invited"):
            old, new = (cell(work, given, enrolment).points for given in (assignment, after))
            if old != new:
                found.append(GradeChange(enrolment, old, new))
    return tuple(found)


def regrade_changes(
    work: ClassWork, exercise: Slug, results: Iterable[Regraded]
) -> Mapping[EnrolmentId, GradeChange]:
    """Whose points a regrade would change, all of it applied; by enrolment.

    What came to a fault of ours takes no report's place.
    """
    new = {
        one.submission: one
        for one in results
        if one.new_verdict is not None and one.new_verdict not in NEVER_COUNTS
    }
    tries = {
        key: [_judged_anew(tried, new[tried.id]) if tried.id in new else tried for tried in theirs]
        for key, theirs in work.tries.items()
    }
    after = replace(work, tries=tries)
    found = {}
    for given in work.assignments:
        for enrolment in work.enrolments if given.exercise == exercise else ():
            old, now = (cell(each, given, enrolment).points for each in (work, after))
            if old != now:
                found[enrolment.id] = GradeChange(enrolment, old, now)
    return found


def _judged_anew(tried: Try, result: Regraded) -> Try:
    """A try with what it was judged now in place of its report."""
    passed, total = result.new_passed, result.new_total
    return replace(tried, verdict=result.new_verdict, passed=passed, total=total)


def changes_in_words(found: Sequence[GradeChange]) -> str:
    """ "3 learners lose points, 5 gain", or "" where no points change."""
    gain = sum(change.gains for change in found)
    lose = len(found) - gain
    if not found:
        return ""
    if not lose:
        return f"{gain} learner{'' if gain == 1 else 's'} gain{'s' if gain == 1 else ''} points."
    said = f"{lose} learner{' loses' if lose == 1 else 's lose'} points"
    return f"{said}, {gain} gain{'s' if gain == 1 else ''}." if gain else f"{said}."


def for_learner(found: Grade, assignment: Assignment, now: datetime) -> Grade:
    """The grade as its learner may see it: without points while they are held."""
    if not found.held and not scores_held(assignment, now, found.terms):
        return found
    return Grade("none", None, found.terms, None, found.tries, found.waiting, held=True)
