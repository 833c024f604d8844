"""What each dispatcher looks after beside its jobs: what others have dropped.

each second   jobs of dispatchers whose heart has stopped ▸ taken over
              tries of a class's regrade without a job ▸ deferred
              turns that are far from the first ▸ counted from it anew
each 30 s     submissions of a minute ago with neither report nor job ▸ deferred again, counted
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

import psycopg
import structlog

from app import metrics
from app.jobs.deferring import Deferring, count_anew
from app.jobs.judged_by import FORGOTTEN_JUDGES
from app.jobs.opinion_rows import FORGOTTEN_OPINIONS
from app.jobs.queue_tables import address
from app.jobs.regrade_jobs import defer_regrades
from app.jobs.slow_use import FORGOTTEN
from app.jobs.takeovers import Takeovers
from app.model import SubmissionId
from app.ports import GradeJob

log = structlog.get_logger()

TICK_S = 1.0
ORPHANS_S = 30.0
OLD_S = 60.0

_ORPHANS = """
SELECT one.id, one.learner FROM public.submissions one
WHERE one.id = ANY(%s) AND one.created_at < now() - make_interval(secs => %s)
    AND NOT EXISTS (SELECT 1 FROM public.reports WHERE submission = one.id)
    AND NOT EXISTS (SELECT 1 FROM faults WHERE submission = one.id AND parked_at IS NOT NULL)
    AND NOT EXISTS (
        SELECT 1 FROM procrastinate_jobs job
        WHERE job.args->>'submission' = one.id AND job.status IN ('todo', 'doing'))
"""
_ALONE = "SELECT pg_try_advisory_xact_lock(%s)"
_SWEEPING = 0x6D6C_7377
_FORGET = """
DELETE FROM faults WHERE (parked_at IS NULL AND at < now() - interval '1 hour')
    OR NOT EXISTS (SELECT 1 FROM public.submissions WHERE id = submission)
"""
_JOBS = (
    "SELECT queue_name, status::text, count(*) FROM procrastinate_jobs"
    " WHERE status IN ('todo', 'doing') GROUP BY 1, 2"
)
_OLDEST = """
SELECT coalesce(extract(epoch FROM now() - min(event.at)), 0) FROM (
    SELECT id FROM procrastinate_jobs WHERE status = 'todo' AND scheduled_at IS NULL
        AND priority > -10000
    ORDER BY id LIMIT 1
) job JOIN procrastinate_events event ON event.job_id = job.id
"""
_PARKED = "SELECT count(*) FROM faults WHERE parked_at IS NOT NULL"


class Sweeps:
    """A thread that sweeps until it is stopped; a database that is away is asked again."""

    def __init__(
        self, url: str, unreported: Callable[[], Sequence[SubmissionId]], takeovers: Takeovers
    ) -> None:
        """`unreported` gives the submissions without a report, oldest first."""
        self._address = address(url)
        self._unreported, self._takeovers = unreported, takeovers
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="sweeps", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """End after the sweep under way."""
        self._stop.set()

    def _work(self) -> None:
        orphans_at = time.monotonic() + TICK_S
        while not self._stop.wait(TICK_S):
            try:
                with psycopg.connect(self._address, autocommit=True) as connection:
                    while not self._stop.wait(TICK_S):
                        self._takeovers.recover(connection)
                        count_anew(connection)
                        defer_regrades(connection)
                        count(connection)
                        if time.monotonic() >= orphans_at:
                            orphans_at = time.monotonic() + ORPHANS_S
                            self.adopt(connection)
            except Exception as error:  # noqa: BLE001 - or nothing would be swept here any more
                log.warning("not_swept", reason=str(error).strip(), kind=type(error).__name__)

    def adopt(self, connection: psycopg.Connection, old_s: float = OLD_S) -> int:
        """Defer again what has neither report nor job; how many there were."""
        found = defer_again(connection, self._unreported(), old_s)
        connection.execute(_FORGET)
        for forgotten in (FORGOTTEN, FORGOTTEN_JUDGES, FORGOTTEN_OPINIONS):
            connection.execute(forgotten)
        metrics.ORPHANS.inc(len(found))
        if found:
            log.error("orphans", submissions=list(found))
        return len(found)


def defer_again(
    connection: psycopg.Connection, unreported: Sequence[SubmissionId], old_s: float
) -> tuple[SubmissionId, ...]:
    """Defer those that have no job and are older than this; another process may be at it."""
    deferring = Deferring()
    with connection.transaction():
        if connection.execute(_ALONE, (_SWEEPING,)).fetchone() != (True,):
            return ()
        found = connection.execute(_ORPHANS, (list(unreported), old_s)).fetchall()
        for submission, learner in found:
            deferring.defer(connection, GradeJob(submission, learner, see=True))
    return tuple(row[0] for row in found)


def defer_restored(url: str, unreported: Sequence[SubmissionId]) -> int:
    """Defer what a backup brought back without a report; how many. Raises psycopg.Error."""
    with psycopg.connect(address(url), autocommit=True) as connection:
        return len(defer_again(connection, unreported, 0.0))


def count(connection: psycopg.Connection) -> None:
    """Offer the state of the queue at /metrics."""
    jobs = {(row[0], row[1]): row[2] for row in connection.execute(_JOBS).fetchall()}
    for queue in ("grade", "grade-slow"):
        for state, name in (("todo", "waiting"), ("doing", "running")):
            metrics.QUEUE_JOBS.labels(queue, name).set(jobs.get((queue, state), 0))
    (oldest,) = connection.execute(_OLDEST).fetchone() or (0,)
    metrics.QUEUE_OLDEST.set(float(oldest or 0))
    (parked,) = connection.execute(_PARKED).fetchone() or (0,)
    metrics.PARKED.set(parked)
