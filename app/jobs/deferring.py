"""Puts a submission's job into the queue, in the transaction that stores the submission.

    priority = -(jobs of the same group that wait now, at most 1,000)

A group is a class, or a learner of no class: so a class of a thousand and a class of one take
turns. What travels is {"v": 1, "submission": id, "see": bool, "group": hash}: no name, no code.
"""

from __future__ import annotations

import hashlib
from typing import Any, cast

import psycopg
from procrastinate import App, SyncPsycopgConnector

from app.ports import GradeJob

VERSION = 1
"""Of a job's arguments; a dispatcher leaves a later one to a later dispatcher."""

GRADE, SLOW = "grade", "grade-slow"
TASK = "mlgrind.grade"
MOST_BEHIND = 1_000
REGRADE = -10_000

_WAITING = (
    "SELECT count(*) FROM (SELECT 1 FROM procrastinate_jobs WHERE status = 'todo'"
    " AND args->>'group' = %s LIMIT %s) waiting"
)


class Deferring:
    """Defers on connections that are given; it opens none of its own."""

    def __init__(self) -> None:
        self._app = App(connector=SyncPsycopgConnector())

    def defer(self, connection: psycopg.Connection, job: GradeJob, behind: int = 0) -> None:
        """Put a job into the queue as part of the connection's transaction.

        `behind` is taken off its priority: others go first.
        """
        connection.execute("SET LOCAL search_path TO queue, public")
        group = group_of(job)
        row = connection.execute(_WAITING, (group, MOST_BEHIND)).fetchone()
        waiting = 0 if row is None else int(cast("tuple[Any]", row)[0])
        task = self._app.configure_task(
            TASK, queue=GRADE, priority=-waiting - behind, connection=connection
        )
        task.defer(v=VERSION, submission=job.submission, see=job.see, group=group)


def group_of(job: GradeJob) -> str:
    """Who takes turns with whom, as a hash: a learner's id stays where it is."""
    return hashlib.sha256((job.group or job.turn).encode()).hexdigest()[:16]
