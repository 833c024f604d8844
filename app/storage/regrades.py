"""Reports made anew after an exercise changed, kept aside until somebody applies them.

start ─▶ regraded (waiting) ─▶ judged, one by one ─▶ ready ─▶ applied: reports ⇄ past_reports
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, and_, func, insert, select, update

from app.model import LearnerId, Slug, SubmissionId
from app.model.classes import AccountId, ClassId, Regrade, Regraded, RegradeRule, RegradeState
from app.records import Json
from app.storage import report_bodies
from app.storage.database import Database, add_once
from app.storage.replacing import COLUMNS, put_in_place
from app.storage.report_columns import columns_of
from app.storage.schema import reports, submissions
from app.storage.schema_classes import (
    enrolments,
    exercise_versions,
    regraded,
    regrades,
)

OPEN = ("judging", "ready")
"""The states of one that is neither applied nor dropped."""

_GIVEN = ("id", "exercise", "digest", "reason", "rule", "by", "at")


class SqlRegrades:
    """The port `Regrades` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def digests(self, exercise: Slug, class_id: ClassId) -> tuple[tuple[str, int], ...]:
        """Under which versions of the exercise a class's tries were judged, and how many each."""
        query = (
            select(reports.c.digest, func.count().label("tries"))
            .select_from(_judged_tries())
            .where(enrolments.c["class"] == class_id, submissions.c.exercise == exercise)
            .group_by(reports.c.digest)
            .order_by(reports.c.digest)
        )
        with self._database.read() as connection:
            return tuple((row.digest, row.tries) for row in connection.execute(query))

    def note_version(self, exercise: Slug, digest: str, files: Json, at: datetime) -> None:
        """Remember which files make up a version of an exercise; the first time counts."""
        with self._database.write() as connection:
            add_once(
                connection,
                exercise_versions,
                exercise=exercise,
                digest=digest,
                files=json.dumps(files),
                seen_at=at,
            )

    def version(self, exercise: Slug, digest: str) -> tuple[Json, datetime] | None:
        """The files of a version, and when it was first seen."""
        query = select(exercise_versions).where(
            exercise_versions.c.exercise == exercise, exercise_versions.c.digest == digest
        )
        with self._database.read() as connection:
            row = connection.execute(query).first()
        return None if row is None else (json.loads(row.files), row.seen_at)

    def start(self, regrade: Regrade) -> int | None:
        """Begin one over all judged tries of the class that are of another version; how many.

        None where one of this exercise is under way, and 0 where no try is: nothing is begun.
        """
        wanted = (
            select(submissions.c.id)
            .select_from(_judged_tries())
            .where(
                enrolments.c["class"] == regrade.class_id,
                submissions.c.exercise == regrade.exercise,
                reports.c.digest != regrade.digest,
            )
        )
        values = {name: getattr(regrade, name) for name in _GIVEN}
        values |= {"class": regrade.class_id, "state": "judging"}
        with self._database.write() as connection:
            if connection.execute(_open(regrade.class_id, regrade.exercise)).first():
                return None
            found = [row.id for row in connection.execute(wanted)]
            if found:
                connection.execute(insert(regrades).values(values))
            for submission in found:
                staged = insert(regraded).values(regrade=regrade.id, submission=submission)
                connection.execute(staged)
        return len(found)

    def get(self, regrade: str) -> Regrade | None:
        """One regrade, with how much of it is done."""
        with self._database.read() as connection:
            row = connection.execute(_counted().where(regrades.c.id == regrade)).first()
        return None if row is None else _regrade(row)

    def of_class(self, class_id: ClassId) -> tuple[Regrade, ...]:
        """Those neither applied nor dropped, newest first."""
        query = _counted().where(regrades.c["class"] == class_id, regrades.c.state.in_(OPEN))
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(regrades.c.id.desc()))
            return tuple(_regrade(row) for row in rows)

    def waiting(self) -> tuple[tuple[str, SubmissionId], ...]:
        """What is still to be judged, in all regrades, oldest first."""
        query = (
            select(regraded.c.regrade, regraded.c.submission)
            .join(regrades)
            .where(regraded.c.judged_at.is_(None), regrades.c.state == "judging")
            .order_by(regraded.c.regrade, regraded.c.submission)
        )
        with self._database.read() as connection:
            rows = connection.execute(query).all()
        return tuple((row.regrade, SubmissionId(row.submission)) for row in rows)

    def keep(self, regrade: str, submission: SubmissionId, report: Json, at: datetime) -> None:
        """Keep a new report aside; the regrade is ready when its last one is there."""
        mine = and_(regraded.c.regrade == regrade, regraded.c.submission == submission)
        left = select(func.count()).where(
            regraded.c.regrade == regrade, regraded.c.judged_at.is_(None)
        )
        packed = report_bodies.pack(report)
        with self._database.write() as connection:
            columns = {**columns_of(report), "body": report_bodies.keep(connection, packed)}
            connection.execute(update(regraded).where(mine).values(**columns, judged_at=at))
            if not connection.execute(left).scalar():
                connection.execute(
                    update(regrades)
                    .where(regrades.c.id == regrade, regrades.c.state == "judging")
                    .values(state="ready")
                )

    def results(self, regrade: str) -> tuple[Regraded, ...]:
        """Each try old and new."""
        query = (
            select(
                submissions.c.id,
                submissions.c.learner,
                reports.c.verdict,
                reports.c.passed,
                reports.c.total,
                regraded.c.verdict.label("new_verdict"),
                regraded.c.passed.label("new_passed"),
                regraded.c.total.label("new_total"),
            )
            .select_from(
                regraded.join(submissions, submissions.c.id == regraded.c.submission).join(
                    reports, reports.c.submission == submissions.c.id
                )
            )
            .where(regraded.c.regrade == regrade)
            .order_by(submissions.c.id)
        )
        with self._database.read() as connection:
            return tuple(_result(row) for row in connection.execute(query).all())

    def finish(
        self, regrade: str, state: RegradeState, rule: RegradeRule, at: datetime
    ) -> int | None:
        """Apply it or drop it; how many reports were replaced. Replaced ones are kept.

        None where it was applied or dropped before.
        """
        with self._database.write() as connection:
            ended = connection.execute(
                update(regrades)
                .where(regrades.c.id == regrade, regrades.c.state.in_(OPEN))
                .values(state=state, rule=rule)
                .execution_options(preserve_rowcount=True)
            )
            if ended.rowcount != 1:
                return None
            if state != "applied":
                return 0
            query = select(regraded).where(
                regraded.c.regrade == regrade, regraded.c.judged_at.is_not(None)
            )
            staged = connection.execute(query).all()
            return sum(_replace(connection, row, rule, at) for row in staged)


