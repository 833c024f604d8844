"""Submissions: stored first, then judged, then answered for ever with the same report.

    submit ─▶ store ─▶ (expectations) ─▶ line ─▶ sandbox, grader ─▶ store the report ─▶ verdict()

Whatever ends the process in between, the submission is without a report and is taken up again at
the next start.
"""

from __future__ import annotations

import hashlib
import time
from concurrent.futures import CancelledError, Future
from datetime import datetime

import structlog

from app import metrics
from app.class_ports import TriesUsedUp
from app.classroom.showing import shown, shown_attempt
from app.futures import fail, follower, pass_on, settled, succeed, then
from app.model import Exercise, Expectations, Lane, LearnerId, Slug, SubmissionId, Verdict
from app.ports import Job, Kind
from app.records import Attempt, Json, Learner, NewSubmission, Submission
from app.report import to_json
from app.service.attempt_tokens import AttemptTokens
from app.service.door import Door
from app.service.errors import NoSuchExercise, NoSuchSubmission, NoTriesLeft, Refused
from app.service.exercises import Exercises
from app.service.faults import fault_report
from app.service.flow import Flow
from app.service.judging import judge_submission
from app.service.parts import Parts
from app.service.replay import replay_json
from app.service.rulebook import shown_submission
from app.service.second_looks import SecondLooks
from app.service.tokens import Sequence, same, signed
from app.service.tracing import with_trace
from app.service.waitlist import Pending, Waitlist

log = structlog.get_logger()

QUIET_S = 0.05
"""How often a regrade looks whether anybody waits."""


