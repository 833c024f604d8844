"""What becomes of a job that failed by our own fault: tried again ever later, then parked.

    after 0.2, 1, 5, 30 and 120 s ▸ parked: a `grader_error` report, a row in `faults`, an alert

Every moment is by the database's clock: a dispatcher's own may be an hour off.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import psycopg

from app.jobs.queue_tables import address

LADDER = (0.2, 1.0, 5.0, 30.0, 120.0)
"""Seconds until the next try, after each that failed."""

LONGEST_REASON = 500

_FAILED = """
INSERT INTO faults AS known (submission, tries, reason, runners, at)
VALUES (%(submission)s, 1, %(reason)s, %(runners)s, now())
ON CONFLICT (submission) DO UPDATE
SET tries = known.tries + 1, reason = excluded.reason, runners = excluded.runners, at = now(),
    parked_at = NULL
RETURNING tries, now() + make_interval(secs => (%(waits)s::float8[])[tries])
"""
_PARK = "UPDATE faults SET parked_at = now() WHERE submission = %s"
_FORGET = "DELETE FROM faults WHERE submission = %s"
_PARKED = (
    "SELECT submission, tries, reason, runners, parked_at FROM faults"
    " WHERE parked_at IS NOT NULL ORDER BY submission"
)
_AGAIN = (
    "SELECT submission FROM faults WHERE parked_at IS NOT NULL"
    " AND (%(one)s::text[] IS NULL OR submission = ANY(%(one)s::text[])) ORDER BY submission"
)


@dataclass(frozen=True)
class Parked:
    """A submission that could not be judged, why, and which runners were asked last."""

    submission: str
    tries: int
    reason: str
    runners: str
    at: datetime


class Ladder:
    """The rows of `faults`; one connection for each question, for faults are rare."""

    def __init__(self, url: str, waits: tuple[float, ...] = LADDER) -> None:
        self._address = address(url)
        self._waits = waits

    def failed(self, submission: str, reason: str, runners: str = "") -> datetime | None:
        """When to try again, by the database's clock; None once it is to be parked.

        Raises psycopg.Error.
        """
        with psycopg.connect(self._address) as connection:
            return self.step(connection, submission, reason, runners)

    def step(
        self, connection: psycopg.Connection, submission: str, reason: str, runners: str = ""
    ) -> datetime | None:
        """The same as part of a connection's transaction."""
        values = {
            "submission": submission,
            "reason": reason[:LONGEST_REASON].replace("\0", " "),
            "runners": runners,
            "waits": list(self._waits),
        }
        row = connection.execute(_FAILED, values).fetchone()
        return None if row is None else row[1]

    def in_seconds(self, seconds: float) -> datetime:
        """The moment so many seconds from now, by the database's clock."""
        with psycopg.connect(self._address) as connection:
            row = connection.execute("SELECT now() + make_interval(secs => %s)", (seconds,))
            (found,) = row.fetchone() or (None,)
        if not isinstance(found, datetime):
            raise psycopg.DataError("the database has no clock")
        return found

    def park(self, submission: str, connection: psycopg.Connection | None = None) -> None:
        """Try it no more until the host says so; on a connection's transaction, if one is given."""
        self._execute(_PARK, submission, connection)

    def forget(self, submission: str, connection: psycopg.Connection | None = None) -> None:
        """It was judged, or is gone."""
        self._execute(_FORGET, submission, connection)

    def parked(self) -> tuple[Parked, ...]:
        """All that wait for the host, oldest submission first."""
        with psycopg.connect(self._address) as connection:
            return tuple(Parked(*row) for row in connection.execute(_PARKED).fetchall())

    def _execute(
        self, statement: str, submission: str, connection: psycopg.Connection | None
    ) -> None:
        if connection is not None:
            connection.execute(statement.encode(), (submission,))
            return
        with psycopg.connect(self._address) as own:
            own.execute(statement.encode(), (submission,))
