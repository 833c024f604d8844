"""A try as grades need it: what is read of one, and one learner's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, select

from app.model import LearnerId, Slug, SubmissionId
from app.model.classes import Try
from app.storage.schema import hint_reveals, reports, submissions

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
    connection: Connection, learner: LearnerId, exercises: Sequence[Slug]
) -> tuple[Try, ...]:
    """One learner's on some exercises, oldest first, without the mistakes."""
    asked = {"who": learner, "exercises": list(exercises)}
    rows: Iterable[Row[*tuple[Any, ...]]] = connection.execute(_OWN, asked)
    return tuple(a_try(row, row[-1], {}) for row in rows)
