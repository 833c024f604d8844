"""Which place each waiting job has in its queue: asked for all at once, and remembered.

While many wait, many ask: with a question for each, PostgreSQL would count the queue for each.
"""

from __future__ import annotations

import threading
import time

import psycopg

from app.model import SubmissionId

KNOWN_S = 1.0
MOST = 20_000
"""Who waits behind so many is not told a place."""

_PLACES = """
SELECT args->>'submission', row_number() OVER (PARTITION BY queue_name ORDER BY priority DESC, id)
FROM procrastinate_jobs WHERE status = 'todo' ORDER BY priority DESC, id LIMIT %s
"""


class PlacesInLine:
    """The places of one queue's jobs; safe to use from several threads."""

    def __init__(self, address: str) -> None:
        """`address` is what psycopg connects to; it does with the first question."""
        self._address = address
        self._lock = threading.Lock()
        self._connection: psycopg.Connection | None = None
        self._places: dict[str, int] = {}
        self._asked = float("-inf")

    def of(self, submission: SubmissionId) -> int | None:
        """Its place as it was a second ago at most; None where it does not wait."""
        with self._lock:
            if time.monotonic() - self._asked >= KNOWN_S or submission not in self._places:
                self._places = self._ask()
                self._asked = time.monotonic()
            return self._places.get(submission)

    def close(self) -> None:
        """Let the connection go."""
        with self._lock:
            self._hang_up()

    def _ask(self) -> dict[str, int]:
        for _ in range(2):  # the connection that is kept may have been cut
            try:
                return dict(self._kept().execute(_PLACES, (MOST,)).fetchall())
            except psycopg.Error:
                self._hang_up()
        return {}

    def _kept(self) -> psycopg.Connection:
        """One connection for all who ask; one for each asking would be hundreds a minute."""
        if self._connection is None:
            self._connection = psycopg.connect(
                self._address, autocommit=True, application_name="mlgrind places"
            )
        return self._connection

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None
