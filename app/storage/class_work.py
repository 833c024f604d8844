"""What the learners of a class sent, as its pages read it: no report's body, and no source unless
the page is about sources.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, FromClause, Select, and_, func, select

from app.model import LearnerId, Slug, SubmissionId
from app.model.classes import ClassId, Program, Try
from app.storage.database import Database
from app.storage.schema import (
    hint_reveals,
    report_shrinking,
    reports,
    solution_reveals,
    sources,
    submissions,
)
from app.storage.schema_classes import (
    assignments,
    audit,
    enrolments,
    extensions,
    overrides,
    regrades,
    report_mistakes,
)
from app.storage.tries import TRY, WITHOUT_BODIES, a_try, named_of, own_tries
from app.storage.unreported import JUDGED

IN_CLASS = ("active", "removed")
"""Whose work is read: `preview` seats count nowhere, and `invited` ones have none."""

_OPENED = hint_reveals.join(enrolments, enrolments.c.learner == hint_reveals.c.learner).join(
    assignments,
    and_(
        assignments.c["class"] == enrolments.c["class"],
        assignments.c.exercise == hint_reveals.c.exercise,
        assignments.c.removed_at.is_(None),
    ),
)


class SqlClassWork:
    """The reading half of the port `ClassRecords` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def tries(self, class_id: ClassId, *, mistakes: bool = True) -> tuple[Try, ...]:
        """Every submission of the class's learners on its exercises, with hints open then.

        `mistakes`: with the misconceptions that their reports name, which no grade hangs on.
        """
        query = (
            select(*TRY)
            .select_from(_sent().outerjoin(reports, reports.c.submission == submissions.c.id))
            .with_hint(reports, WITHOUT_BODIES, "sqlite")
        )
        named = select(report_mistakes.c.submission, report_mistakes.c.misconception).select_from(
            _sent().join(report_mistakes, report_mistakes.c.submission == submissions.c.id)
        )
        with self._database.read() as connection:
            rows = connection.execute(_of(query, class_id)).all()
            ordered = _of(named, class_id).order_by(report_mistakes.c.place)
            known = named_of(connection.execute(ordered)) if mistakes else {}
            hints = _hints(connection, class_id)
        return tuple(
            a_try(row, bisect_right(hints.get((row[1], row[2]), ()), row[3]), known) for row in rows
        )

    def tries_of(
        self, learner: LearnerId, exercises: Sequence[Slug], *, mistakes: bool = False
    ) -> tuple[Try, ...]:
        """One learner's on some exercises, oldest first; `mistakes` as for all."""
        with self._database.glance() as connection:
            return own_tries(connection, learner, exercises, mistakes=mistakes)

    def changed_at(self, class_id: ClassId) -> str:
        """A text that differs after anything on the board changed.

        Reports are looked at where some may still come: up to the mark of `unreported` all have
        one, and only a regrade replaces those.
        """
        sent = _of(select(func.count(), func.max(submissions.c.id)).select_from(_sent()), class_id)
        lately = select(report_shrinking.c.up_to).where(JUDGED).scalar_subquery()
        judged = _of(
            select(func.count(), func.max(reports.c.recorded_at)).select_from(
                _sent().join(reports, reports.c.submission == submissions.c.id)
            ),
            class_id,
        ).where(submissions.c.id >= func.coalesce(lately, ""))
        again = select(func.count(), func.max(regrades.c.at)).where(
            regrades.c["class"] == class_id, regrades.c.state == "applied"
        )
        opened = _of(
            select(func.count(), func.max(hint_reveals.c.revealed_at)).select_from(_OPENED),
            class_id,
        )
        people = select(
            func.count(),
            func.max(enrolments.c.joined_at),
            func.max(enrolments.c.removed_at),
            func.count(enrolments.c.learner),
        ).where(enrolments.c["class"] == class_id)
        given = select(
            func.count(), func.max(assignments.c.made_at), func.count(assignments.c.removed_at)
        ).where(assignments.c["class"] == class_id)
        terms = [
            select(func.count(), func.max(table.c.at))
            .select_from(table.join(enrolments))
            .where(enrolments.c["class"] == class_id)
            for table in (extensions, overrides)
        ]
        log = select(func.max(audit.c.id)).where(audit.c["class"] == class_id)  # names, rules
        with self._database.read() as connection:
            found = [
                tuple(connection.execute(query).one())
                for query in (sent, judged, opened, again, people, given, *terms, log)
            ]
        return repr(found)

    def hints(self, class_id: ClassId) -> tuple[tuple[LearnerId, Slug, datetime], ...]:
        """When which hint was opened."""
        with self._database.read() as connection:
            found = _hints(connection, class_id)
        return tuple(
            (LearnerId(learner), Slug(slug), at)
            for (learner, slug), opened in found.items()
            for at in opened
        )

    def programs(self, class_id: ClassId, exercise: Slug | None = None) -> tuple[Program, ...]:
        """The texts of the class's submissions, oldest first."""
        query = select(
            submissions.c.id,
            submissions.c.learner,
            submissions.c.exercise,
            sources.c.text,
            submissions.c.created_at,
            reports.c.verdict,
            solution_reveals.c.revealed_at,
        ).select_from(
            _sent()
            .join(sources, sources.c.hash == submissions.c.source)
            .outerjoin(reports, reports.c.submission == submissions.c.id)
            .outerjoin(
                solution_reveals,
                and_(
                    solution_reveals.c.learner == submissions.c.learner,
                    solution_reveals.c.exercise == submissions.c.exercise,
                ),
            )
        )
        named = select(report_mistakes.c.submission, report_mistakes.c.misconception).select_from(
            _sent().join(report_mistakes, report_mistakes.c.submission == submissions.c.id)
        )
        wanted = () if exercise is None else (submissions.c.exercise == exercise,)
        with self._database.read() as connection:
            found = _of(query, class_id).where(*wanted).order_by(submissions.c.id)
            rows = connection.execute(found).all()
            mistakes = named_of(connection.execute(_of(named, class_id)))
        return tuple(
            Program(
                SubmissionId(row.id),
                LearnerId(row.learner),
                Slug(row.exercise),
                row.text,
                row.created_at,
                row.verdict,
                mistakes.get(row.id, ()),
                row.revealed_at,
            )
            for row in rows
        )

    def showing(
        self, class_id: ClassId, exercise: Slug, misconception: str
    ) -> tuple[SubmissionId, ...]:
        """Submissions of active learners whose report names a misconception, oldest first."""
        query = select(submissions.c.id).select_from(
            _sent().join(report_mistakes, report_mistakes.c.submission == submissions.c.id)
        )
        wanted = _of(query, class_id).where(
            enrolments.c.state == "active",
            submissions.c.exercise == exercise,
            report_mistakes.c.misconception == misconception,
        )
        with self._database.read() as connection:
            rows = connection.execute(wanted.order_by(submissions.c.id))
            return tuple(SubmissionId(row.id) for row in rows)


