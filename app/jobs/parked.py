"""Parked submissions in the host's hands: listed, and put into the queue again."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

import psycopg

from app.jobs.deferring import REGRADE, Deferring
from app.jobs.opinion_rows import OpinionRows
from app.jobs.queue_tables import address
from app.jobs.retries import Ladder, Parked
from app.model import SubmissionId
from app.ports import GradeJob, StoreAway
from app.ports.operating import Operations, ParkedView

T = TypeVar("T")

LOOK_S = 0.25

_RETRY = """
UPDATE faults SET tries = 0, parked_at = NULL, at = now()
WHERE parked_at IS NOT NULL AND (%(only)s::text[] IS NULL OR submission = ANY(%(only)s::text[]))
RETURNING submission
"""
_LEFT = "SELECT count(*) FROM procrastinate_jobs WHERE status IN ('todo', 'doing')"


class ParkedJobs:
    """The parked submissions of one database."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._address = address(url)

    def all(self) -> tuple[Parked, ...]:
        """Oldest submission first. Raises psycopg.Error."""
        return Ladder(self._url).parked()

    def retry(self, only: Sequence[str] | None = None) -> tuple[str, ...]:
        """Put them, or only these, into the queue again, behind what learners wait for.

        A report of our own fault is replaced by the one that comes. Raises psycopg.Error.
        """
        deferring = Deferring()
        with psycopg.connect(self._address) as connection:
            asked = None if only is None else list(only)
            rows = connection.execute(_RETRY, {"only": asked}).fetchall()
            found = tuple(sorted(str(row[0]) for row in rows))
            for submission in found:
                job = GradeJob(SubmissionId(submission), "retry", see=True)
                deferring.defer(connection, job, behind=-REGRADE)
        return found

    def drain(self, most_s: float) -> int:
        """Wait until no job is left, at most so long; how many are. Raises psycopg.Error."""
        until = time.monotonic() + most_s
        with psycopg.connect(self._address, autocommit=True) as connection:
            while (left := self._left(connection)) and time.monotonic() < until:
                time.sleep(LOOK_S)
        return left

    def _left(self, connection: psycopg.Connection) -> int:
        row = connection.execute(_LEFT).fetchone()
        return 0 if row is None else int(row[0])


def operations(jobs: ParkedJobs, opinions: OpinionRows) -> Operations:
    """What a host's page shows of the queue. Its functions raise StoreAway."""

    def parked() -> tuple[ParkedView, ...]:
        return tuple(
            ParkedView(one.submission, one.tries, one.reason, one.runners, one.at)
            for one in _or_away(jobs.all)
        )

    def retry(only: Sequence[str] | None) -> tuple[str, ...]:
        return _or_away(lambda: jobs.retry(only))

    return Operations(parked=parked, retry=retry, differing=lambda: _or_away(opinions.all))


def _or_away(ask: Callable[[], T]) -> T:
    try:
        return ask()
    except psycopg.Error as error:
        raise StoreAway(str(error)) from error
