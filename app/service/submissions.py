"""Submissions: stored first, then judged, then answered for ever with the same report.

    submit ─▶ store ─▶ (expectations) ─▶ line ─▶ sandbox, grader ─▶ store the report ─▶ verdict()

Whatever ends the process in between, the submission is without a report and is taken up again at
the next start.
"""

from __future__ import annotations

import hashlib
from concurrent.futures import Future
from datetime import datetime

from app import metrics
from app.classroom.showing import shown, shown_attempt
from app.futures import follower, settled, then
from app.model import Exercise, LearnerId, Slug, SubmissionId
from app.ports import GradeJob, TooManyInLine
from app.ports.classes import TriesUsedUp
from app.records import Attempt, Json, Learner, NewSubmission, Submission
from app.service.attempt_tokens import AttemptTokens
from app.service.door import Door
from app.service.errors import NoSuchSubmission, NoTriesLeft, Refused
from app.service.exercises import Exercises
from app.service.parts import Parts
from app.service.replay import replay_json
from app.service.rulebook import shown_submission
from app.service.submission_queue import SubmissionQueue
from app.service.tokens import Sequence, same, signed
from app.service.waitlist import Pending

STILL_JUDGED = "Your last submissions are still being judged. Wait for their reports."
LONG_WAIT_S = 20.0
"""Nothing more is taken where it would wait longer."""


class Submissions:
    """Takes submissions and gives back their reports; safe to use from several threads."""

    def __init__(
        self,
        parts: Parts,
        exercises: Exercises,
        door: Door,
        queue: SubmissionQueue,
        ids: Sequence,
    ) -> None:
        self._queue = queue
        self._exercises = exercises
        self._door = door
        self._ids = ids
        self._store = parts.store.submissions
        self._allowance = parts.allowance
        self._secret = parts.secret
        self._now = parts.now
        self._rulebook = parts.rulebook
        self._attempts = AttemptTokens(parts.secret)

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
            self._store.settle()
            return known
        try:
            self._let_in(who, exercise, address)
        except Refused as refused:
            metrics.SUBMISSIONS.labels(refused.kind).inc()
            if self._rulebook.due(who.id, slug):
                at = self.moment(who.id, slug, source, attempt)
                refused.attempt = self._attempts.made(who.id, slug, source, at)
            raise
        new = self._new(who.id, exercise.slug, source, key, attempt)
        return self._keep(new, exercise, self._door.turn(who, address), see)

    def sent_before(self, learner: LearnerId, slug: Slug, source: bytes, key: str | None) -> bool:
        """Whether this key brought this source before: then it is no new try."""
        who = self._door.learner(learner).id
        return key is not None and bool(self._store.known(who, slug, source, _bounded(key)))

    def moment(self, who: LearnerId, slug: Slug, source: bytes, attempt: str | None) -> datetime:
        """The moment that counts: now, or when this source was refused before."""
        now = self._now()
        tried = attempt and self._attempts.read(attempt, who, slug, source, now)
        return tried or now

    def _new(
        self, who: LearnerId, slug: Slug, source: bytes, key: str | None, attempt: str | None
    ) -> NewSubmission:
        now, at = self._now(), self.moment(who, slug, source, attempt)
        return NewSubmission(
            SubmissionId(self._ids.next()),
            who,
            slug,
            source,
            now,
            key,
            attempted_at=None if at >= now else at,
            limit=self._rulebook.limit(who, slug, at),
        )

    def verdict(self, submission: SubmissionId) -> Future[Json]:
        """The report once there is one, as JSON (format 1); cancelling this future does no harm.

        It is cancelled where the server closes first. Raises NoSuchSubmission, and NoSuchExercise
        where the exercise of an unjudged submission is offered no more.
        """
        pending = self._queue.waitlist.get(submission)
        if pending is not None:
            return self._once_reported(pending)
        stored = self._store.get(submission)
        if stored is None:
            raise NoSuchSubmission(submission)
        shown = shown_submission(stored, self._rulebook).report
        return (
            settled(shown)
            if shown is not None
            else self._once_reported(self._queue.take_up(stored))
        )

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

    def part(self, hashed: bytes) -> object | None:
        """What stored reports share under the SHA-256 of its JSON, None where there is nothing."""
        return self._store.part(hashed)

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

    def place(self, submission: SubmissionId) -> int | None:
        """The submission's place in line, 1 for the next; None when it does not wait in line."""
        return self._queue.judge.place(submission)

    def _let_in(self, who: Learner, exercise: Exercise, address: str) -> None:
        """Raise Refused or ExerciseBroken, or reserve one of the learner's outstanding places."""
        self._exercises.get_sound(exercise.slug)
        self._door.check_jail(now=False)
        self._door.check_disk()
        waitlist, turn = self._queue.waitlist, self._door.turn(who, address)
        wait_s = self._queue.judge.wait_s()
        if wait_s > LONG_WAIT_S:
            message = "Many submissions wait to be judged. Your code is kept here."
            raise self._door.refusal("line_full", min(wait_s, LONG_WAIT_S / 2), message)
        if len(waitlist) >= self._allowance.line:
            raise self._door.refusal("line_full", 5, "The line is full. Your code is kept here.")
        if waitlist.turn_has(turn) >= self._allowance.share_of_line:
            message = "Much of the line comes from your network. Your code is kept here."
            raise self._door.refusal("line_full", 5, message)
        if not waitlist.reserve(who.id, self._allowance.outstanding):
            raise self._door.refusal("too_many", 1, STILL_JUDGED)
        try:
            self._door.admit(who, address, "submission")
        except Refused:
            waitlist.release(who.id)
            raise

    def _keep(self, new: NewSubmission, exercise: Exercise, turn: str, see: bool) -> Submission:
        fresh = False
        try:
            group = self._rulebook.group(new.learner, new.exercise)
            submission, fresh = self._store.add(new, GradeJob(new.id, turn, see, group))
        except TooManyInLine:
            raise self._door.refusal("too_many", 1, STILL_JUDGED) from None
        except TriesUsedUp:
            message = "You have used all tries of this assignment. Your code is kept here."
            raise NoTriesLeft(message) from None
        finally:
            if not fresh:
                self._queue.waitlist.release(new.learner)
        metrics.SUBMISSIONS.labels("accepted" if fresh else "known").inc()
        if fresh:
            reserved = submission.learner == new.learner
            if not reserved:  # joined to another a moment ago
                self._queue.waitlist.release(new.learner)
            self._queue.enter(Pending(submission, exercise, turn, see), reserved=reserved)
        self._store.settle()  # it is judged meanwhile
        return submission


def _bounded(key: str) -> str:
    """A client's key may be anything; what is kept of it is of one length and plain."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
