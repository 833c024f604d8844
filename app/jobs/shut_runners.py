"""The runners that no process uses until the operator has looked: rows in the database they share.

One connection for each question: they are asked for every five seconds, by each process.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import psycopg

from app.jobs.queue_tables import address
from app.ports import StoreAway
from app.ports.runners import RunnerId

_ALL = "SELECT name, address, reason FROM shut_runners"
_SHUT = (
    "INSERT INTO shut_runners (name, address, reason, at) VALUES (%s, %s, %s, now())"
    " ON CONFLICT (name, address) DO NOTHING"
)
_LET_IN = "DELETE FROM shut_runners WHERE name = %s AND address = %s"


class ShutRunnerRows:
    """The port ShutRunners over the queue's tables."""

    def __init__(self, url: str) -> None:
        self._address = address(url)

    def all(self) -> Mapping[RunnerId, str]:
        """Each with its reason. Raises StoreAway."""
        with self._connection() as connection:
            rows = connection.execute(_ALL).fetchall()
        return {RunnerId(name, where): reason for name, where, reason in rows}

    def shut(self, runner: RunnerId, reason: str) -> None:
        """Add one. Raises StoreAway."""
        with self._connection() as connection:
            connection.execute(_SHUT, (*runner, reason))

    def let_in(self, runner: RunnerId) -> bool:
        """Take it off the list; whether it was on it. Raises StoreAway."""
        with self._connection() as connection:
            return connection.execute(_LET_IN, tuple(runner)).rowcount > 0

    @contextmanager
    def _connection(self) -> Iterator[psycopg.Connection]:
        try:
            with psycopg.connect(self._address) as connection:
                yield connection
        except psycopg.Error as error:
            raise StoreAway(str(error)) from error
