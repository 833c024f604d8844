"""Assignments, extensions and overrides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from sqlalchemy import Row, Select, bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from app.model import LearnerId, Slug
from app.model.classes import (
    AccountId,
    Assignment,
    AssignmentId,
    ClassId,
    Enrolment,
    EnrolmentId,
    Extension,
    Override,
    Policy,
)
from app.ports.classes import Taken
from app.storage.database import Database
from app.storage.database import insert as upsert
from app.storage.enrolments import an_enrolment
from app.storage.schema_classes import assignments, classes, enrolments, extensions, overrides

POLICY = tuple(field.name for field in fields(Policy))
_OWN = select(overrides).where(overrides.c.enrolment.in_(bindparam("who", expanding=True)))


class SqlAssignments:
    """The port `Assignments` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, assignment: Assignment) -> None:
        """Give an exercise. Raises Taken where the class has it already."""
        try:
            with self._database.write() as connection:
                values = {"id": assignment.id, **_values(assignment)}
                connection.execute(insert(assignments).values(values))
        except IntegrityError as error:
            raise Taken(assignment.exercise) from error

    def save(self, assignment: Assignment) -> None:
        """Change an assignment, or remove it by `removed_at`."""
        with self._database.write() as connection:
            connection.execute(
                update(assignments)
                .where(assignments.c.id == assignment.id)
                .values(_values(assignment))
            )

    def get(self, assignment: AssignmentId) -> Assignment | None:
        """One assignment, a removed one too."""
        with self._database.read() as connection:
            query = select(assignments).where(assignments.c.id == assignment)
            row = connection.execute(query).first()
        return None if row is None else _assignment(row)

    def of_class(self, class_id: ClassId) -> tuple[Assignment, ...]:
        """A class's assignments by position, without removed ones."""
        query = select(assignments).where(
            assignments.c["class"] == class_id, assignments.c.removed_at.is_(None)
        )
        return self._all(query)

    def on_exercise(self, exercise: Slug) -> tuple[Assignment, ...]:
        """The assignments of running classes on an exercise."""
        return self._all(_running().where(assignments.c.exercise == exercise))

    def reserved(self) -> tuple[Assignment, ...]:
        """The assignments of running classes that keep their exercise to themselves."""
        return self._all(_running().where(assignments.c.reserved))

    def _all(self, query: Select[Any]) -> tuple[Assignment, ...]:
        ordered = query.order_by(assignments.c.position, assignments.c.id)
        with self._database.glance() as connection:
            return tuple(_assignment(row) for row in connection.execute(ordered))

    def of_learner(
        self, learner: LearnerId
    ) -> tuple[tuple[Assignment, Enrolment, Extension | None], ...]:
        """What a learner has to do in running classes; preview seats too."""
        people = select(enrolments).where(
            enrolments.c.learner == learner, enrolments.c.state.in_(("active", "preview"))
        )
        with self._database.read() as connection:
            mine = [an_enrolment(row) for row in connection.execute(people)]
            if not mine:
                return ()
            given = [
                _assignment(row)
                for row in connection.execute(
                    _running()
                    .where(assignments.c["class"].in_([e.class_id for e in mine]))
                    .order_by(assignments.c.due_at, assignments.c.position)
                )
            ]
            more = {
                (row.assignment, row.enrolment): _extension(row)
                for row in connection.execute(
                    select(extensions).where(extensions.c.enrolment.in_([e.id for e in mine]))
                )
            }
        of = {enrolment.class_id: enrolment for enrolment in mine}
        return tuple(
            (one, of[one.class_id], more.get((one.id, of[one.class_id].id))) for one in given
        )

    def extend(self, extension: Extension) -> None:
        """Keep an extension in place of an earlier one."""
        kept = {
            "due_at": extension.due_at,
            "closes_at": extension.closes_at,
            "attempts": extension.attempts,
            "excused": extension.excused,
            "note": extension.note,
            "by": extension.by,
            "at": extension.at,
        }
        self._set(extensions, extension.assignment, extension.enrolment, kept)

    def take_back(self, assignment: AssignmentId, enrolment: EnrolmentId) -> None:
        """Forget an extension."""
        with self._database.write() as connection:
            connection.execute(
                delete(extensions).where(
                    extensions.c.assignment == assignment, extensions.c.enrolment == enrolment
                )
            )

    def extensions(self, class_id: ClassId) -> tuple[Extension, ...]:
        """All extensions in a class."""
        query = select(extensions).join(enrolments).where(enrolments.c["class"] == class_id)
        with self._database.read() as connection:
            return tuple(_extension(row) for row in connection.execute(query))

    def override(self, override: Override) -> None:
        """Keep an override in place of an earlier one."""
        kept = {
            "points": override.points,
            "held": override.held,
            "reason": override.reason,
            "note": override.note,
            "by": override.by,
            "at": override.at,
        }
        self._set(overrides, override.assignment, override.enrolment, kept)

    def overrides(self, class_id: ClassId) -> tuple[Override, ...]:
        """All overrides in a class."""
        query = select(overrides).join(enrolments).where(enrolments.c["class"] == class_id)
        with self._database.read() as connection:
            return tuple(_override(row) for row in connection.execute(query))

    def overrides_of(self, enrolments: Sequence[EnrolmentId]) -> tuple[Override, ...]:
        """Those of some people, of whichever classes."""
        with self._database.glance() as connection:
            rows = connection.execute(_OWN, {"who": list(enrolments)})
            return tuple(_override(row) for row in rows)

    def _set(
        self,
        table: Any,
        assignment: AssignmentId,
        enrolment: EnrolmentId,
        kept: Mapping[str, object],
    ) -> None:
        with self._database.write() as connection:
            row = upsert(connection, table).values(
                {"assignment": assignment, "enrolment": enrolment, **kept}
            )
            key = [table.c.assignment, table.c.enrolment]
            connection.execute(row.on_conflict_do_update(index_elements=key, set_=dict(kept)))


def _running() -> Select[Any]:
    """Assignments that are not removed, of classes that are not archived."""
    return (
        select(assignments)
        .join(classes, classes.c.id == assignments.c["class"])
        .where(assignments.c.removed_at.is_(None), classes.c.archived_at.is_(None))
    )


def _values(assignment: Assignment) -> dict[str, object]:
    return {
        "class": assignment.class_id,
        "exercise": assignment.exercise,
        "title": assignment.title,
        "position": assignment.position,
        "made_at": assignment.made_at,
        "removed_at": assignment.removed_at,
        **{name: getattr(assignment.policy, name) for name in POLICY},
    }


def _assignment(row: Row[Any]) -> Assignment:
    found = row._mapping
    policy = Policy(**{name: found[name] for name in POLICY})
    return Assignment(
        AssignmentId(row.id),
        ClassId(found["class"]),
        Slug(row.exercise),
        row.title,
        row.position,
        policy,
        row.made_at,
        row.removed_at,
    )


def _by(row: Row[Any]) -> AccountId | None:
    return None if row.by is None else AccountId(row.by)


def _extension(row: Row[Any]) -> Extension:
    return Extension(
        AssignmentId(row.assignment),
        EnrolmentId(row.enrolment),
        _by(row),
        row.at,
        row.due_at,
        row.closes_at,
        row.attempts,
        bool(row.excused),
        row.note,
    )


def _override(row: Row[Any]) -> Override:
    return Override(
        AssignmentId(row.assignment),
        EnrolmentId(row.enrolment),
        _by(row),
        row.at,
        row.points,
        bool(row.held),
        row.reason,
        row.note,
    )
