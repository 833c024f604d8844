"""What staff did. Lines are added here, never changed, and deleted only when they are old."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import Select, delete, func, insert, select

from app.model.bounds import AUDIT_OF_CLASS
from app.model.classes import AuditEntry, ClassId
from app.storage.database import Database
from app.storage.schema_classes import audit


class SqlAudit:
    """The port `Audit` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, entry: AuditEntry) -> None:
        """Keep a line."""
        with self._database.write() as connection:
            connection.execute(
                insert(audit).values(
                    {
                        "id": entry.id,
                        "at": entry.at,
                        "actor": entry.actor,
                        "class": entry.class_id,
                        "action": entry.action,
                        "object": entry.object,
                        "detail": entry.detail,
                    }
                )
            )

    def of_class(self, class_id: ClassId, most: int = 200) -> tuple[AuditEntry, ...]:
        """A class's lines, newest first."""
        return self._read(select(audit).where(audit.c["class"] == class_id), most)

    def of_object(self, names: Iterable[str], most: int = 200) -> tuple[AuditEntry, ...]:
        """Lines about certain things, newest first."""
        return self._read(select(audit).where(audit.c.object.in_(tuple(names))), most)

    def forget_before(self, at: datetime) -> int:
        """Delete the lines from before a moment; how many. Of too many in a class the oldest go."""
        with self._database.write() as connection:
            gone = connection.execute(
                delete(audit).where(audit.c.at < at).execution_options(preserve_rowcount=True)
            )
            full = select(audit.c["class"]).group_by(audit.c["class"])
            for (name,) in connection.execute(full.having(func.count() > AUDIT_OF_CLASS)).all():
                whose = audit.c["class"].is_(None) if name is None else audit.c["class"] == name
                newest = select(audit.c.id).where(whose).order_by(audit.c.id.desc())
                last = newest.offset(AUDIT_OF_CLASS).limit(1).scalar_subquery()
                connection.execute(delete(audit).where(whose, audit.c.id <= last))
        return gone.rowcount

    def _read(self, query: Select[Any], most: int) -> tuple[AuditEntry, ...]:
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(audit.c.id.desc()).limit(most)).all()
        return tuple(
            AuditEntry(
                row.id,
                row.at,
                row.actor,
                row.action,
                row.object,
                row.detail,
                None if row._mapping["class"] is None else ClassId(row._mapping["class"]),
            )
            for row in rows
        )
