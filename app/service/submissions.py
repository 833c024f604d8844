"""Submissions: stored first, then judged, then answered for ever with the same report.

    submit ─▶ store ─▶ (expectations) ─▶ line ─▶ sandbox, grader ─▶ store the report ─▶ verdict()

Whatever ends the process in between, the submission is without a report and is taken up again at
the next start.
"""

from __future__ import annotations

import hashlib
from concurrent.futures import Future
from datetime import datetime

import structlog

from app import metrics
from app.model import Exercise, Expectations, Lane, LearnerId, Slug, SubmissionId, Verdict
from app.ports import Job, Kind, LineFull
from app.records import Json, Learner, NewSubmission, Submission
from app.report import to_json
from app.service.door import MIN_FREE_BYTES, Core, Parts
from app.service.errors import ExerciseBroken, NoSuchExercise, NoSuchSubmission, Refused
from app.service.faults import fault_report
from app.service.futures import fail, follower, pass_on, settled, succeed
from app.service.judging import judge_submission
from app.service.tracing import traced_case, with_sight
from app.service.waitlist import Pending, Waitlist

log = structlog.get_logger()


class Submitting(Core):
    """The use cases around submissions."""

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        self._waitlist = Waitlist()

    def submit(
        self,
        learner: LearnerId,
        slug: Slug,
        source: bytes,
        *,
        key: str | None = None,
        address: str = "",
        see: bool = False,
    ) -> Submission:
        """Store a submission and queue it; `verdict` gives its report.

        With `see`, the report of one that is off also shows what the code does (shape trace,
        probe): for a page, since it takes as long again as the verdict.

        The same `key` with the same source gives the same submission again. Raises NoSuchExercise,
        ExerciseBroken (its author's fault) and Refused; in each case nothing was stored.
        """
        exercise = self.exercise(slug)
        self._check_length(source)
        who = self.learner(learner)
        key = None if key is None else _bounded(key)
        known = key and self._parts.store.submissions.known(who.id, slug, source, key)
        if known:
            metrics.SUBMISSIONS.labels("known").inc()
            return known
        try:
            self._let_in(who, exercise, address)
        except Refused as refused:
            metrics.SUBMISSIONS.labels(refused.kind).inc()
            raise
        new = NewSubmission(
            SubmissionId(self._ids.next()), who.id, exercise.slug, source, self._parts.now(), key
        )
        return self._store(new, exercise, self._turn(who, address), see)

    def verdict(self, submission: SubmissionId) -> Future[Json]:
        """The report once there is one, as JSON (format 1); cancelling this future harms nobody.

        It is cancelled where the server closes first. Raises NoSuchSubmission, and NoSuchExercise
        where the exercise of an unjudged submission is offered no more.
        """
        pending = self._waitlist.get(submission)
        if pending is not None:
            return follower(pending.report)
        stored = self._parts.store.submissions.get(submission)
        if stored is None:
            raise NoSuchSubmission(submission)
        if stored.report is not None:
            return settled(stored.report)
        return follower(self._take_up(stored).report)

    def place(self, submission: SubmissionId) -> int | None:
        """The submission's place in line, 1 for the next; None when it does not wait in line."""
        return self._parts.line.place(submission)

    def _let_in(self, who: Learner, exercise: Exercise, address: str) -> None:
        """Raise Refused or ExerciseBroken, or reserve one of the learner's outstanding places."""
        complaints = self._parts.expecting.complaints(exercise.slug)
        if complaints:
            raise ExerciseBroken(exercise.slug, complaints)
        self._check_wall()
        if self._parts.free_bytes(self._parts.data) < MIN_FREE_BYTES:
            message = "The disk of this server is nearly full, so we take no new submissions."
            raise self._refused("disk_full", 30, message)
        allowance = self._parts.allowance
        if len(self._waitlist) >= allowance.line:
            raise self._refused("line_full", 5, "The line is full. Your code is kept here.")
        if not self._waitlist.reserve(who.id, allowance.outstanding):
            message = "Your last submissions are still being judged. Wait for their reports."
            raise self._refused("too_many", 1, message)
        try:
            self._admit(who, address, "submission")
        except Refused:
            self._waitlist.release(who.id)
            raise

    def _store(self, new: NewSubmission, exercise: Exercise, turn: str, see: bool) -> Submission:
        fresh = False
        try:
            submission, fresh = self._parts.store.submissions.add(new)
        finally:
            if not fresh:
                self._waitlist.release(new.learner)
        metrics.SUBMISSIONS.labels("accepted" if fresh else "known").inc()
        if fresh:
            reserved = submission.learner == new.learner
            if not reserved:  # joined to another a moment ago
                self._waitlist.release(new.learner)
            self._enter(Pending(submission, exercise, turn, see), reserved=reserved)
        return submission

    def _take_up(self, stored: Submission) -> Pending:
        """Queue a submission that was stored before and has no report. Raises NoSuchExercise."""
        exercise = self.exercise(stored.exercise)
        return self._enter(Pending(stored, exercise, stored.learner, see=True), reserved=False)

    def _enter(self, pending: Pending, *, reserved: bool) -> Pending:
        first = self._waitlist.enter(pending, reserved=reserved)
        if first is pending:
            self._queue(pending)
        return first

    def _take_up_all(self) -> None:
        """Refill the line from the store, oldest first."""
        for submission in self._parts.store.submissions.unreported():
            stored = self._parts.store.submissions.get(submission)
            if stored is None or stored.report is not None:
                continue
            try:
                self._take_up(stored)
            except NoSuchExercise:
                log.warning("not_judged", submission=submission, exercise=stored.exercise)

    def _queue(self, pending: Pending) -> None:
        """Put it in line as soon as its exercise's expectations are there."""
        expected = self._parts.expecting.get(pending.exercise)
        expected.add_done_callback(lambda done: self._expected(pending, done))

    def _expected(self, pending: Pending, expected: Future[Expectations]) -> None:
        if expected.cancelled():
            self._waitlist.leave(pending)
            pending.report.cancel()
            return
        error = expected.exception()
        if error is not None:
            self._our_fault(pending, error)
            return
        expectations = expected.result()
        job = Job(
            pending.submission.id,
            pending.turn,
            Kind.SUBMISSION,
            lambda lane: self._grade(pending, expectations, lane),
        )
        try:
            future = self._parts.line.put(job, bounded=False)
        except LineFull:  # closed: the submission is stored, the next start takes it up
            self._waitlist.leave(pending)
            pending.report.cancel()
            return
        future.add_done_callback(lambda done: self._judged(pending, done))

    def _grade(self, pending: Pending, expectations: Expectations, lane: Lane) -> Json | None:
        """The job: judge, store the report, and only then give it away."""
        submission = pending.submission
        report = judge_submission(
            self._parts.sandbox,
            pending.exercise,
            expectations,
            submission.source,
            lane=lane,
            submission=submission.id,
        )
        if report is None:
            return None
        if pending.see and report.verdict is not Verdict.ACCEPTED and lane is Lane.FAST:
            case = traced_case(pending.exercise, expectations, None)
            seen = (self._parts.sandbox, pending.exercise, expectations, submission.source)
            report = with_sight(*seen, report, case)
        return self._record(submission, to_json(report))

    def _record(self, submission: Submission, report: Json) -> Json:
        now: datetime = self._parts.now()
        if self._parts.store.submissions.record(submission.id, report, now):
            metrics.VERDICTS.labels(str(report["verdict"])).inc()
            metrics.LATENCY.observe((now - submission.created_at).total_seconds())
        else:
            log.warning("report_not_kept", submission=submission.id)
        return report

    def _judged(self, pending: Pending, done: Future[Json]) -> None:
        error = None if done.cancelled() else done.exception()
        if error is not None:
            self._our_fault(pending, error)
            return
        self._waitlist.leave(pending)
        pass_on(done, pending.report)

    def _our_fault(self, pending: Pending, error: BaseException) -> None:
        """Two tries failed: the learner gets a report that says so, and nothing is counted."""
        known = self._parts.expecting.known(pending.exercise)
        report = fault_report(pending.exercise, known, error, pending.submission.id)
        try:
            self._record(pending.submission, report)
        except Exception as worse:
            log.error("fault_not_kept", submission=pending.submission.id, exc_info=worse)
            self._waitlist.leave(pending)
            fail(pending.report, worse)
            return
        self._waitlist.leave(pending)
        succeed(pending.report, report)


def _bounded(key: str) -> str:
    """A client's key may be anything; what is kept of it is of one length and plain."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
