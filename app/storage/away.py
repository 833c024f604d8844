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


@contextmanager
def telling_away(is_sqlite: bool, *, writes: bool = True) -> Iterator[None]:
    """Raise StoreAway in place of what the driver says; SQLite's file is never away.

    A reader that tries to write (`writes` is false) is a fault of ours and stays one.
    """
    try:
        yield
    except (OperationalError, InterfaceError, InternalError, TimeoutError) as error:
        state = getattr(getattr(error, "orig", None), "sqlstate", None)
        follows = writes and state == _READ_ONLY
        if is_sqlite or (isinstance(error, InternalError) and not follows):
            raise
        raise StoreAway(str(error).split("\n", 1)[0], disk_full=state == _DISK_FULL) from error
