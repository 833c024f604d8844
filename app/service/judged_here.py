"""The judge in this process: submissions go into its line, and their reports into the store.

One whose report could not be made by two tries gets one that says so.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

import structlog

from app.futures import fail, pass_on, succeed
from app.model import Exercise, Expectations, Lane, SubmissionId
from app.ports import GradeJob, Job, Kind, Line, Load
from app.records import Json, Submission
from app.service.exercises import Exercises
from app.service.flow import Flow
from app.service.grading import Grading

log = structlog.get_logger()

Find = Callable[[SubmissionId], tuple[Submission, Exercise]]
"""Gives a stored submission and its exercise."""


class EmbeddedJudge:
    """The port `Judge` on a line; safe to use from several threads."""

    def __init__(
        self, grading: Grading, exercises: Exercises, flow: Flow, line: Line, find: Find
    ) -> None:
        self._grading = grading
        self._exercises = exercises
        self._flow = flow
        self._line = line
        self._find = find

    def start(self) -> None:
        """Nothing of its own."""

    def left(self) -> tuple[SubmissionId, ...]:
        """All without a report: no other process judges them."""
        return self._grading.store.unreported()

    def judge(self, job: GradeJob) -> Future[Json]:
        """Put it in line as soon as its exercise's expectations are there."""
        submission, exercise = self._find(job.submission)
        report: Future[Json] = Future()

        def in_line(expectations: Expectations) -> Job[Json]:
            def work(lane: Lane) -> Json | None:
                about = (submission, exercise, expectations)
                return self._grading.grade(*about, see=job.see, lane=lane)

            return Job(submission.id, job.turn, Kind.SUBMISSION, work)

        queued = self._flow.put_after(self._exercises.expected(exercise), in_line, bounded=False)
        queued.add_done_callback(lambda done: self._finish(submission, exercise, done, report))
        return report

    def place(self, submission: SubmissionId) -> int | None:
        """How many jobs go before this one, plus one."""
        return self._line.place(submission)

    def wait_s(self) -> float:
        """Not known: the line refuses by its length."""
        return 0.0

    def load(self) -> Load:
        """The line's."""
        return self._line.load()

    def close(self, drain_s: float = 0.0) -> None:
        """Nothing of its own: the line ends its jobs."""

    def _finish(
        self, submission: Submission, exercise: Exercise, done: Future[Json], report: Future[Json]
    ) -> None:
        error = None if done.cancelled() else done.exception()
        if error is None:
            pass_on(done, report)
            return
        known = self._exercises.expecting.known(exercise)
        try:
            told = self._grading.record_fault(submission, exercise, known, error)
        except Exception as worse:
            log.error("fault_not_kept", submission=submission.id, exc_info=worse)
            fail(report, worse)
        else:
            succeed(report, told)
