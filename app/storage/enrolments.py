"""The people of classes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Connection,
    Row,
    and_,
    bindparam,
    delete,
    exists,
    insert,
    null,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from app.model import LearnerId
from app.model.classes import ClassId, Enrolment, EnrolmentId
from app.ports.classes import Taken
from app.storage.database import Database
from app.storage.learners import ensure
from app.storage.schema_classes import enrolments, extensions, overrides

_MINE = select(enrolments).where(enrolments.c.learner == bindparam("who")).order_by(enrolments.c.id)


class SqlEnrolments:
    """The port `Enrolments` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, enrolment: Enrolment) -> None:
        """Enrol somebody. Raises Taken where learner or student id is in the class already."""
        self.apply([enrolment], [])

    def save(self, enrolment: Enrolment) -> None:
        """Change an enrolment, all but its seat. Raises Taken."""
        self.apply([], [enrolment])

    def apply(self, new: Sequence[Enrolment], changed: Sequence[Enrolment]) -> None:
        """A roster's changes, all or none. Raises Taken."""
        try:
            with self._database.write() as connection:
                for enrolment in new:
                    if enrolment.learner is not None and enrolment.joined_at is not None:
                        ensure(connection, enrolment.learner, enrolment.joined_at)
                    values = {"id": enrolment.id, **_values(enrolment)}
                    connection.execute(insert(enrolments).values(values))
                for enrolment in changed:
                    _save(connection, enrolment)
        except IntegrityError as error:
            raise Taken from error

    def get(self, enrolment: EnrolmentId) -> Enrolment | None:
        """One enrolment."""
        with self._database.read() as connection:
            row = connection.execute(select(enrolments).where(enrolments.c.id == enrolment)).first()
        return None if row is None else an_enrolment(row)

    def of_class(self, class_id: ClassId) -> tuple[Enrolment, ...]:
        """Everybody in a class, removed ones too; those merged into another are left out."""
        query = select(enrolments).where(
            enrolments.c["class"] == class_id, enrolments.c.merged_into.is_(None)
        )
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(enrolments.c.id)).all()
        return tuple(an_enrolment(row) for row in rows)

    def of_learner(self, learner: LearnerId) -> tuple[Enrolment, ...]:
        """A learner's enrolments in all classes."""
        with self._database.glance() as connection:
            return tuple(an_enrolment(row) for row in connection.execute(_MINE, {"who": learner}))

    def set_seat(self, enrolment: EnrolmentId, seat_hash: bytes | None, until: datetime) -> None:
        """Keep a seat code's hash in place of an earlier one."""
        with self._database.write() as connection:
            connection.execute(
                update(enrolments)
                .where(enrolments.c.id == enrolment)
                .values(seat_hash=seat_hash, seat_until=until)
            )

    def by_seat(self, seat_hash: bytes) -> Enrolment | None:
        """Whose seat code this is, also where it is too old."""
        query = select(enrolments).where(enrolments.c.seat_hash == seat_hash)
        with self._database.read() as connection:
            row = connection.execute(query).first()
        return None if row is None else an_enrolment(row)

    def take_seat(self, seat_hash: bytes, learner: LearnerId, at: datetime) -> Enrolment | None:
        """Use a seat code up: the enrolment becomes the learner's, who had none in the class.

        None where the code is used, too old or of somebody removed. Raises Taken where the learner
        has a seat in the class already.
        """
        good = and_(
            enrolments.c.seat_hash == seat_hash,
            enrolments.c.seat_until > at,
            enrolments.c.state.in_(("invited", "active")),
        )
        try:
            with self._database.write() as connection:
                row = connection.execute(select(enrolments).where(good)).first()
                if row is None:
                    return None
                ensure(connection, learner, at)
                connection.execute(
                    update(enrolments)
                    .where(enrolments.c.id == row.id)
                    .values(
                        learner=learner,
                        state="active",
                        seat_until=at,  # used up; a second use is known for what it is
                        joined_at=row.joined_at or at,
                    )
                )
        except IntegrityError as error:
            raise Taken from error
        return self.get(EnrolmentId(row.id))

    def merge(self, gone: EnrolmentId, into: Enrolment, at: datetime) -> None:
        """One person was in twice: extensions and overrides go over, `into` is saved as given."""
        with self._database.write() as connection:
            for table in (extensions, overrides):
                move_terms(connection, table, gone, into.id)
            blank = {
                "learner": null(),
                "student_id": null(),
                "campus_login": null(),
                "seat_hash": null(),
                "state": "removed",
                "removed_at": at,
                "merged_into": into.id,
            }
            connection.execute(update(enrolments).where(enrolments.c.id == gone).values(**blank))
            _save(connection, into)


def move_terms(connection: Connection, table: Any, gone: str, into: str) -> None:
    """What holds for one enrolment goes to another, unless that one has its own."""
    other = table.alias()
    same = and_(other.c.enrolment == into, other.c.assignment == table.c.assignment)
    connection.execute(
        update(table).where(table.c.enrolment == gone, ~exists().where(same)).values(enrolment=into)
    )
    connection.execute(delete(table).where(table.c.enrolment == gone))


def _save(connection: Connection, enrolment: Enrolment) -> None:
    connection.execute(
        update(enrolments).where(enrolments.c.id == enrolment.id).values(_values(enrolment))
    )


def _values(enrolment: Enrolment) -> dict[str, object]:
    return {
        "class": enrolment.class_id,
        "learner": enrolment.learner,
        "name": enrolment.name,
        "sort_name": enrolment.sort_name,
        "student_id": enrolment.student_id,
        "campus_login": enrolment.campus_login,
        "section": enrolment.section,
        "state": enrolment.state,
        "joined_at": enrolment.joined_at,
        "removed_at": enrolment.removed_at,
        "merged_into": enrolment.merged_into,
    }


def an_enrolment(row: Row[Any]) -> Enrolment:
    """A row of `enrolments`, as the core knows it."""
    return Enrolment(
        EnrolmentId(row.id),
        ClassId(row._mapping["class"]),
        row.name,
        row.sort_name,
        None if row.learner is None else LearnerId(row.learner),
        row.student_id,
        row.campus_login,
        row.section,
        row.state,
        row.joined_at,
        row.removed_at,
        None if row.merged_into is None else EnrolmentId(row.merged_into),
        row.seat_until if row.seat_hash is not None else None,
    )
