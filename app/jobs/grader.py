"""What a dispatcher does with one job: read the submission, judge it, store its report, once.

A fault of a learner is a verdict and never tried again. A fault of ours goes up the ladder.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

import psycopg
import structlog

from app import metrics
from app.catalog import ExerciseErrors
from app.jobs.deferring import VERSION
from app.jobs.judged_by import JudgedBy
from app.jobs.retries import Ladder
from app.jobs.slow_use import SlowUse
from app.model import Exercise, Expectations, Lane, Slug, SubmissionId, Verdict
from app.ports import Load, NobodyRuns, StoreAway, SubmissionStore
from app.ports.runners import ANSWERED_BY, RunnerId
from app.records import Submission
from app.service.grading import Grading

log = structlog.get_logger()

LATER_S = 30.0
"""How long a job that an older dispatcher can't read waits for a newer one."""


AWAIT_S = 2.0
"""Until a job looks for a runner again; that none is there is no failure of the job's."""


class TryAgain(Exception):
    """The job is to be tried again at `at`, by the database's clock."""

    def __init__(self, at: datetime, words: str) -> None:
        super().__init__(words)
        self.at = at


class ToSlowQueue(Exception):
    """The code left the fast lane: the job goes to the slow queue with this priority."""

    def __init__(self, priority: int) -> None:
        super().__init__("left the fast lane")
        self.priority = priority


class NoExercise(Exception):
    """The exercise of a submission is offered no more."""


@dataclass
class Running:
    """How many jobs are under way here."""

    jobs: int = 0
    begun: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def one(self) -> Iterator[None]:
        """One more, in this block."""
        with self._lock:
            self.jobs += 1
            self.begun += 1
        try:
            yield
        finally:
            with self._lock:
                self.jobs -= 1


@dataclass(frozen=True)
class Grader:
    """What it takes to work off jobs; safe to use from several threads."""

    grading: Grading
    exercise: Callable[[Slug], Exercise | None]
    expectations: Callable[[Exercise], Expectations]
    ladder: Ladder
    slow_use: SlowUse
    judged_by: JudgedBy | None = None
    """Where learners' code runs on runners: who judged what."""

    running: Running = field(default_factory=Running)
    look_again: Callable[[Submission, Exercise, Expectations], None] | None = None
    """What becomes of an accepted one once nothing else is to be done."""

    def load(self) -> Load:
        """The jobs under way here; those that wait are everybody's."""
        return Load(0, 0, self.running.jobs, 0)

    @property
    def store(self) -> SubmissionStore:
        """The submissions."""
        return self.grading.store

    def work(self, *, v: int, submission: str, see: bool, group: str, lane: Lane) -> None:
        """Do one job. Raises TryAgain and ToSlowQueue where it is not done with."""
        if v > VERSION:
            at = self.ladder.in_seconds(LATER_S)
            raise TryAgain(at, f"a job of version {v}, which this dispatcher can't read")
        stored = self.store.get(SubmissionId(submission))
        if stored is None or not _needs_report(stored):
            return
        waited = (self.grading.now() - stored.created_at).total_seconds()
        metrics.QUEUE_WAIT.observe(max(0.0, waited))
        try:
            with self.running.one():
                self._judge(stored, see=see, group=group, lane=lane)
        except (ToSlowQueue, StoreAway, psycopg.OperationalError, psycopg.InterfaceError):
            raise
        except NobodyRuns as away:
            log.warning("runners_awaited", submission=stored.id, reason=str(away))
            raise TryAgain(self.ladder.in_seconds(AWAIT_S), str(away)) from away
        except Exception as error:  # noqa: BLE001 - the edge of a job: whatever it is, it is ours
            self._failed(stored, error)

    def _judge(self, stored: Submission, *, see: bool, group: str, lane: Lane) -> None:
        exercise = self.exercise(stored.exercise)
        if exercise is None:
            raise NoExercise(stored.exercise)
        expectations = self.expectations(exercise)
        begun, answered = time.monotonic(), list[RunnerId]()
        noting = ANSWERED_BY.set(answered)
        try:
            done = self.grading.grade(stored, exercise, expectations, see=see, lane=lane)
        finally:
            ANSWERED_BY.reset(noting)
        spent = time.monotonic() - begun
        if lane is not Lane.FAST:
            self.slow_use.add(group, spent)
        if done is None:
            metrics.LEFT_FAST_LANE.inc()
            raise ToSlowQueue(self.slow_use.priority(group))
        if stored.report is not None:
            self.ladder.forget(stored.id)
        if self.judged_by is not None and answered:
            self.judged_by.note(stored.id, answered[0], ask=True)
        if self.look_again is not None and done["verdict"] == Verdict.ACCEPTED:
            self.look_again(stored, exercise, expectations)
        log.info(
            "judged",
            submission=stored.id,
            verdict=done["verdict"],
            lane=lane.value,
            ms=round(spent * 1e3, 1),
            **({"runner": answered[0].name} if answered else {}),
        )

    def _failed(self, stored: Submission, error: Exception) -> None:
        """Up the ladder; at its top a report says that it is on us, and nothing is counted."""
        reason = _words(error)
        runners = ", ".join(getattr(error, "runners", ()))
        at = self.ladder.failed(stored.id, reason, runners)
        if at is not None:
            log.warning("job_failed", submission=stored.id, reason=reason, runners=runners)
            raise TryAgain(at, reason) from error
        self._record_fault(stored, error)
        self.ladder.park(stored.id)
        log.error("job_parked", submission=stored.id, reason=reason, runners=runners)

    def record_fault(self, submission: SubmissionId, error: Exception) -> bool:
        """Store that a submission is our fault; false where its verdict stands, or it is gone."""
        stored = self.store.get(submission)
        if stored is None or not _needs_report(stored):
            return False
        self._record_fault(stored, error)
        return True

    def _record_fault(self, stored: Submission, error: Exception) -> None:
        exercise = self.exercise(stored.exercise)
        if exercise is not None and stored.report is None:
            self.grading.record_fault(stored, exercise, None, error)


def _needs_report(stored: Submission) -> bool:
    """Whether it has none, or one that says it was our fault: such a one may be replaced."""
    return stored.report is None or stored.report["verdict"] == Verdict.GRADER_ERROR


def _words(error: Exception) -> str:
    if isinstance(error, ExerciseErrors):
        return "; ".join(f"{one.file}: {one.message}" for one in error.errors)
    return str(error) or type(error).__name__