class Submissions:
    """Takes, judges and gives back submissions; safe to use from several threads."""

    def __init__(
        self,
        parts: Parts,
        exercises: Exercises,
        door: Door,
        flow: Flow,
        ids: Sequence,
        looks: SecondLooks,
    ) -> None:
        self._looks = looks
        self._exercises = exercises
        self._door = door
        self._flow = flow
        self._ids = ids
        self._store = parts.store.submissions
        self._sandbox = parts.sandbox
        self._line = parts.line
        self._allowance = parts.allowance
        self._secret = parts.secret
        self._now = parts.now
        self._rulebook = parts.rulebook
        self._attempts = AttemptTokens(parts.secret)
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
        attempt: str | None = None,
    ) -> Submission:
        """Store a submission and queue it; `verdict` gives its report.

        With `see`, the report of one that is off also shows what the code does (shape trace,
        probe): for a page, since it takes as long again as the verdict.

        The same `key` with the same source gives the same submission again. Raises NoSuchExercise,
        ExerciseBroken (its author's fault), NoTriesLeft and Refused; in each case nothing was
        stored. Where an assignment is due, a Refused carries a token that says when this source
        was tried: sent along as `attempt`, it makes that the moment that counts.
        """
        who = self._door.learner(learner)
        exercise = self._exercises.get_for(who.id, slug)
        self._door.check_length(source)
        key = None if key is None else _bounded(key)
        known = key and self._store.known(who.id, slug, source, key)
        if known:
            metrics.SUBMISSIONS.labels("known").inc()
            return known
        try:
            self._let_in(who, exercise, address)
        except Refused as refused:
            metrics.SUBMISSIONS.labels(refused.kind).inc()
            if self._rulebook.due(who.id, slug):
                refused.attempt = attempt or self._attempts.made(who.id, slug, source, self._now())
            raise
        new = self._new(who.id, exercise.slug, source, key, attempt)
        return self._keep(new, exercise, self._door.turn(who, address), see)

    def _new(
        self, who: LearnerId, slug: Slug, source: bytes, key: str | None, attempt: str | None
    ) -> NewSubmission:
        now = self._now()
        tried = attempt and self._attempts.read(attempt, who, slug, source, now)
        return NewSubmission(
            SubmissionId(self._ids.next()),
            who,
            slug,
            source,
            now,
            key,
            attempted_at=tried or None,
            limit=self._rulebook.limit(who, slug, tried or now),
        )

    def verdict(self, submission: SubmissionId) -> Future[Json]:
        """The report once there is one, as JSON (format 1); cancelling this future does no harm.

        It is cancelled where the server closes first. Raises NoSuchSubmission, and NoSuchExercise
        where the exercise of an unjudged submission is offered no more.
        """
        pending = self._waitlist.get(submission)
        if pending is not None:
            return self._once_reported(pending)
        stored = self._store.get(submission)
        if stored is None:
            raise NoSuchSubmission(submission)
        shown = shown_submission(stored, self._rulebook).report
        return settled(shown) if shown is not None else self._once_reported(self._take_up(stored))

    def _once_reported(self, pending: Pending) -> Future[Json]:
        """The report of a submission to come, as its learner may see it then."""
        mine = pending.submission

        def as_shown(done: Future[Json]) -> Json:
            return shown(done.result(), self._rulebook.rules(mine.learner, mine.exercise))

        return then(follower(pending.report), as_shown)

    def get(
        self,
        submission: SubmissionId,
        learner: LearnerId | None = None,
        read_token: str | None = None,
    ) -> Submission:
        """A submission, for its learner or a holder of its `read_token`; else NoSuchSubmission."""
        found = self._store.get(submission)
        if found is None:
            raise NoSuchSubmission(submission)
        allowed = learner is not None and self._door.learner(learner).id == found.learner
        if not allowed and read_token is not None:
            allowed = same(read_token, self.read_token(submission))
        if not allowed or not self._is_there(found, learner):
            raise NoSuchSubmission(submission)
        return shown_submission(found, self._rulebook)

    def _is_there(self, found: Submission, learner: LearnerId | None) -> bool:
        """Whether the exercise is there for who reads: a reserved one needs more than a token."""
        reader = LearnerId("nobody") if learner is None else self._door.learner(learner).id
        return self._rulebook.open_to(reader, found.exercise)

    def read_token(self, submission: SubmissionId) -> str:
        """128 bits that let a client without a cookie read this one submission."""
        return signed(self._secret, "read", submission.encode())

    def history(self, learner: LearnerId, slug: Slug) -> tuple[Attempt, ...]:
        """The learner's submissions for an exercise, newest first."""
        rules = self._rulebook.rules(learner, slug)
        return tuple(shown_attempt(one, rules) for one in self._store.history(learner, slug))

    def replay(self, submission: Submission) -> Json:
        """Everything `mlgrind grade --replay` needs to judge this submission again elsewhere."""
        return replay_json(submission)

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

    def place(self, submission: SubmissionId) -> int | None:
        """The submission's place in line, 1 for the next; None when it does not wait in line."""
        return self._line.place(submission)

    def _let_in(self, who: Learner, exercise: Exercise, address: str) -> None:
        """Raise Refused or ExerciseBroken, or reserve one of the learner's outstanding places."""
        self._exercises.get_sound(exercise.slug)
        self._door.check_sandbox()
        self._door.check_disk()
        if len(self._waitlist) >= self._allowance.line:
            raise self._door.refusal("line_full", 5, "The line is full. Your code is kept here.")
        if self._waitlist.turn_has(self._door.turn(who, address)) >= self._allowance.share_of_line:
            message = "Much of the line comes from your network. Your code is kept here."
            raise self._door.refusal("line_full", 5, message)
        if not self._waitlist.reserve(who.id, self._allowance.outstanding):
            message = "Your last submissions are still being judged. Wait for their reports."
            raise self._door.refusal("too_many", 1, message)
        try:
            self._door.admit(who, address, "submission")
        except Refused:
            self._waitlist.release(who.id)
            raise

    def _keep(self, new: NewSubmission, exercise: Exercise, turn: str, see: bool) -> Submission:
        fresh = False
        try:
            submission, fresh = self._store.add(new)
        except TriesUsedUp:
            message = "You have used all tries of this assignment. Your code is kept here."
            raise NoTriesLeft(message) from None
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
        exercise = self._exercises.get(stored.exercise)
        return self._enter(Pending(stored, exercise, stored.learner, see=True), reserved=False)

    def _enter(self, pending: Pending, *, reserved: bool) -> Pending:
        first = self._waitlist.enter(pending, reserved=reserved)
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
                self._take_up(stored)
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
        self._waitlist.leave(pending)
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
            self._waitlist.leave(pending)
            fail(pending.report, worse)
            return
        self._waitlist.leave(pending)
        succeed(pending.report, report)


def _bounded(key: str) -> str:
    """A client's key may be anything; what is kept of it is of one length and plain."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
