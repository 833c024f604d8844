"""Connections to PostgreSQL, where each question is a trip to the server.

One that lay in the pool is looked at when it is taken out, not asked: a connection that the server
has ended says so at the socket. Only where something came is the server asked.
"""

from __future__ import annotations

from typing import Protocol

from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import InvalidatePoolError

from app.sockets import is_quiet
from app.storage.away import connecting

WAIT_S = 60
_READS = "-cdefault_transaction_read_only=on"


class _DriverConnection(DBAPIConnection, Protocol):
    closed: bool

    def fileno(self) -> int: ...


def postgres_engine(url: URL, size: int, *, read_only: bool) -> Engine:
    """A pool of connections; of one that only reads, each statement stands for itself."""
    options = url.query.get("options", "")
    given = options if isinstance(options, str) else " ".join(options)
    engine = create_engine(
        url,
        pool_size=size,
        max_overflow=0,  # so that a host can count them: docs/hosting.md
        pool_timeout=WAIT_S,
        connect_args=connecting(f"{given} {_READS}" if read_only else given),
        **({"isolation_level": "AUTOCOMMIT"} if read_only else {}),
    )
    _look_when_taken_out(engine)
    return engine


def one_view(engine: Engine) -> Engine:
    """Each transaction sees the database as it was when it began, and cannot change it."""
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def _look_when_taken_out(engine: Engine) -> None:
    """Replace connections that were ended while they lay in the pool, all of them at once."""

    @event.listens_for(engine, "checkout")
    def _taken(connection: _DriverConnection, _record: object, _taken_out: object) -> None:
        if not _stands(engine, connection):
            raise InvalidatePoolError


def _stands(engine: Engine, connection: _DriverConnection) -> bool:
    if connection.closed:
        return False
    if is_quiet(connection.fileno()):
        return True
    try:
        return engine.dialect.do_ping(connection)
    except engine.dialect.loaded_dbapi.Error:
        return False
