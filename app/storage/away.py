"""A server that cannot be reached, or whose disk is full, told from every other fault."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import InterfaceError, OperationalError

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
"""What PostgreSQL calls it."""


@contextmanager
def telling_away(is_sqlite: bool) -> Iterator[None]:
    """Raise StoreAway in place of what the driver says; SQLite's file is never away."""
    try:
        yield
    except (OperationalError, InterfaceError) as error:
        if is_sqlite:
            raise
        state = getattr(error.orig, "sqlstate", None)
        raise StoreAway(str(error).split("\n", 1)[0], disk_full=state == _DISK_FULL) from error
