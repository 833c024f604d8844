"""A try as grades need it: what is read of one, and one learner's own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, select

from app.model import LearnerId, Slug, SubmissionId
from app.model.classes import Try
from app.storage.schema import hint_reveals, reports, submissions
from app.storage.schema_classes import report_mistakes

_AT = func.coalesce(submissions.c.attempted_at, submissions.c.created_at)
TRY = (
    submissions.c.id,
    submissions.c.learner,
    submissions.c.exercise,
    _AT.label("at"),
    reports.c.verdict,
    reports.c.passed,
    reports.c.total,
    reports.c.mask,
)
WITHOUT_BODIES = "INDEXED BY ix_reports_submission_verdict_passed_total_mask_recorded_at"
"""For SQLite, which would take the index of the key and then find each row between long bodies."""

_OPEN_THEN = (
    select(func.count())
    .where(
        hint_reveals.c.learner == submissions.c.learner,
        hint_reveals.c.exercise == submissions.c.exercise,
        hint_reveals.c.revealed_at <= _AT,
    )
    .scalar_subquery()
)
_OWN = (
    select(*TRY, _OPEN_THEN)
    .select_from(submissions.outerjoin(reports, reports.c.submission == submissions.c.id))
    .where(
        submissions.c.learner == bindparam("who"),
        submissions.c.exercise.in_(bindparam("exercises", expanding=True)),
    )
    .order_by(_AT, submissions.c.id)
)
_NAMED = (
    select(report_mistakes.c.submission, report_mistakes.c.misconception)
    .select_from(
        submissions.join(report_mistakes, report_mistakes.c.submission == submissions.c.id)
    )
    .where(
        submissions.c.learner == bindparam("who"),
        submissions.c.exercise.in_(bindparam("exercises", expanding=True)),
    )
    .order_by(report_mistakes.c.place)
)


def a_try(row: Row[*tuple[Any, ...]], hints: int, mistakes: Mapping[str, tuple[str, ...]]) -> Try:
    """A row of `TRY`; by place, since a class has thousands."""
    return Try(
        SubmissionId(row[0]),
        LearnerId(row[1]),
        Slug(row[2]),
        row[3],
        row[4],
        row[5] or 0,
        row[6] or 0,
        hints,
        row[7] or 0,
        mistakes.get(row[0], ()),
    )


def own_tries(
    connection: Connection, learner: LearnerId, exercises: Sequence[Slug], *, mistakes: bool
) -> tuple[Try, ...]:
    """One learner's on some exercises, oldest first."""
    asked = {"who": learner, "exercises": list(exercises)}
    rows = connection.execute(_OWN, asked).all()
    known = named_of(connection.execute(_NAMED, asked)) if mistakes else {}
    return tuple(a_try(row, row[-1], known) for row in rows)


def named_of(rows: Iterable[Any]) -> Mapping[str, tuple[str, ...]]:
    """The misconceptions of each submission, of rows in their order."""
    found: dict[str, list[str]] = defaultdict(list)
    for submission, misconception in rows:
        found[submission].append(misconception)
    return {submission: tuple(named) for submission, named in found.items()}
