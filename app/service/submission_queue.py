"""From a stored submission to its report: in line, judged, recorded, and only then given away.

A submission that is pending here is in the store without a report; one whose report could not be
made by two tries gets one that says so.
"""

from __future__ import annotations

import time
from concurrent.futures import CancelledError, Future
from datetime import datetime

import structlog

from app import metrics
from app.futures import fail, pass_on, succeed
from app.model import Exercise, Expectations, Lane, SubmissionId, Verdict
from app.ports import Job, Kind
from app.records import Json, Submission
from app.report import to_json
from app.service.errors import NoSuchExercise
from app.service.exercises import Exercises
from app.service.faults import fault_report
from app.service.flow import Flow
from app.service.judging import judge_submission
from app.service.parts import Parts
from app.service.second_looks import SecondLooks
from app.service.tokens import Sequence
from app.service.tracing import with_trace
from app.service.waitlist import Pending, Waitlist

log = structlog.get_logger()

QUIET_S = 0.05
"""How often a regrade looks whether anybody waits."""


class SubmissionQueue:
    """Pending submissions and the jobs that judge them; safe to use from several threads."""

    def __init__(
        self, parts: Parts, exercises: Exercises, flow: Flow, ids: Sequence, looks: SecondLooks
    ) -> None:
        self.waitlist = Waitlist()
        self._looks = looks
        self._exercises = exercises
        self._flow = flow
        self._ids = ids
        self._store = parts.store.submissions
        self._sandbox = parts.sandbox
        self._line = parts.line
        self._now = parts.now

    def take_up(self, stored: Submission) -> Pending:
        """Queue a submission that was stored before and has no report. Raises NoSuchExercise."""
        exercise = self._exercises.get(stored.exercise)
        return self.enter(Pending(stored, exercise, stored.learner, see=True), reserved=False)

    def enter(self, pending: Pending, *, reserved: bool) -> Pending:
        """Queue a submission; where it is pending already, the one that is comes back."""
        first = self.waitlist.enter(pending, reserved=reserved)
        if first is pending:
            self._queue(pending)
        return first

    def take_up_all(self) -> None:
        """Refill the line from the store, oldest first."""
        for submission in self._store.unreported():
            stored = self._store.get(submission)
            if stored is None or stored.report is not None:
                continue
            try:
                self.take_up(stored)
            except NoSuchExercise:
                log.warning("not_judged", submission=submission, exercise=stored.exercise)

    def _queue(self, pending: Pending) -> None:
        """Put it in line as soon as its exercise's expectations are there."""

        def job(expectations: Expectations) -> Job[Json]:
            def work(lane: Lane) -> Json | None:
                return self._grade(pending, expectations, lane)

            pending.report.add_done_callback(
                lambda done: self._look_again(pending, expectations, done)
            )

            key = pending.submission.id
            return Job(key, pending.turn, Kind.SUBMISSION, work)

        queued = self._flow.put_after(
            self._exercises.expected(pending.exercise), job, bounded=False
        )
        queued.add_done_callback(lambda done: self._finish(pending, done))

    def _grade(self, pending: Pending, expectations: Expectations, lane: Lane) -> Json | None:
        """The job: judge, store the report, and only then give it away."""
        submission = pending.submission
        report = judge_submission(
            self._sandbox,
            pending.exercise,
            expectations,
            submission.source,
            lane=lane,
            submission=submission.id,
        )
        if report is None:
            return None
        if pending.see and report.verdict is not Verdict.ACCEPTED and lane is Lane.FAST:
            seen = (self._sandbox, pending.exercise, expectations, submission.source)
            report = with_trace(*seen, report)
        return self._record(submission, to_json(report))

    def _record(self, submission: Submission, report: Json) -> Json:
        now: datetime = self._now()
        if self._store.record(submission.id, report, now):
            metrics.VERDICTS.labels(str(report["verdict"])).inc()
            metrics.LATENCY.observe((now - submission.created_at).total_seconds())
        else:
            log.warning("report_not_kept", submission=submission.id)
        return report

    def _finish(self, pending: Pending, done: Future[Json]) -> None:
        error = None if done.cancelled() else done.exception()
        if error is not None:
            self._our_fault(pending, error)
            return
        self.waitlist.leave(pending)
        pass_on(done, pending.report)

    def _look_again(self, pending: Pending, expectations: Expectations, done: Future[Json]) -> None:
        """The verdict is out; what was accepted is looked at again, behind everything else."""
        if done.cancelled() or done.exception() is not None:
            return
        if done.result()["verdict"] == Verdict.ACCEPTED:
            self._looks.begin(pending.submission, pending.turn, pending.exercise, expectations)

    def _our_fault(self, pending: Pending, error: BaseException) -> None:
        """Two tries failed: the learner gets a report that says so, and nothing is counted."""
        known = self._exercises.expecting.known(pending.exercise)
        report = fault_report(pending.exercise, known, error, pending.submission.id)
        try:
            self._record(pending.submission, report)
        except Exception as worse:
            log.error("fault_not_kept", submission=pending.submission.id, exc_info=worse)
            self.waitlist.leave(pending)
            fail(pending.report, worse)
            return
        self.waitlist.leave(pending)
        succeed(pending.report, report)

    def judge_again(self, exercise: Exercise, source: bytes, submission: SubmissionId) -> Json:
        """Judge a stored source by an exercise as it is now, recording nothing; blocks.

        It waits for a moment in which no learner waits: learners go first. Our own fault is told in
        the report.
        """
        while self._line.load().submissions or self._line.load().runs:
            time.sleep(QUIET_S)

        def job(expectations: Expectations) -> Job[Json]:
            def work(lane: Lane) -> Json | None:
                report = judge_submission(
                    self._sandbox, exercise, expectations, source, lane=lane, submission=submission
                )
                return None if report is None else to_json(report)

            return Job(self._ids.next(), "regrade", Kind.RUN, work)

        future = self._flow.put_after(self._exercises.expected(exercise), job, bounded=False)
        try:
            return future.result()
        except CancelledError:
            raise
        except Exception as error:  # noqa: BLE001 (the edge of a job, as in _our_fault)
            known = self._exercises.expecting.known(exercise)
            return fault_report(exercise, known, error, submission)
