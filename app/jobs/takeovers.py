"""Jobs of dispatchers that have died: into the queue again, each ever later, then parked.

It may be the submission that ends them. So each takeover is one try on the ladder of faults: what
dispatchers die under again and again is parked, with a report that says it is on us.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import psycopg
import structlog

from app import metrics
from app.jobs.retries import Ladder
from app.model import SubmissionId

log = structlog.get_logger()

STALLED_S = 6.0
"""A dispatcher whose heart has not beaten for so long is dead."""

_DEAD = """
SELECT job.id, job.args->>'submission', job.args->>'regrade' FROM procrastinate_jobs job
LEFT JOIN procrastinate_workers worker ON worker.id = job.worker_id
WHERE job.status = 'doing'
    AND (worker.id IS NULL OR worker.last_heartbeat < now() - make_interval(secs => %(stalled)s))
"""
_MINE = f"{_DEAD} AND job.id = %(job)s FOR UPDATE OF job SKIP LOCKED"
_AGAIN = "SELECT procrastinate_retry_job_v2(%s, %s, NULL, NULL, NULL)"
_DONE = "SELECT procrastinate_finish_job_v1(%s, 'failed', true)"


class DispatcherDied(Exception):
    """A dispatcher ended while it had the job."""

    def __init__(self) -> None:
        super().__init__("the dispatcher that judged it ended")


@dataclass(frozen=True)
class Takeovers:
    """Takes jobs over; `record_fault` stores that one is our fault, unless its verdict stands.

    It tells whether it did: a submission that was judged before its dispatcher died is done with.
    """

    ladder: Ladder
    record_fault: Callable[[SubmissionId, Exception], bool]
    record_regrade_fault: Callable[[str, SubmissionId, Exception], None] | None = None
    """The same of one that is judged aside, for a regrade."""

    def recover(self, connection: psycopg.Connection) -> int:
        """Take over the jobs of all dispatchers that have died; how many were put back."""
        found = connection.execute(_DEAD, {"stalled": STALLED_S}).fetchall()
        again = sum(self._recovered(connection, int(job)) for job, *_ in found)
        if again:
            metrics.JOBS_RECOVERED.inc(again)
            log.warning("jobs_recovered", jobs=again)
        return again

    def _recovered(self, connection: psycopg.Connection, job: int) -> bool:
        """Whether the job is in the queue again; one that can't be parked keeps no other here."""
        try:
            with connection.transaction():
                return self._take(connection, job)
        except Exception as error:
            if connection.closed:
                raise
            reason = str(error).strip() or type(error).__name__
            log.warning("job_not_taken_over", job=job, reason=reason)
            return False

    def _take(self, connection: psycopg.Connection, job: int) -> bool:
        asked = {"stalled": STALLED_S, "job": job}
        found = connection.execute(_MINE, asked).fetchone()
        if found is None:  # another dispatcher has
            return False
        submission, died = SubmissionId(str(found[1])), DispatcherDied()
        at = self.ladder.step(connection, submission, str(died))
        if at is not None:
            connection.execute(_AGAIN, (job, at))
            return True
        if found[2] is not None and self.record_regrade_fault is not None:
            self.record_regrade_fault(str(found[2]), submission, died)
        if self.record_fault(submission, died):
            self.ladder.park(submission, connection)
            log.error("job_parked", submission=submission, reason=str(died), runners="")
        else:
            self.ladder.forget(submission, connection)
        connection.execute(_DONE, (job,))
        return False
