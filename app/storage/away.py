"""A server that cannot be reached, or whose disk is full, told from every other fault."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import InterfaceError, InternalError, OperationalError, TimeoutError

from app.ports import StoreAway

STEADY = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""A PostgreSQL connection whose other side is gone ends within seconds, and not within hours."""

_DISK_FULL = "53100"
_READ_ONLY = "25006"
"""What PostgreSQL calls a full disk, and a server that follows another one and can't write."""


@contextmanager
def telling_away(is_sqlite: bool) -> Iterator[None]:
    """Raise StoreAway in place of what the driver says; SQLite's file is never away."""
    try:
        yield
    except (OperationalError, InterfaceError, InternalError, TimeoutError) as error:
        state = getattr(getattr(error, "orig", None), "sqlstate", None)
        if is_sqlite or (isinstance(error, InternalError) and state != _READ_ONLY):
            raise
        raise StoreAway(str(error).split("\n", 1)[0], disk_full=state == _DISK_FULL) from error
