"""Puts a submission's job into the queue, in the transaction that stores the submission.

    priority = -turn        turn = 0 where nothing waits, else the later of
                                   one after the turn that is next (of all that wait)
                                   two after the last turn of the same group

A group is a class, or a learner of no class: so a class of a thousand and a class of one take
turns. A job is overtaken only by those that came before its turn was near. By the length of its
own group's line alone, newcomers to a line that has become short would pass those who came while
it was long: at 45 a second with room for 50, somebody waited 90 s after a pause of 10.

What travels is {"v": 1, "submission": id, "see": bool, "group": hash, "request": id}: no name, no
code. The request's id is that of our logs; a job of no request has none.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import psycopg
from psycopg import errors

from app.jobs.queue_tables import WRITING
from app.logs import carried
from app.model import SubmissionId
from app.ports import GradeJob, StoreAway

VERSION = 1
"""Of a job's arguments; a dispatcher leaves a later one to a later dispatcher."""

LATER = 2
"""Of the jobs about submissions whose verdict stands, which an older dispatcher would drop."""

SECOND, AGAIN, CLASS = "second", "again", "class"
"""What such a job is for: a second opinion, to be judged again in place of what stands, or aside
for the regrade of a class."""

GRADE, SLOW = "grade", "grade-slow"
TASK = "mlgrind.grade"
MOST_BEHIND = 1_000
"""In the slow queue, where the use of a slow place is what counts."""

LAST_TURN = 9_990
REBASED_AT = 2_000
"""Once the next turn is this one, all are counted from it anew."""

REGRADE = -10_000

_NEXT = """(
    SELECT priority FROM procrastinate_jobs
    WHERE status = 'todo' AND queue_name = 'grade' AND priority > -10000
        AND (scheduled_at IS NULL OR scheduled_at <= now())
    ORDER BY priority DESC, id LIMIT 1)"""
_DEFER = f"""
SELECT procrastinate_defer_jobs_v1(ARRAY[ROW(
    %(queue)s, %(task)s, -%(behind)s::integer + CASE WHEN %(group)s::text IS NULL THEN 0
    ELSE greatest(-{LAST_TURN}, least(0, {_NEXT} - 1, (
        SELECT min(priority) FROM procrastinate_jobs
        WHERE status = 'todo' AND args->>'group' = %(group)s AND queue_name = 'grade'
            AND priority > -10000) - 2)) END,
    NULL, NULL, %(args)s::jsonb, NULL)::procrastinate_job_to_defer_v1])
"""  # noqa: S608 - of our own words
"""What Procrastinate's own library says, with the priority: one trip to the server."""

_FROM_ZERO = """
UPDATE procrastinate_jobs SET priority = least(0, priority + %(next)s)
WHERE status = 'todo' AND queue_name = 'grade' AND priority > -10000
"""

_AWAY = (psycopg.OperationalError, psycopg.InterfaceError, errors.ReadOnlySqlTransaction)


class Deferring:
    """Defers on connections that are given; it opens none of its own."""

    def defer(self, connection: psycopg.Connection, job: GradeJob, behind: int = 0) -> None:
        """Put a job into the queue as part of the connection's transaction.

        `behind` is taken off its priority: others go first. The connection finds the queue's tables
        by name. Raises StoreAway where the database does not answer or can't write.
        """
        group = group_of(job)
        args = {"v": VERSION, "submission": job.submission, "see": job.see, "group": group}
        request = str(carried().get("request_id") or "")
        _put(connection, {**args, "request": request} if request else args, group, behind)

    def defer_later(
        self,
        connection: psycopg.Connection,
        submission: SubmissionId,
        what: str,
        regrade: str | None = None,
    ) -> None:
        """A job about a submission whose verdict stands, behind all that anybody waits for."""
        args = {"v": LATER, "submission": submission, "what": what}
        _put(connection, {**args, "regrade": regrade} if regrade else args, None, -REGRADE)


def count_anew(connection: psycopg.Connection) -> bool:
    """Count all turns from the next one, where that is far from the first; whether it was.

    Their order stays. No submission is stored meanwhile: its turn would be by the old count.
    """
    if _next_turn(connection) < REBASED_AT:
        return False
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (WRITING,))
        connection.execute(_FROM_ZERO, {"next": _next_turn(connection)})
    return True


def _next_turn(connection: psycopg.Connection) -> int:
    (priority,) = connection.execute(f"SELECT {_NEXT}").fetchone() or (0,)
    return -(priority or 0)


def _put(
    connection: psycopg.Connection, args: Mapping[str, object], group: str | None, behind: int
) -> None:
    values = {"queue": GRADE, "task": TASK, "behind": behind, "group": group}
    with _telling_away():
        connection.execute(_DEFER, {**values, "args": json.dumps(args)})


@contextmanager
def _telling_away() -> Iterator[None]:
    """The connection is the store's, but what it says here does not pass through the store."""
    try:
        yield
    except _AWAY as error:
        words = str(error).split("\n", 1)[0]
        raise StoreAway(words, disk_full=isinstance(error, errors.DiskFull)) from error


def group_of(job: GradeJob) -> str:
    """Who takes turns with whom, as a hash: a learner's id stays where it is."""
    return hashlib.sha256((job.group or job.turn).encode()).hexdigest()[:16]
