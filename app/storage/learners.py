"""Learners: their row, their name, the code that carries their work to another device."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, Table, and_, bindparam, exists, func, null, select, update

from app.model import LearnerId, Verdict
from app.records import Learner, WorkSummary
from app.storage.database import Database, add_once, insert
from app.storage.schema import (
    drafts,
    follow_up_answers,
    hint_reveals,
    learners,
    recovery_codes,
    reports,
    solution_reveals,
    submissions,
)
from app.storage.schema_classes import enrolments
from app.storage.schema_lti import lti_identities


def ensure(connection: Connection, learner: LearnerId, at: datetime) -> None:
    """Write the learner's row with their first write, and only then."""
    add_once(connection, learners, id=learner, created_at=at)


def hold(connection: Connection, learner: LearnerId) -> None:
    """Let no other transaction hold this learner until this one ends; they must have a row."""
    if connection.dialect.name != "sqlite":  # which has one writer at a time anyway
        row = select(learners.c.id).where(learners.c.id == learner)
        connection.execute(row.with_for_update(key_share=True))


class SqlLearners:
    """The port `Learners` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, learner: LearnerId) -> Learner:
        """The learner, or the one it was joined to; without a row `created_at` is None."""
        with self._database.glance() as connection:
            return _get(connection, learner)

    def rename(self, learner: LearnerId, name: str, at: datetime) -> None:
        """Set the name, "" for none."""
        with self._database.write() as connection:
            ensure(connection, learner, at)
            connection.execute(update(learners).where(learners.c.id == learner).values(name=name))

    def set_code(self, learner: LearnerId, code_hash: bytes, at: datetime) -> None:
        """Keep a recovery code's hash in place of an earlier one."""
        with self._database.write() as connection:
            ensure(connection, learner, at)
            row = insert(connection, recovery_codes).values(
                learner=learner, code_hash=code_hash, created_at=at
            )
            connection.execute(
                row.on_conflict_do_update(
                    index_elements=[recovery_codes.c.learner],
                    set_={"code_hash": code_hash, "created_at": at},
                )
            )

    def by_code(self, code_hash: bytes) -> LearnerId | None:
        """Whose code this is; a joined learner's code opens the one it was joined to."""
        query = select(recovery_codes.c.learner).where(recovery_codes.c.code_hash == code_hash)
        with self._database.read() as connection:
            found = connection.execute(query).scalar()
            return None if found is None else _get(connection, LearnerId(found)).id

    def use_code(self, code_hash: bytes, replacement: bytes, at: datetime) -> LearnerId | None:
        """Replace a code by the next; None where another use came first."""
        found = self.by_code(code_hash)
        with self._database.write() as connection:
            used = connection.execute(
                update(recovery_codes)
                .where(recovery_codes.c.code_hash == code_hash)
                .values(code_hash=replacement, created_at=at)
            )
        return found if used.rowcount == 1 else None

    def summary(self, learner: LearnerId) -> WorkSummary:
        """Counts and dates of a learner's work."""
        theirs = submissions.c.learner == learner
        counts = select(
            func.count().label("submissions"),
            func.min(submissions.c.created_at).label("first_at"),
            func.max(submissions.c.created_at).label("last_at"),
        ).where(theirs)
        passed = (
            select(func.count(submissions.c.exercise.distinct()))
            .join(reports)
            .where(theirs, reports.c.verdict == Verdict.ACCEPTED.value)
        )
        hints = select(func.count()).where(hint_reveals.c.learner == learner)
        with self._database.read() as connection:
            row = connection.execute(counts).one()
            return WorkSummary(
                learner,
                _get(connection, learner).name,
                submissions=row.submissions,
                passed=connection.execute(passed).scalar() or 0,
                hints=connection.execute(hints).scalar() or 0,
                first_at=row.first_at,
                last_at=row.last_at,
            )

    def join(self, gone: LearnerId, into: LearnerId, at: datetime) -> None:
        """Move all work of one learner to another; where both have the same, `into`'s stands.

        `gone` keeps its row, which says where its work went, for the devices that still carry it.
        """
        if gone == into:
            return
        with self._database.write() as connection:
            ensure(connection, gone, at)
            ensure(connection, into, at)
            _move_submissions(connection, gone, into)
            _move(connection, hint_reveals, gone, into, ("exercise", "number"))
            _move(connection, solution_reveals, gone, into, ("exercise",))
            _move(connection, follow_up_answers, gone, into, ("exercise", "number"))
            _move_drafts(connection, gone, into)
            _move(connection, enrolments, gone, into, ("class",), keep=True)
            connection.execute(
                update(lti_identities).where(lti_identities.c.learner == gone).values(learner=into)
            )
            _leave_word(connection, gone, into)


def now_carried_by(connection: Connection, learner: LearnerId) -> LearnerId:
    """Who has a learner's work now: the learner, or the one it was joined to."""
    return _get(connection, learner).id


_BY_ID = select(learners).where(learners.c.id == bindparam("learner"))


def _get(connection: Connection, learner: LearnerId) -> Learner:
    row = connection.execute(_BY_ID, {"learner": learner}).first()
    if row is not None and row.joined_to is not None:
        row = connection.execute(_BY_ID, {"learner": row.joined_to}).first()
    if row is None:
        return Learner(learner)
    return Learner(LearnerId(row.id), row.name, row.created_at)


def _move_submissions(connection: Connection, gone: LearnerId, into: LearnerId) -> None:
    """Keys were scoped to the learner that is gone; both may have used the same one."""
    connection.execute(
        update(submissions)
        .where(submissions.c.learner == gone)
        .values(learner=into, idempotency_key=null())
    )


def _move(
    connection: Connection,
    table: Table,
    gone: LearnerId,
    into: LearnerId,
    key: tuple[str, ...],
    *,
    keep: bool = False,
) -> None:
    """Move rows that `into` has no equal of; the others go, or stay with `keep`."""
    other = table.alias()
    same = and_(other.c.learner == into, *(other.c[name] == table.c[name] for name in key))
    connection.execute(
        update(table).where(table.c.learner == gone, ~exists().where(same)).values(learner=into)
    )
    if not keep:
        connection.execute(table.delete().where(table.c.learner == gone))


def _move_drafts(connection: Connection, gone: LearnerId, into: LearnerId) -> None:
    """No text is lost: each takes its version as device, for one device may have typed as both."""
    connection.execute(
        update(drafts).where(drafts.c.learner == gone).values(learner=into, device=drafts.c.version)
    )


def _leave_word(connection: Connection, gone: LearnerId, into: LearnerId) -> None:
    """One hop is always enough: what led to `gone` leads to `into` from now on."""
    name = select(learners.c.name).where(learners.c.id == gone).scalar_subquery()
    connection.execute(
        update(learners).where(learners.c.id == into, learners.c.name == "").values(name=name)
    )
    connection.execute(
        update(learners)
        .where((learners.c.id == gone) | (learners.c.joined_to == gone))
        .values(joined_to=into)
    )
