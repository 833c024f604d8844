"""Submissions on their way to a report: who waits for which, and what follows the verdict.

A submission that is pending here is in the store without a report; a `Judge` makes one.
"""

from __future__ import annotations

import time
from concurrent.futures import CancelledError, Future

import structlog

from app.futures import pass_on
from app.model import Exercise, Expectations, Lane, SubmissionId, Verdict
from app.ports import Job, Judge, Kind
from app.records import Json, Submission
from app.report import to_json
from app.service.errors import NoSuchExercise, NoSuchSubmission
from app.service.exercises import Exercises
from app.service.faults import fault_report
from app.service.flow import Flow
from app.service.grading import Grading
from app.service.judged_here import EmbeddedJudge
from app.service.judging import judge_submission
from app.service.parts import Parts
from app.service.second_looks import SecondLooks
from app.service.tokens import Sequence
from app.service.waitlist import Pending, Waitlist

log = structlog.get_logger()

QUIET_S = 0.05
"""How often a regrade looks whether anybody waits."""


class SubmissionQueue:
    """Pending submissions and the judge that they wait for; safe to use from several threads."""

    def __init__(
        self, parts: Parts, exercises: Exercises, flow: Flow, ids: Sequence, looks: SecondLooks
    ) -> None:
        self.waitlist = Waitlist()
        self._looks = looks
        self._exercises = exercises
        self._flow = flow
        self._ids = ids
        self._store = parts.store.submissions
        self._jails = parts.jails
        self._line = parts.line
        self._is_shared = parts.judge is not None  # then dispatchers judge, regrades too
        grading = Grading(parts.jails, parts.store.submissions, parts.now)
        self.judge: Judge = parts.judge or EmbeddedJudge(
            grading, exercises, flow, parts.line, self._find
        )

    def take_up(self, stored: Submission) -> Pending:
        """Wait for a submission that was stored before and has no report. Raises NoSuchExercise."""
        exercise = self._exercises.get(stored.exercise)
        return self.enter(Pending(stored, exercise, stored.learner, see=True), reserved=False)

    def enter(self, pending: Pending, *, reserved: bool) -> Pending:
        """Have a submission judged; where it is pending already, the one that is comes back."""
        first = self.waitlist.enter(pending, reserved=reserved)
        if first is pending:
            if not self._is_shared:  # else a dispatcher does, when it has nothing else to do
                pending.report.add_done_callback(lambda done: self._look_again(pending, done))
            reported = self.judge.judge(pending.job)
            reported.add_done_callback(lambda done: self._finish(pending, done))
        return first

    def take_up_all(self) -> None:
        """Have those judged that an earlier process left, oldest first."""
        for submission in self.judge.left():
            stored = self._store.get(submission)
            if stored is None or stored.report is not None:
                continue
            try:
                self.take_up(stored)
            except NoSuchExercise:
                log.warning("not_judged", submission=submission, exercise=stored.exercise)

    def _find(self, submission: SubmissionId) -> tuple[Submission, Exercise]:
        pending = self.waitlist.get(submission)
        if pending is not None:
            return pending.submission, pending.exercise
        stored = self._store.get(submission)
        if stored is None:
            raise NoSuchSubmission(submission)
        return stored, self._exercises.get(stored.exercise)

    def _finish(self, pending: Pending, done: Future[Json]) -> None:
        self.waitlist.leave(pending)
        pass_on(done, pending.report)

    def _look_again(self, pending: Pending, done: Future[Json]) -> None:
        """The verdict is out; what was accepted is looked at again, behind everything else."""
        if done.cancelled() or done.exception() is not None:
            return
        known = self._exercises.expecting.known(pending.exercise)
        if known is not None and done.result()["verdict"] == Verdict.ACCEPTED:
            self._looks.begin(pending.submission, pending.turn, pending.exercise, known)

    def judge_again(self, exercise: Exercise, source: bytes, submission: SubmissionId) -> Json:
        """Judge a stored source by an exercise as it is now, recording nothing; blocks.

        It waits for a moment in which no learner waits: learners go first. Our own fault is told in
        the report.
        """
        while self.judge.load().submissions or self._line.load().runs:
            time.sleep(QUIET_S)

        def job(expectations: Expectations) -> Job[Json]:
            def work(lane: Lane) -> Json | None:
                report = judge_submission(
                    self._jails, exercise, expectations, source, lane=lane, submission=submission
                )
                return None if report is None else to_json(report)

            return Job(self._ids.next(), "regrade", Kind.RUN, work)

        future = self._flow.put_after(self._exercises.expected(exercise), job, bounded=False)
        try:
            return future.result()
        except CancelledError:
            raise
        except Exception as error:  # noqa: BLE001 (the edge of a job: whatever it is, it is ours)
            known = self._exercises.expecting.known(exercise)
            return fault_report(exercise, known, error, submission)
