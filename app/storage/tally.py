"""Sums over submissions: a learner's progress and tries, and the table a host exports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Connection, Row, Select, Table, case, func, select

from app.model import LearnerId, Slug, SubmissionId, Verdict
from app.model.classes import NO_ATTEMPT
from app.ports.classes import TriesUsedUp
from app.records import ExportRow, NewSubmission, Progress, State
from app.storage.schema import (
    drafts,
    hint_reveals,
    learners,
    reports,
    solution_reveals,
    submissions,
)

AnyRow: TypeAlias = Row[*tuple[Any, ...]]
ROWS_AT_ONCE = 500


def progress(connection: Connection, learner: LearnerId) -> tuple[Progress, ...]:
    """What was done with each exercise the learner ever touched, by slug."""
    tried = {row.exercise: row for row in connection.execute(_tried(learner))}
    last = _last(connection, [row.newest for row in tried.values()])
    hints = _by_exercise(connection, learner, func.count(), hint_reveals)
    shown = _by_exercise(connection, learner, func.count(), solution_reveals)
    begun = _by_exercise(connection, learner, func.count(), drafts)
    return tuple(
        _progress(Slug(slug), tried.get(slug), last.get(slug), hints.get(slug, 0), slug in shown)
        for slug in sorted({*tried, *hints, *shown, *begun})
    )


def export(connection: Connection) -> Iterator[ExportRow]:
    """Every submission, oldest first, with the hints that were open when it was made."""
    open_then = (
        select(func.count())
        .select_from(hint_reveals)
        .where(
            hint_reveals.c.learner == submissions.c.learner,
            hint_reveals.c.exercise == submissions.c.exercise,
            hint_reveals.c.revealed_at <= submissions.c.created_at,
        )
        .scalar_subquery()
    )
    shown_then = (
        select(func.count())
        .select_from(solution_reveals)
        .where(
            solution_reveals.c.learner == submissions.c.learner,
            solution_reveals.c.exercise == submissions.c.exercise,
            solution_reveals.c.revealed_at <= submissions.c.created_at,
        )
        .scalar_subquery()
    )
    query = (
        select(
            submissions,
            learners.c.name,
            reports,
            open_then.label("hints"),
            shown_then.label("solution"),
        )
        .join(learners, learners.c.id == submissions.c.learner)
        .outerjoin(reports, reports.c.submission == submissions.c.id)
        .order_by(submissions.c.id)
    )
    for row in connection.execution_options(yield_per=ROWS_AT_ONCE).execute(query):
        yield ExportRow(
            SubmissionId(row.id),
            LearnerId(row.learner),
            row.name,
            Slug(row.exercise),
            row.created_at,
            row.verdict or "",
            row.passed or 0,
            row.total or 0,
            row.hints,
            bool(row.solution),
        )


def _tried(learner: LearnerId) -> Select[Any]:
    """Per exercise: attempts that were not our fault, the first pass, the newest of all."""
    ours = reports.c.verdict == Verdict.GRADER_ERROR.value
    accepted = reports.c.verdict == Verdict.ACCEPTED.value
    return (
        select(
            submissions.c.exercise,
            func.sum(case((ours, 0), else_=1)).label("attempts"),
            func.min(case((accepted, submissions.c.created_at))).label("first_passed_at"),
            func.max(submissions.c.id).label("newest"),
        )
        .outerjoin(reports, reports.c.submission == submissions.c.id)
        .where(submissions.c.learner == learner)
        .group_by(submissions.c.exercise)
    )


def _last(connection: Connection, newest: list[str]) -> dict[str, AnyRow]:
    """The submissions of these ids, by exercise."""
    query = (
        select(
            submissions.c.exercise,
            submissions.c.created_at,
            reports.c.verdict,
            reports.c.passed,
            reports.c.total,
            reports.c.mask,
        )
        .outerjoin(reports, reports.c.submission == submissions.c.id)
        .where(submissions.c.id.in_(newest))
    )
    return {row.exercise: row for row in connection.execute(query)}


def _by_exercise(
    connection: Connection, learner: LearnerId, value: ColumnElement[int], table: Table
) -> dict[str, int]:
    query = select(table.c.exercise, value.label("value")).where(table.c.learner == learner)
    return {row.exercise: row.value for row in connection.execute(query.group_by(table.c.exercise))}


def _progress(
    slug: Slug, tried: AnyRow | None, last: AnyRow | None, hints: int, solution: bool
) -> Progress:
    if tried is None or last is None:
        return Progress(slug, "begun", hints=hints, solution=solution)
    state: State = "passed" if tried.first_passed_at else "tried"
    return Progress(
        slug,
        state,
        attempts=int(tried.attempts),
        hints=hints,
        solution=solution,
        first_passed_at=tried.first_passed_at,
        last_at=last.created_at,
        last_verdict=last.verdict,
        last_passed=last.passed or 0,
        last_total=last.total or 0,
        last_mask=last.mask,
    )


def check_limit(connection: Connection, learner: LearnerId, new: NewSubmission) -> None:
    """Raise TriesUsedUp where the tries in the limit's time, in line ones too, are as many."""
    if new.limit is None:
        return
    at = func.coalesce(submissions.c.attempted_at, submissions.c.created_at)
    verdict = func.coalesce(reports.c.verdict, "")
    used = (
        select(func.count())
        .select_from(submissions.outerjoin(reports, reports.c.submission == submissions.c.id))
        .where(
            submissions.c.learner == learner,
            submissions.c.exercise == new.exercise,
            at >= new.limit.opens_at,
            at <= new.limit.closes_at,
            verdict.not_in(sorted(NO_ATTEMPT)),
        )
    )
    if (connection.execute(used).scalar() or 0) >= new.limit.attempts:
        raise TriesUsedUp