def _sent() -> FromClause:
    """Submissions of the people of classes on the exercises these were given."""
    return enrolments.join(submissions, submissions.c.learner == enrolments.c.learner).join(
        assignments,
        and_(
            assignments.c["class"] == enrolments.c["class"],
            assignments.c.exercise == submissions.c.exercise,
            assignments.c.removed_at.is_(None),
        ),
    )


def _of(query: Select[*tuple[Any, ...]], class_id: ClassId) -> Select[*tuple[Any, ...]]:
    return query.where(enrolments.c["class"] == class_id, enrolments.c.state.in_(IN_CLASS))


def _hints(connection: Connection, class_id: ClassId) -> dict[tuple[str, str], list[datetime]]:
    """The moments at which hints were opened, in order, by learner and exercise."""
    query = select(
        hint_reveals.c.learner, hint_reveals.c.exercise, hint_reveals.c.revealed_at
    ).select_from(_OPENED)
    query = _of(query, class_id).order_by(hint_reveals.c.revealed_at)
    found: dict[tuple[str, str], list[datetime]] = defaultdict(list)
    for learner, exercise, at in _rows(connection, query):
        found[learner, exercise].append(at)
    return found


def _rows(connection: Connection, query: Select[Any]) -> Iterator[Any]:
    yield from connection.execute(query)
