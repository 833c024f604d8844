"""Class regrades where there is a queue: each try is a job behind all that anybody waits for.

    regraded, waiting ─▶ a job at priority -10,000 ─▶ judged by a dispatcher ─▶ kept aside

What waits without a job gets one within a second, so none is lost with a dispatcher or a backup.
"""

from __future__ import annotations

from dataclasses import dataclass

import psycopg
import structlog

from app.jobs.deferring import CLASS, REGRADE, Deferring
from app.jobs.grader import Grader, ToSlowQueue, TryAgain
from app.logs import bound
from app.model import Exercise, Lane, SubmissionId
from app.ports import KIND, Kind, NobodyRuns, StoreAway
from app.ports.class_work import Regrades
from app.records import Json, Submission
from app.report import to_json
from app.service.faults import fault_report
from app.service.judging import judge_submission

log = structlog.get_logger()

LATER_S = 30.0
MOST_TRIES = 5
"""Then it is our fault, as it is told."""

_ALONE = "SELECT pg_try_advisory_xact_lock(%s)"
_DEFERRING = 0x6D6C_7267
_WAITING = """
SELECT one.regrade, one.submission
FROM public.regraded one JOIN public.regrades ON regrades.id = one.regrade
WHERE regrades.state = 'judging' AND one.judged_at IS NULL
    AND NOT EXISTS (
        SELECT 1 FROM procrastinate_jobs job
        WHERE job.args->>'submission' = one.submission AND job.args->>'regrade' = one.regrade
            AND job.status IN ('todo', 'doing'))
ORDER BY 1, 2 LIMIT 500
"""


def defer_regrades(connection: psycopg.Connection) -> int:
    """Give a job to what waits to be regraded and has none; how many. Raises psycopg.Error."""
    deferring = Deferring()
    with connection.transaction():
        if connection.execute(_ALONE, (_DEFERRING,)).fetchone() != (True,):
            return 0
        found = connection.execute(_WAITING).fetchall()
        for regrade, submission in found:
            deferring.defer_later(connection, SubmissionId(submission), CLASS, regrade)
    return len(found)


@dataclass(frozen=True)
class RegradeJobs:
    """Judges tries anew for regrades; safe to use from several threads."""

    grader: Grader
    regrades: Regrades

    def work(self, regrade: str, submission: str, lane: Lane, tries: int) -> None:
        """Do one. Raises TryAgain and ToSlowQueue where it is not done with."""
        stored = self.grader.store.get(SubmissionId(submission))
        if stored is None:
            return
        exercise = self.grader.exercise(stored.exercise)
        if exercise is None:  # it may come back
            raise self._later("its exercise is offered no more")
        try:
            with bound(submission=submission), self.grader.running.one():
                report = self._judged(stored, exercise, lane)
        except (ToSlowQueue, StoreAway, psycopg.OperationalError, psycopg.InterfaceError):
            raise
        except Exception as error:
            if isinstance(error, NobodyRuns) or tries < MOST_TRIES:
                raise self._later(str(error) or type(error).__name__) from error
            report = fault_report(exercise, None, error, stored.id)
        self._keep(regrade, stored, report)

    def record_fault(self, regrade: str, submission: SubmissionId, error: Exception) -> None:
        """Keep that a try could not be judged: dispatchers ended under it."""
        stored = self.grader.store.get(submission)
        exercise = None if stored is None else self.grader.exercise(stored.exercise)
        if stored is not None and exercise is not None:
            self._keep(regrade, stored, fault_report(exercise, None, error, submission))

    def _judged(self, stored: Submission, exercise: Exercise, lane: Lane) -> Json:
        known = self.grader.expectations(exercise)
        jails = self.grader.grading.jails
        kind = KIND.set(Kind.SECOND_LOOK)  # it leaves a place of each runner free
        try:
            about = (exercise, known, stored.source)
            report = judge_submission(jails, *about, lane=lane, submission=stored.id)
        finally:
            KIND.reset(kind)
        if report is None:
            raise ToSlowQueue(REGRADE)
        return to_json(report)

    def _keep(self, regrade: str, stored: Submission, report: Json) -> None:
        self.regrades.keep(regrade, stored.id, report, self.grader.grading.now())
        log.info("regraded", submission=stored.id, regrade=regrade, verdict=report["verdict"])

    def _later(self, reason: str) -> TryAgain:
        log.warning("not_regraded", reason=reason)
        return TryAgain(self.grader.ladder.in_seconds(LATER_S), reason)
