"""Courses of campuses, the links in them, and who is who."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select, update

from app.model import LearnerId
from app.model.campuses import Course, Identity, Link
from app.model.classes import AccountId, AssignmentId, Class, ClassId
from app.storage import database as kept
from app.storage.classes import add_class
from app.storage.database import Database
from app.storage.learners import ensure
from app.storage.schema_lti import lti_contexts, lti_identities, lti_links


class SqlCourses:
    """The port `Courses` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def see(self, course: Course) -> Course:
        """Keep what a launch says of a course; its class and last sync stay as they were."""
        same = (
            (lti_contexts.c.registration == course.registration)
            & (lti_contexts.c.deployment == course.deployment)
            & (lti_contexts.c.context == course.context)
        )
        said = {
            "title": course.title,
            "lineitems_url": course.lineitems_url,
            "nrps_url": course.nrps_url,
            "scopes": json.dumps(course.scopes),
        }
        with self._database.write() as connection:
            row = connection.execute(select(lti_contexts).where(same)).first()
            if row is None:
                values = {
                    "id": course.id,
                    "registration": course.registration,
                    "deployment": course.deployment,
                    "context": course.context,
                }
                connection.execute(insert(lti_contexts).values({**values, **said}))
            else:
                connection.execute(update(lti_contexts).where(same).values(said))
            found = connection.execute(select(lti_contexts).where(same)).one()
        return _course(found)

    def get(self, course: str) -> Course | None:
        """One course."""
        query = select(lti_contexts).where(lti_contexts.c.id == course)
        with self._database.read() as connection:
            row = connection.execute(query).first()
        return None if row is None else _course(row)

    def of_class(self, class_id: ClassId) -> Course | None:
        """The course that a class is connected to."""
        query = select(lti_contexts).where(lti_contexts.c["class"] == class_id)
        with self._database.read() as connection:
            row = connection.execute(query).first()
        return None if row is None else _course(row)

    def connected(self) -> tuple[Course, ...]:
        """All courses with a class."""
        query = select(lti_contexts).where(lti_contexts.c["class"].is_not(None))
        with self._database.read() as connection:
            return tuple(_course(row) for row in connection.execute(query))

    def connect(self, course: str, class_id: ClassId) -> bool:
        """Connect a course to a class, which lets go of any other course.

        False where the course has a class already; then nothing was written.
        """
        try:
            with self._database.write() as connection:
                connection.execute(
                    update(lti_contexts)
                    .where(lti_contexts.c["class"] == class_id, lti_contexts.c.id != course)
                    .values({"class": None})
                )
                _connect(connection, course, class_id)
        except _HasClass:
            return False
        return True

    def connect_new(self, course: str, made: Class, by: AccountId) -> bool:
        """Keep a new class with its first instructor, and connect a course to it, at one stroke.

        False where the course has a class already; then nothing was written.
        """
        try:
            with self._database.write() as connection:
                add_class(connection, made, by)
                _connect(connection, course, made.id)
        except _HasClass:
            return False
        return True

    def let_go(self, course: str) -> None:
        """End a course's connection to its class."""
        with self._database.write() as connection:
            connection.execute(
                update(lti_contexts).where(lti_contexts.c.id == course).values({"class": None})
            )

    def synced(self, course: str, at: datetime) -> None:
        """Its members were read whole."""
        with self._database.write() as connection:
            connection.execute(
                update(lti_contexts).where(lti_contexts.c.id == course).values(synced_at=at)
            )

    # -------------------------------------------------------------- links

    def link(self, course: str, resource_link: str) -> Link | None:
        """One link."""
        return next((one for one in self.links(course) if one.resource_link == resource_link), None)

    def links(self, course: str) -> tuple[Link, ...]:
        """The links of a course."""
        query = (
            select(lti_links)
            .where(lti_links.c.context == course)
            .order_by(lti_links.c.resource_link)
        )
        with self._database.read() as connection:
            rows = connection.execute(query).all()
        return tuple(
            Link(
                row.context,
                row.resource_link,
                None if row.assignment is None else AssignmentId(row.assignment),
                row.lineitem_url,
            )
            for row in rows
        )

    def save_link(self, link: Link) -> None:
        """Keep a link in place of an earlier one."""
        values = {"assignment": link.assignment, "lineitem_url": link.lineitem_url}
        with self._database.write() as connection:
            row = kept.insert(connection, lti_links).values(
                context=link.course, resource_link=link.resource_link, **values
            )
            key = [lti_links.c.context, lti_links.c.resource_link]
            connection.execute(row.on_conflict_do_update(index_elements=key, set_=values))

    # -------------------------------------------------------------- who is who

    def identity(self, registration: str, subject: str) -> Identity | None:
        """Who somebody is."""
        query = select(lti_identities).where(
            lti_identities.c.registration == registration, lti_identities.c.subject == subject
        )
        with self._database.read() as connection:
            row = connection.execute(query).first()
        if row is None:
            return None
        return Identity(
            row.registration,
            row.subject,
            None if row.learner is None else LearnerId(row.learner),
            None if row.account is None else AccountId(row.account),
        )

    def save_identity(self, identity: Identity, at: datetime) -> None:
        """Keep who somebody is; the learner's row is made where there is none.

        Whom another launch named a moment ago stays.
        """
        values = {"learner": identity.learner, "account": identity.account}
        with self._database.write() as connection:
            if identity.learner is not None:
                ensure(connection, identity.learner, at)
            row = kept.insert(connection, lti_identities).values(
                registration=identity.registration, subject=identity.subject, **values
            )
            key = [lti_identities.c.registration, lti_identities.c.subject]
            first = {
                name: func.coalesce(lti_identities.c[name], row.excluded[name]) for name in values
            }
            connection.execute(row.on_conflict_do_update(index_elements=key, set_=first))

    def subjects(self, registration: str) -> Mapping[LearnerId, str]:
        """What a campus calls each learner that came from it."""
        query = select(lti_identities.c.learner, lti_identities.c.subject).where(
            lti_identities.c.registration == registration, lti_identities.c.learner.is_not(None)
        )
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(lti_identities.c.subject)).all()
        return {LearnerId(row.learner): row.subject for row in rows}


class _HasClass(Exception):
    """Nothing of the transaction stays: the course has a class already."""


def _connect(connection: Connection, course: str, class_id: ClassId) -> None:
    """Raises _HasClass; of two who connect a course at once, the database lets one."""
    connected = connection.execute(
        update(lti_contexts)
        .where(lti_contexts.c.id == course, lti_contexts.c["class"].is_(None))
        .values({"class": class_id})
        .execution_options(preserve_rowcount=True)
    )
    if connected.rowcount != 1:
        raise _HasClass


def _course(row: Row[Any]) -> Course:
    found = row._mapping
    return Course(
        row.id,
        row.registration,
        row.deployment,
        row.context,
        row.title,
        None if found["class"] is None else ClassId(found["class"]),
        row.lineitems_url,
        row.nrps_url,
        tuple(json.loads(row.scopes)),
        row.synced_at,
    )
