"""Connections: exactly one that writes, and a pool of read-only ones beside it.

SQLite's lock wait is an unfair sleep: with several writing connections one of them may wait for
seconds although nothing is broken. So all writes of this process go through one connection, one
after another; a command beside a running server waits for the file's lock by busy_timeout.

PostgreSQL lets writers work side by side, in any number of processes. What was written for one
writer at a time (`write`) takes a lock there that makes it one; what holds its own beside others
(`write_beside`) shares that lock, so that it waits for the former and never for its like.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import URL, Connection, Engine, Insert, Table, create_engine, make_url
from sqlalchemy.dialects import sqlite
from sqlalchemy.pool import QueuePool

from app.storage.away import telling_away, telling_disk
from app.storage.postgres import one_view, postgres_engine
from app.storage.sqlite_connections import prepare, synchronous
from app.storage.written_log import WrittenLog

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql

READERS = 8
WRITERS = 8
"""On PostgreSQL; SQLite has one."""

WRITING = 0x6D6C_6772
"""The advisory lock of PostgreSQL that writers hold, alone or together."""

NOT_FOR_THE_DISK = "set_config('synchronous_commit', 'off', true)"
"""What a transaction that may be undone by a power cut says first."""

NO_DRIVER = (
    "A PostgreSQL database needs its driver, which is not installed. In a checkout run "
    '`make setup`; elsewhere install it with the package: pip install "mlgrind[postgres]".'
)


class NoDatabase(Exception):
    """The database cannot be used; the text says why, and what to do."""


class DriverMissing(NoDatabase):
    """The library that speaks to PostgreSQL is not installed; the text says what to do."""


class Database:
    """The connections to one database; safe to use from several threads."""

    def __init__(self, url: str) -> None:
        """Prepare the connections to `url` (sqlite or postgresql); nothing is opened yet.

        Raises DriverMissing where PostgreSQL's driver is not installed, ValueError for SQLite's
        memory.
        """
        self.url = _with_driver(make_url(url))
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        if self.is_sqlite and self.url.database in (None, "", ":memory:"):
            raise ValueError("the database is a file: readers and the writer have to share it")
        try:
            self._writer = self._engine(1 if self.is_sqlite else WRITERS, read_only=False)
            self._glances = self._engine(READERS, read_only=True)
            self._readers = self._glances if self.is_sqlite else one_view(self._glances)
            self._log = None if self.path is None else WrittenLog(Path(f"{self.path}-wal"))
        except ModuleNotFoundError as error:
            raise DriverMissing(NO_DRIVER) from error

    @property
    def path(self) -> Path | None:
        """The SQLite file, or None."""
        return Path(self.url.database) if self.is_sqlite and self.url.database else None

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction that is durable when the block ends, and undone when it raises.

        No other transaction writes meanwhile.
        """
        with telling_away(self.is_sqlite), self._writer.begin() as connection:
            self._lock(connection, "pg_advisory_xact_lock")
            yield connection

    @contextmanager
    def write_beside(self) -> Iterator[Connection]:
        """The same, but on PostgreSQL others of this kind may write at the same time.

        Each statement sees what they have committed by then.
        """
        with telling_away(self.is_sqlite), self._writer.begin() as connection:
            self._lock(connection, "pg_advisory_xact_lock_shared")
            yield connection

    @contextmanager
    def write_unlocked(self) -> Iterator[Connection]:
        """The same for a transaction whose first statement takes the writers' lock."""
        with telling_away(self.is_sqlite), self._writer.begin() as connection:
            yield connection

    @contextmanager
    def write_to_settle(self) -> Iterator[Connection]:
        """As `write_beside`, but on SQLite it is safe from a power cut once `settle` returns."""
        with telling_away(self.is_sqlite), self._without_waiting() as connection:
            self._lock(connection, "pg_advisory_xact_lock_shared")
            yield connection

    def settle(self) -> None:
        """Wait until the disk has all that was committed before the call. Raises StoreAway."""
        if self._log is not None:
            with telling_disk():
                self._log.settle()

    @contextmanager
    def write_what_can_be_made_again(self) -> Iterator[Connection]:
        """As `write_beside`, but a power cut may undo it: this does not wait for the disk.

        The end of the process, however it comes, undoes nothing; nor does anything get out of step,
        since what is written later is never kept without it.
        """
        with telling_away(self.is_sqlite), self._without_waiting() as connection:
            self._lock(connection, f"{NOT_FOR_THE_DISK}, pg_advisory_xact_lock_shared")
            yield connection

    @contextmanager
    def _without_waiting(self) -> Iterator[Connection]:
        """A transaction whose end SQLite does not have the disk wait for."""
        with self._writer.connect() as connection:
            if self.is_sqlite:
                synchronous(connection, "NORMAL")
            try:
                with connection.begin():
                    yield connection
            finally:
                if self.is_sqlite:
                    synchronous(connection, "FULL")

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A consistent view of the database that cannot change it."""
        with telling_away(self.is_sqlite, writes=False), self._readers.connect() as connection:
            yield connection

    @contextmanager
    def glance(self) -> Iterator[Connection]:
        """A connection to read by a single statement, or by several that need not agree.

        PostgreSQL begins and ends no transaction for it: one trip to the server, and not three.
        """
        with telling_away(self.is_sqlite, writes=False), self._glances.connect() as connection:
            yield connection

    def outside_transactions(self) -> Connection:
        """A connection that each statement is a transaction of; the caller closes it."""
        return self._writer.connect().execution_options(isolation_level="AUTOCOMMIT")

    def close(self) -> None:
        """Close every connection; the last one folds SQLite's log into its file."""
        self._readers.dispose()
        self._writer.dispose()

    def _lock(self, connection: Connection, how: str) -> None:
        """On PostgreSQL, take the writers' lock until the transaction ends."""
        if not self.is_sqlite:
            connection.exec_driver_sql(f"SELECT {how}({WRITING})")

    def _engine(self, size: int, *, read_only: bool) -> Engine:
        if not self.is_sqlite:
            return postgres_engine(self.url, size, read_only=read_only)
        engine = create_engine(
            self.url, poolclass=QueuePool, pool_size=size, max_overflow=0, pool_timeout=60
        )
        prepare(engine, read_only=read_only)
        return engine


def _with_driver(url: URL) -> URL:
    """`postgresql://…` says no driver; ours is psycopg 3."""
    return url.set(drivername="postgresql+psycopg") if url.drivername == "postgresql" else url


def shown(url: str) -> str:
    """The address of a database without its password."""
    return make_url(url).render_as_string(hide_password=True)


def add_once(connection: Connection, table: Table, **values: object) -> bool:
    """Insert a row unless one of its key is there; whether it was inserted.

    Raises IntegrityError where the row speaks of another that is not there.
    """
    return connection.execute(_unless_there(connection.dialect.name, table), values).rowcount == 1


@lru_cache
def _unless_there(dialect: str, table: Table) -> Insert:
    """The statement, made once: making it takes longer than SQLite takes to execute it.

    psycopg forgets how many rows were inserted unless it is told to keep the number.
    """
    made = _insert(dialect, table).on_conflict_do_nothing()
    return made.execution_options(preserve_rowcount=True)


def insert(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """An INSERT that knows ON CONFLICT in the words of the connection's database."""
    return _insert(connection.dialect.name, table)


def _insert(dialect: str, table: Table) -> sqlite.Insert | postgresql.Insert:
    if dialect == "sqlite":
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql  # a tenth of a second that SQLite need not wait for

    return postgresql.insert(table)
