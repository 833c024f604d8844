"""Puts a submission's job into the queue, in the transaction that stores the submission.

    priority = -(jobs of the same group that wait now, at most 1,000)

A group is a class, or a learner of no class: so a class of a thousand and a class of one take
turns. What travels is {"v": 1, "submission": id, "see": bool, "group": hash, "request": id}: no
name, no code. The request's id is that of our logs; a job of no request has none.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import psycopg
from psycopg import errors

from app.logs import carried
from app.model import SubmissionId
from app.ports import GradeJob, StoreAway

VERSION = 1
"""Of a job's arguments; a dispatcher leaves a later one to a later dispatcher."""

LATER = 2
"""Of the jobs about submissions whose verdict stands, which an older dispatcher would drop."""

SECOND, AGAIN = "second", "again"
"""What such a job is for: a second opinion, or to be judged again in place of what stands."""

GRADE, SLOW = "grade", "grade-slow"
TASK = "mlgrind.grade"
MOST_BEHIND = 1_000
REGRADE = -10_000

_DEFER = """
SELECT procrastinate_defer_jobs_v1(ARRAY[ROW(
    %(queue)s, %(task)s, -%(behind)s::integer - (
        SELECT count(*) FROM (
            SELECT 1 FROM procrastinate_jobs WHERE status = 'todo' AND args->>'group' = %(group)s
            LIMIT %(most)s) waiting)::integer,
    NULL, NULL, %(args)s::jsonb, NULL)::procrastinate_job_to_defer_v1])
"""
"""What Procrastinate's own library says, with the priority: one trip to the server."""

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
        self, connection: psycopg.Connection, submission: SubmissionId, what: str
    ) -> None:
        """A job about a submission whose verdict stands, behind all that anybody waits for."""
        _put(connection, {"v": LATER, "submission": submission, "what": what}, None, -REGRADE)


def _put(
    connection: psycopg.Connection, args: Mapping[str, object], group: str | None, behind: int
) -> None:
    values = {"queue": GRADE, "task": TASK, "behind": behind, "group": group, "most": MOST_BEHIND}
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
