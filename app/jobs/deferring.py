"""Puts a submission's job into the queue, in the transaction that stores the submission.

    priority = -(jobs of the same group that wait now, at most 1,000)

A group is a class, or a learner of no class: so a class of a thousand and a class of one take
turns. What travels is {"v": 1, "submission": id, "see": bool, "group": hash, "request": id}: no
name, no code. The request's id is that of our logs; a job of no request has none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import psycopg
from procrastinate import App, SyncPsycopgConnector
from procrastinate.exceptions import ConnectorException
from procrastinate.types import JSONValue
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

_WAITING = (
    "SELECT count(*) FROM (SELECT 1 FROM procrastinate_jobs WHERE status = 'todo'"
    " AND args->>'group' = %s LIMIT %s) waiting"
)


_AWAY = (psycopg.OperationalError, psycopg.InterfaceError, errors.ReadOnlySqlTransaction)


class Deferring:
    """Defers on connections that are given; it opens none of its own."""

    def __init__(self) -> None:
        self._app = App(connector=SyncPsycopgConnector())

    def defer(self, connection: psycopg.Connection, job: GradeJob, behind: int = 0) -> None:
        """Put a job into the queue as part of the connection's transaction.

        `behind` is taken off its priority: others go first. Raises StoreAway where the database
        does not answer or can't write.
        """
        with _telling_away():
            self._defer(connection, job, behind)

    def defer_later(
        self, connection: psycopg.Connection, submission: SubmissionId, what: str
    ) -> None:
        """A job about a submission whose verdict stands, behind all that anybody waits for."""
        task = self._app.configure_task(TASK, queue=GRADE, priority=REGRADE, connection=connection)
        task.defer(v=LATER, submission=submission, what=what)

    def _defer(self, connection: psycopg.Connection, job: GradeJob, behind: int) -> None:
        connection.execute("SET LOCAL search_path TO queue, public")
        group = group_of(job)
        row = connection.execute(_WAITING, (group, MOST_BEHIND)).fetchone()
        waiting = 0 if row is None else int(cast("tuple[Any]", row)[0])
        task = self._app.configure_task(
            TASK, queue=GRADE, priority=-waiting - behind, connection=connection
        )
        request = str(carried().get("request_id") or "")
        of: dict[str, JSONValue] = {"request": request} if request else {}
        task.defer(v=VERSION, submission=job.submission, see=job.see, group=group, **of)


@contextmanager
def _telling_away() -> Iterator[None]:
    """The connection is the store's, but what it says here does not pass through the store."""
    try:
        yield
    except (psycopg.Error, ConnectorException) as error:
        said = error.__cause__ if isinstance(error, ConnectorException) else error
        if not isinstance(said, _AWAY):
            raise
        words = str(said).split("\n", 1)[0]
        raise StoreAway(words, disk_full=isinstance(said, errors.DiskFull)) from error


def group_of(job: GradeJob) -> str:
    """Who takes turns with whom, as a hash: a learner's id stays where it is."""
    return hashlib.sha256((job.group or job.turn).encode()).hexdigest()[:16]
