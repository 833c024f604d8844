"""What storing a submission does where the database also holds the queue.

    one transaction: count what the learner has in line ▸ store ▸ defer the job

Times are the database's then: of several machines, each has a clock of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, select

from app.ports import GradeJob, TooManyInLine

CHANNEL = "mlgrind_report"
"""Where PostgreSQL tells which submission has just got its report."""

Defer = Callable[[Any, GradeJob], None]
"""Puts a job into the queue as part of a psycopg connection's transaction."""


@dataclass(frozen=True)
class Queueing:
    """How to defer a job, and how many submissions of a learner may wait."""

    defer: Defer
    outstanding: int

    def admit(self, waiting: int) -> None:
        """Raise TooManyInLine where a learner has all places."""
        if waiting >= self.outstanding:
            raise TooManyInLine

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
