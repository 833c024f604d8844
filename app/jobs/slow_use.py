"""Who gets the next slow place: the group that has used the slow places least lately.

What a group has used is halved each minute. A job that comes to the slow queue is put behind by a
tenth of a second's use, and by ten for each of its group that waits there.
"""

from __future__ import annotations

import psycopg

from app.jobs.deferring import MOST_BEHIND, SLOW
from app.jobs.queue_tables import address

_ADD = """
INSERT INTO slow_use AS known ("group", seconds, at) VALUES (%(group)s, %(seconds)s, now())
ON CONFLICT ("group") DO UPDATE
SET seconds = known.seconds * power(0.5, extract(epoch FROM now() - known.at) / 60)
        + excluded.seconds,
    at = now()
"""
_BEHIND = """
SELECT 10 * coalesce((
    SELECT seconds * power(0.5, extract(epoch FROM now() - at) / 60)
    FROM slow_use WHERE "group" = %(group)s), 0)
    + 10 * (
        SELECT count(*) FROM procrastinate_jobs
        WHERE status = 'todo' AND args->>'group' = %(group)s AND queue_name = %(queue)s)
"""
FORGOTTEN = "DELETE FROM slow_use WHERE at < now() - interval '1 hour'"


class SlowUse:
    """The rows of `slow_use`; one connection for each question, for slow code is rare."""

    def __init__(self, url: str) -> None:
        self._address = address(url)

    def add(self, group: str, seconds: float) -> None:
        """Charge a group for a slow place. Raises psycopg.Error."""
        with psycopg.connect(self._address) as connection:
            connection.execute(_ADD, {"group": group, "seconds": seconds})

    def priority(self, group: str) -> int:
        """For a job of this group that comes now. Raises psycopg.Error."""
        with psycopg.connect(self._address) as connection:
            row = connection.execute(_BEHIND, {"group": group, "queue": SLOW}).fetchone()
        return -min(MOST_BEHIND, 0 if row is None else int(row[0]))
