"""A database that cannot be reached, or whose disk is full, told from every other fault."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import (
    DBAPIError,
    InterfaceError,
    InternalError,
    OperationalError,
    TimeoutError,
)

from app.ports import StoreAway

STEADY = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""A PostgreSQL connection whose other side is gone ends within seconds, and not within hours."""

SERVER_STEADY = " ".join(
    (
        "-ctcp_keepalives_idle=5",
        "-ctcp_keepalives_interval=2",
        "-ctcp_keepalives_count=3",
        "-ctcp_user_timeout=10000",
    )
)
"""The same for the server's end: what a machine that vanished had locked is free again."""


def connecting(options: str) -> dict[str, str | int]:
    """How to connect to PostgreSQL, with the host's own `options` among ours."""
    # Or a server of another encoding answers in bytes.
    spoken = f"{options} {SERVER_STEADY}".strip()
    return {"client_encoding": "utf8", **STEADY, "options": spoken}


_DISK_FULL = "53100"
_READ_ONLY = "25006"
"""What PostgreSQL calls a full disk, and a server that follows another one and can't write."""


_FILE_AWAY = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_BUSY,  # somebody else has held the file's lock for too long
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
}
"""What SQLite says of a disk and of a lock, by its primary result codes."""


@contextmanager
def telling_away(is_sqlite: bool, *, writes: bool = True) -> Iterator[None]:
    """Raise StoreAway in place of what the driver says of a server, a disk or a lock.

    A reader that tries to write (`writes` is false) is a fault of ours and stays one.
    """
    try:
        yield
    except TimeoutError as error:  # every connection was in use for too long
        raise StoreAway(_first_line(error)) from error
    except (OperationalError, InterfaceError, InternalError) as error:
        full = _of_a_file(error, writes) if is_sqlite else _of_a_server(error, writes)
        if full is None:
            raise
        raise StoreAway(_first_line(error), disk_full=full) from error


def _of_a_server(error: DBAPIError, writes: bool) -> bool | None:
    """Whether its disk is full; None for another kind of fault."""
    state = getattr(error.orig, "sqlstate", None)
    if isinstance(error, InternalError) and not (writes and state == _READ_ONLY):
        return None
    return bool(state == _DISK_FULL)


def _of_a_file(error: DBAPIError, writes: bool) -> bool | None:
    """The same for SQLite."""
    code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
    if code not in _FILE_AWAY or (code == sqlite3.SQLITE_READONLY and not writes):
        return None
    return bool(code == sqlite3.SQLITE_FULL)


@contextmanager
def telling_disk() -> Iterator[None]:
    """Raise StoreAway in place of the system's own OSError about a file of the database."""
    try:
        yield
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        raise StoreAway(str(error), disk_full=full) from error


def _first_line(error: Exception) -> str:
    return str(error).split("\n", 1)[0]
