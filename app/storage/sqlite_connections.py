"""How connections to an SQLite file are opened, and what their transactions wait for."""

from __future__ import annotations

from typing import Protocol

from sqlalchemy import Connection, Engine, FromClause, event
from sqlalchemy.dialects.sqlite.base import SQLiteCompiler

BUSY_MS = 10_000
CACHE_KIB = 256
"""Of each reader: eight of them would keep 16 MiB of the same pages."""


class _Hinting(SQLiteCompiler):
    """Lets `with_hint` say which index is read; SQLAlchemy leaves that out for SQLite."""

    def get_from_hint_text(self, table: FromClause, text: str | None) -> str | None:
        return text


class _DbapiCursor(Protocol):
    def execute(self, statement: str) -> object: ...
    def close(self) -> None: ...


class _DbapiConnection(Protocol):
    isolation_level: str | None

    def cursor(self) -> _DbapiCursor: ...


def synchronous(connection: Connection, level: str) -> None:
    """Set how long commits of a connection wait; SQLite takes that outside transactions only."""
    cursor = connection.connection.cursor()
    cursor.execute(f"PRAGMA synchronous={level}")
    cursor.close()


def prepare(engine: Engine, *, read_only: bool) -> None:
    """Open each connection durable and honest, and begin transactions where we say so."""
    engine.dialect.statement_compiler = _Hinting

    @event.listens_for(engine, "connect")
    def _opened(connection: _DbapiConnection, _record: object) -> None:
        connection.isolation_level = None  # or sqlite3 would begin and commit as it thinks fit
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout={BUSY_MS}")
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")  # NORMAL may lose the last commits with the power
        cursor.execute("PRAGMA foreign_keys=ON")
        if read_only:
            cursor.execute("PRAGMA query_only=ON")
            cursor.execute(f"PRAGMA cache_size=-{CACHE_KIB}")  # the kernel keeps the file anyway
        cursor.close()

    # A transaction that reads first and writes later would fail at once where another writer came
    # between (SQLITE_BUSY_SNAPSHOT waits for nothing), so a writer takes the lock when it begins.
    begin = "BEGIN" if read_only else "BEGIN IMMEDIATE"

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:
        connection.exec_driver_sql(begin)
