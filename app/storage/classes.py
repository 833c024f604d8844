"""Classes and who teaches them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from app.model.classes import AccountId, Class, ClassId, Staff
from app.ports.classes import Taken
from app.storage.database import Database
from app.storage.database import insert as upsert
from app.storage.schema_classes import accounts, class_staff, classes


class SqlClasses:
    """The port `Classes` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, made: Class, by: AccountId) -> None:
        """Keep a class with its first instructor. Raises Taken where its code is in use."""
        try:
            with self._database.write() as connection:
                add_class(connection, made, by)
        except IntegrityError as error:
            raise Taken(made.join_code) from error

    def save(self, made: Class) -> None:
        """Change a class. Raises Taken where its code is in use."""
        try:
            with self._database.write() as connection:
                connection.execute(
                    update(classes).where(classes.c.id == made.id).values(**_values(made))
                )
        except IntegrityError as error:
            raise Taken(made.join_code) from error

    def get(self, class_id: ClassId) -> Class | None:
        """One class."""
        with self._database.read() as connection:
            row = connection.execute(select(classes).where(classes.c.id == class_id)).first()
        return None if row is None else a_class(row)

    def by_code(self, code: str) -> Class | None:
        """The class of a join code, however old the code is."""
        with self._database.read() as connection:
            row = connection.execute(select(classes).where(classes.c.join_code == code)).first()
        return None if row is None else a_class(row)

    def all(self) -> tuple[Class, ...]:
        """All classes, newest first."""
        with self._database.read() as connection:
            rows = connection.execute(select(classes).order_by(classes.c.id.desc()))
            return tuple(a_class(row) for row in rows)

    def staff(self, class_id: ClassId) -> tuple[Staff, ...]:
        """Who teaches it, with their names, instructors first."""
        query = (
            select(class_staff, accounts.c.name)
            .join(accounts, accounts.c.id == class_staff.c.account)
            .where(class_staff.c["class"] == class_id)
            .order_by(class_staff.c.role.desc(), accounts.c.name, accounts.c.id)
        )
        with self._database.read() as connection:
            return tuple(_staff(row) for row in connection.execute(query))

    def taught_by(self, account: AccountId) -> tuple[tuple[Class, Staff], ...]:
        """The classes of an account, newest first."""
        query = (
            select(
                classes,
                class_staff.c.role,
                class_staff.c.added_at,
                class_staff.c.account,
                class_staff.c["class"],
                accounts.c.name,
            )
            .join(class_staff, class_staff.c["class"] == classes.c.id)
            .join(accounts, accounts.c.id == class_staff.c.account)
            .where(class_staff.c.account == account)
            .order_by(classes.c.id.desc())
        )
        with self._database.read() as connection:
            rows = connection.execute(query).all()
        return tuple((a_class(row), _staff(row)) for row in rows)

    def set_staff(self, staff: Staff) -> bool:
        """Add or change somebody's part; false where the last instructor would go."""
        with self._database.write() as connection:
            if staff.role != "instructor" and _is_last(connection, staff.class_id, staff.account):
                return False
            row = upsert(connection, class_staff).values(
                {
                    "class": staff.class_id,
                    "account": staff.account,
                    "role": staff.role,
                    "added_at": staff.added_at,
                }
            )
            key = [class_staff.c["class"], class_staff.c.account]
            connection.execute(
                row.on_conflict_do_update(index_elements=key, set_={"role": staff.role})
            )
        return True

    def remove_staff(self, class_id: ClassId, account: AccountId) -> bool:
        """End somebody's part; false where it is the last instructor's."""
        with self._database.write() as connection:
            if _is_last(connection, class_id, account):
                return False
            connection.execute(
                delete(class_staff).where(
                    class_staff.c["class"] == class_id, class_staff.c.account == account
                )
            )
        return True


def add_class(connection: Connection, made: Class, by: AccountId) -> None:
    """Write a class and its first instructor, inside whatever else is written with them."""
    connection.execute(insert(classes).values(id=made.id, **_values(made)))
    connection.execute(
        insert(class_staff).values(
            {"class": made.id, "account": by, "role": "instructor", "added_at": made.made_at}
        )
    )


def _is_last(connection: Connection, class_id: ClassId, account: AccountId) -> bool:
    """Whether no one would be left to teach the class without this instructor."""
    teaches = (class_staff.c["class"] == class_id, class_staff.c.role == "instructor")
    mine = select(func.count()).where(*teaches, class_staff.c.account == account)
    others = select(func.count()).where(*teaches, class_staff.c.account != account)
    found = connection.execute(mine).scalar(), connection.execute(others).scalar()
    return found == (1, 0)


def _values(made: Class) -> dict[str, object]:
    return {
        "title": made.title,
        "term": made.term,
        "zone": made.zone,
        "join_code": made.join_code,
        "join_until": made.join_until,
        "join_by": made.join_by,
        "retention_days": made.retention_days,
        "made_at": made.made_at,
        "archived_at": made.archived_at,
    }


def a_class(row: Row[Any]) -> Class:
    """A row of `classes`, as the core knows it."""
    return Class(
        ClassId(row.id),
        row.title,
        row.zone,
        row.made_at,
        row.term,
        row.join_code,
        row.join_until,
        row.join_by,
        row.retention_days,
        row.archived_at,
    )


def _staff(row: Row[Any]) -> Staff:
    found = row._mapping
    return Staff(
        ClassId(found["class"]), AccountId(row.account), row.role, row.added_at, found["name"]
    )
