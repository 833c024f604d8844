"""Submissions, their sources and reports."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, case, func, select

from app.model import LearnerId, Slug, SubmissionId, Verdict
from app.records import Attempt, ExportRow, Json, NewSubmission, Progress, State, Submission
from app.storage.database import Database, insert
from app.storage.learners import ensure
from app.storage.schema import (
    drafts,
    hint_reveals,
    learners,
    reports,
    shares,
    solution_reveals,
    sources,
    submissions,
)

HISTORY = 500
"""The newest submissions a history shows."""


class SqlSubmissions:
    """The port `Submissions` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, new: NewSubmission) -> tuple[Submission, bool]:
        """Store source and submission in one transaction, unless its key is known."""
        with self._database.write() as connection:
            ensure(connection, new.learner, new.created_at)
            known = new.key and _by_key(connection, new.learner, new.exercise, new.source, new.key)
            if known:
                return known, False
            source_hash = hashlib.sha256(new.source).digest()
            connection.execute(
                insert(connection, sources)
                .values(hash=source_hash, text=new.source)
                .on_conflict_do_nothing()
            )
            connection.execute(
                submissions.insert().values(
                    id=new.id,
                    learner=new.learner,
                    exercise=new.exercise,
                    source=source_hash,
                    created_at=new.created_at,
                    idempotency_key=new.key,
                )
            )
        return Submission(new.id, new.learner, new.exercise, new.source, new.created_at), True

    def known(self, learner: LearnerId, slug: Slug, source: bytes, key: str) -> Submission | None:
        """The submission stored before under this key with this source, if any."""
        with self._database.read() as connection:
            return _by_key(connection, learner, slug, source, key)

    def get(self, submission: SubmissionId) -> Submission | None:
        """One submission with its report."""
        with self._database.read() as connection:
            row = connection.execute(_whole().where(submissions.c.id == submission)).first()
        return None if row is None else _submission(row)

    def unreported(self) -> tuple[SubmissionId, ...]:
        """Those without a report, oldest first."""
        query = (
            select(submissions.c.id)
            .outerjoin(reports)
            .where(reports.c.submission.is_(None))
            .order_by(submissions.c.id)
        )
        with self._database.read() as connection:
            return tuple(SubmissionId(row.id) for row in connection.execute(query))

    def record(self, submission: SubmissionId, report: Json, at: datetime) -> bool:
        """Store a report once; the first one stands."""
        with self._database.write() as connection:
            there = select(submissions.c.id).where(submissions.c.id == submission)
            if connection.execute(there).first() is None:
                return False
            stored = connection.execute(
                insert(connection, reports)
                .values(
                    submission=submission,
                    digest=str(report["digest"]),
                    verdict=str(report["verdict"]),
                    passed=report["passed"],
                    total=report["total"],
                    body=json.dumps(report, separators=(",", ":"), allow_nan=False),
                    recorded_at=at,
                )
                .on_conflict_do_nothing()
            )
            return stored.rowcount == 1

    def history(self, learner: LearnerId, slug: Slug) -> tuple[Attempt, ...]:
        """A learner's submissions for an exercise, newest first."""
        query = (
            select(
                submissions.c.id,
                submissions.c.exercise,
                submissions.c.created_at,
                reports.c.verdict,
                reports.c.passed,
                reports.c.total,
                shares.c.submission.label("shared"),
            )
            .outerjoin(reports, reports.c.submission == submissions.c.id)
            .outerjoin(shares, shares.c.submission == submissions.c.id)
            .where(submissions.c.learner == learner, submissions.c.exercise == slug)
            .order_by(submissions.c.id.desc())
            .limit(HISTORY)
        )
        with self._database.read() as connection:
            rows = connection.execute(query).all()
        return tuple(
            Attempt(
                SubmissionId(row.id),
                Slug(row.exercise),
                row.created_at,
                row.verdict,
                row.passed or 0,
                row.total or 0,
                row.shared is not None,
            )
            for row in rows
        )

    def progress(self, learner: LearnerId) -> tuple[Progress, ...]:
        """What was done with each exercise the learner ever touched, by slug."""
        with self._database.read() as connection:
            tried = {row.exercise: row for row in connection.execute(_tried(learner))}
            newest = [row.newest for row in tried.values()]
            last = {
                row.exercise: row
                for row in connection.execute(_whole().where(submissions.c.id.in_(newest)))
            }
            hints = _by_exercise(connection, learner, func.count(), hint_reveals)
            shown = _by_exercise(connection, learner, func.count(), solution_reveals)
            begun = _by_exercise(connection, learner, func.max(drafts.c.saved_at), drafts)
        return tuple(
            _progress(
                Slug(slug), tried.get(slug), last.get(slug), hints.get(slug, 0), slug in shown
            )
            for slug in sorted({*tried, *hints, *shown, *begun})
        )

    def export(self) -> Iterator[ExportRow]:
        """Every submission, oldest first, read as it goes."""
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
        query = (
            select(submissions, learners.c.name, reports, open_then.label("hints"))
            .join(learners, learners.c.id == submissions.c.learner)
            .outerjoin(reports, reports.c.submission == submissions.c.id)
            .order_by(submissions.c.id)
        )
        with self._database.read() as connection:
            for row in connection.execution_options(yield_per=500).execute(query):
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
                )


def _whole() -> Select[Any]:
    return (
        select(
            submissions.c.id,
            submissions.c.learner,
            submissions.c.exercise,
            submissions.c.created_at,
            sources.c.text,
            reports.c.verdict,
            reports.c.passed,
            reports.c.total,
            reports.c.body,
        )
        .join(sources, sources.c.hash == submissions.c.source)
        .outerjoin(reports, reports.c.submission == submissions.c.id)
    )


def _submission(row: Row[Any]) -> Submission:
    return Submission(
        SubmissionId(row.id),
        LearnerId(row.learner),
        Slug(row.exercise),
        row.text,
        row.created_at,
        None if row.body is None else json.loads(row.body),
    )


def _by_key(
    connection: Connection, learner: LearnerId, slug: Slug, source: bytes, key: str
) -> Submission | None:
    query = _whole().where(
        submissions.c.learner == learner,
        submissions.c.exercise == slug,
        submissions.c.source == hashlib.sha256(source).digest(),
        submissions.c.idempotency_key == key,
    )
    row = connection.execute(query).first()
    return None if row is None else _submission(row)


def _tried(learner: LearnerId) -> Select[Any]:
    """Per exercise: attempts that were not our fault, the first accepted one, the newest of all."""
    ours = reports.c.verdict == Verdict.GRADER_ERROR.value
    accepted = reports.c.verdict == Verdict.ACCEPTED.value
    return (
        select(
            submissions.c.exercise,
            func.sum(case((ours, 0), else_=1)).label("attempts"),
            func.min(case((accepted, submissions.c.id))).label("first_accepted"),
            func.min(case((accepted, submissions.c.created_at))).label("first_passed_at"),
            func.max(submissions.c.id).label("newest"),
        )
        .outerjoin(reports, reports.c.submission == submissions.c.id)
        .where(submissions.c.learner == learner)
        .group_by(submissions.c.exercise)
    )


def _by_exercise(
    connection: Connection, learner: LearnerId, value: ColumnElement[Any], table: Any
) -> dict[str, Any]:
    query = select(table.c.exercise, value.label("value")).where(table.c.learner == learner)
    return {row.exercise: row.value for row in connection.execute(query.group_by(table.c.exercise))}


def _progress(
    slug: Slug, tried: Row[Any] | None, last: Row[Any] | None, hints: int, solution: bool
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
    )
