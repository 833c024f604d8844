"""Which one of several processes does what is to be done once: send scores, regrade, forget.

On PostgreSQL the one whose connection holds a lock; it ends with the connection, and another takes
over. On SQLite there is one server anyway.
"""

from __future__ import annotations

import threading

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from app.storage.database import Database

CHORES = 0x6D6C_6368


class Alone:
    """Asked before each piece of such work; safe to use from several threads."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._held: Connection | None = None
        self._lock = threading.Lock()

    def holds(self) -> bool:
        """Whether this process is the one; it tries to be where none is."""
        if self._database.is_sqlite:
            return True
        with self._lock:
            if self._held is not None and self._still(self._held):
                return True
            self._let_go()
            return self._take()

    def close(self) -> None:
        """Let another be the one."""
        with self._lock:
            self._let_go()

    def _take(self) -> bool:
        connection: Connection | None = None
        try:
            connection = self._database.outside_transactions()
            found = connection.exec_driver_sql(f"SELECT pg_try_advisory_lock({CHORES})").scalar()
        except SQLAlchemyError:
            found = False
        if found:
            self._held = connection
        elif connection is not None:
            connection.close()
        return bool(found)

    def _still(self, connection: Connection) -> bool:
        try:
            return connection.exec_driver_sql("SELECT 1").scalar() == 1
        except SQLAlchemyError:
            return False

    def _let_go(self) -> None:
        if self._held is not None:
            self._held.invalidate()  # not back into the pool: the lock is the connection's
            self._held.close()
            self._held = None
