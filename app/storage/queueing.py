"""What storing a submission does where the database also holds the queue.

    one transaction: count what the learner has in line ▸ store ▸ defer the job

Times are the database's then: of several machines, each has a clock of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, func, literal_column, select, text

from app.model import LearnerId
from app.ports import GradeJob, TooManyInLine
from app.storage.schema import reports, submissions

CHANNEL = "mlgrind_report"
"""Where PostgreSQL tells which submission has just got its report."""

Defer = Callable[[Any, GradeJob], None]
"""Puts a job into the queue as part of a psycopg connection's transaction."""


_LATELY: ColumnElement[Any] = literal_column("clock_timestamp() - interval '1 hour'")
"""What has waited longer could not be judged, and is no reason to take no more."""

_NOT_PARKED = text(
    "NOT EXISTS (SELECT 1 FROM queue.faults"
    " WHERE faults.submission = submissions.id AND faults.parked_at IS NOT NULL)"
)
"""One whose exercise was withdrawn may never get a report: it takes no place."""

_WAITING = (
    select(func.clock_timestamp(), func.count(submissions.c.id))
    .select_from(submissions.outerjoin(reports))
    .where(
        submissions.c.learner == bindparam("who"),
        submissions.c.created_at > _LATELY,
        reports.c.submission.is_(None),
        _NOT_PARKED,
    )
)


@dataclass(frozen=True)
class Queueing:
    """How to defer a job, and how many submissions of a learner may wait."""

    defer: Defer
    outstanding: int

    def admit(self, connection: Connection, learner: LearnerId) -> datetime:
        """The moment by the database's clock; the learner's row is held.

        Raises TooManyInLine where the learner has all places.
        """
        now: datetime
        now, waiting = connection.execute(_WAITING, {"who": learner}).one()
        if waiting >= self.outstanding:
            raise TooManyInLine
        return now

    def put(self, connection: Connection, job: GradeJob) -> None:
        """Defer the job, as part of the transaction that stores its submission."""
        self.defer(connection.connection.driver_connection, job)


def its_time(connection: Connection) -> datetime:
    """What the database's clock says now."""
    found: datetime = connection.execute(select(func.clock_timestamp())).scalar_one()
    return found


def tell(connection: Connection, submission: str) -> None:
    """On PostgreSQL, let those who wait hear of a report once it is committed."""
    if connection.dialect.name != "sqlite":
        connection.exec_driver_sql("SELECT pg_notify(%s, %s)", (CHANNEL, submission))
