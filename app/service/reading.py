"""What a learner may read again: a submission, a history, what they did with each exercise."""

from __future__ import annotations

from app.model import LearnerId, Slug, SubmissionId
from app.records import Attempt, Progress, Submission
from app.service.door import Core
from app.service.errors import NoSuchSubmission
from app.service.tokens import same, signed


class Reading(Core):
    """The use cases that change nothing."""

    def submission(
        self,
        submission: SubmissionId,
        learner: LearnerId | None = None,
        read_token: str | None = None,
    ) -> Submission:
        """A submission, for its learner or whoever has its `read_token`; else NoSuchSubmission."""
        found = self._parts.store.submissions.get(submission)
        if found is None:
            raise NoSuchSubmission(submission)
        allowed = learner is not None and self.learner(learner).id == found.learner
        if not allowed and read_token is not None:
            allowed = same(read_token, self.read_token(submission))
        if not allowed:
            raise NoSuchSubmission(submission)
        return found

    def read_token(self, submission: SubmissionId) -> str:
        """128 bits that let a client without a cookie read this one submission."""
        return signed(self._parts.secret, "read", submission.encode())

    def history(self, learner: LearnerId, slug: Slug) -> tuple[Attempt, ...]:
        """The learner's submissions for an exercise, newest first."""
        return self._parts.store.submissions.history(learner, slug)

    def progress(self, learner: LearnerId) -> tuple[Progress, ...]:
        """What the learner did with each exercise offered, in the order of `exercises()`."""
        done = {row.exercise: row for row in self._parts.store.submissions.progress(learner)}
        return tuple(
            done.get(exercise.slug, Progress(exercise.slug, "new")) for exercise in self.exercises()
        )