def _result(row: Any) -> Regraded:
    new = (row.new_verdict, row.new_passed or 0, row.new_total or 0)
    old = (row.verdict, row.passed, row.total)
    return Regraded(SubmissionId(row.id), LearnerId(row.learner), *old, *new)


def _replace(connection: Connection, new: Row[Any], rule: RegradeRule, at: datetime) -> bool:
    """Put a staged report in the current one's place; whether it was."""
    query = select(reports).where(reports.c.submission == new.submission)
    old = connection.execute(query).one()
    if new.verdict == "grader_error" or (rule == "only_better" and new.passed <= old.passed):
        return False
    columns = {name: getattr(new, name) for name in COLUMNS}
    put_in_place(connection, SubmissionId(new.submission), columns, at, new.regrade)
    return True


def _open(class_id: ClassId | None, exercise: Slug) -> Any:
    """The regrade of a class's exercise that is neither applied nor dropped."""
    mine = (regrades.c["class"] == class_id, regrades.c.exercise == exercise)
    return select(regrades.c.id).where(*mine, regrades.c.state.in_(OPEN))


def _judged_tries() -> Any:
    """Judged tries of the active learners of classes."""
    return enrolments.join(submissions, submissions.c.learner == enrolments.c.learner).join(
        reports, reports.c.submission == submissions.c.id
    )


def _counted() -> Any:
    mine, unjudged = regraded.c.regrade == regrades.c.id, regraded.c.judged_at.is_(None)
    return select(regrades, _count(mine).label("tries"), _count(mine, unjudged).label("waiting"))


def _count(*which: Any) -> Any:
    return select(func.count()).where(*which).correlate(regrades).scalar_subquery()


def _regrade(row: Row[Any]) -> Regrade:
    found = row._mapping
    return Regrade(
        row.id,
        Slug(row.exercise),
        row.digest,
        row.reason,
        row.at,
        None if found["class"] is None else ClassId(found["class"]),
        None if row.by is None else AccountId(row.by),
        row.rule,
        row.state,
        row.tries,
        row.waiting,
    )
