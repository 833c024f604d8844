"""The connections over which a dispatcher takes its jobs and writes down what became of them.

Each statement stands for itself, and a connection is looked at when it is taken out of the pool,
not asked: so a job costs one trip to PostgreSQL where Procrastinate's own pool makes four.
"""

from __future__ import annotations

from typing import Any

from psycopg import AsyncConnection, OperationalError
from psycopg_pool import AsyncConnectionPool

from app.sockets import is_quiet


def pool(**settings: Any) -> AsyncConnectionPool[AsyncConnection]:
    """The pool that Procrastinate asks for, with our own look at what it gives out."""
    return AsyncConnectionPool(**{**settings, "check": look})


async def each_for_itself(connection: AsyncConnection) -> None:
    """Make each statement of a connection a transaction."""
    await connection.set_autocommit(True)


async def look(connection: AsyncConnection) -> None:
    """Raise OperationalError where the server has ended a connection that lay in the pool."""
    if connection.closed:
        raise OperationalError("the connection is closed")
    if not is_quiet(connection.fileno()):
        await AsyncConnectionPool.check_connection(connection)
