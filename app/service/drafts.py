"""What a learner keeps and shows: drafts, links to a submission, reports on the grader itself."""

from __future__ import annotations

import hashlib
import secrets

from app.model import LearnerId, Slug, SubmissionId
from app.records import Draft, Drafts, Json, Submission
from app.service.door import Core
from app.service.errors import NoSuchSubmission
from app.service.replay import replay_json
from app.service.tokens import signed, token_hash


class Keeping(Core):
    """The use cases around drafts, links and replays."""

    def save_draft(
        self,
        learner: LearnerId,
        slug: Slug,
        source: bytes,
        *,
        base: str | None,
        device: str,
        address: str = "",
    ) -> Drafts:
        """Keep a text as it is typed; `base` is the version it grew out of, `device` a tab's id.

        Texts are never merged: one that did not grow out of the others stands beside them, and
        the newest is the one to open. Raises NoSuchExercise and Refused.
        """
        exercise = self.exercise(slug)
        self._check_length(source)
        who = self.learner(learner)
        self._admit(who, address, "write")
        draft = Draft(exercise.slug, source, self._ids.next(), _device(device), self._parts.now())
        return self._parts.store.drafts.save(who.id, draft, base)

    def drafts(self, learner: LearnerId, slug: Slug) -> Drafts:
        """The text to open and the others, newest first."""
        return self._parts.store.drafts.all(learner, self.exercise(slug).slug)

    def drop_draft(self, learner: LearnerId, slug: Slug, version: str) -> None:
        """Forget one text, at the learner's wish."""
        self._parts.store.drafts.drop(learner, slug, version)

    def share(self, submission: SubmissionId, learner: LearnerId) -> str:
        """The token of a link to a read-only copy of the learner's submission; the same each time.

        Only its hash is stored. Raises NoSuchSubmission for somebody else's.
        """
        self._own(submission, learner)
        links = self._parts.store.links
        nonce = links.nonce(submission)
        if nonce is not None:
            token = self._token(submission, nonce)
            if links.shared(token_hash(token)) == submission:
                return token
        nonce = secrets.token_bytes(16)
        token = self._token(submission, nonce)
        links.share(submission, token_hash(token), nonce, self._parts.now())
        return token

    def share_token(self, submission: SubmissionId, learner: LearnerId) -> str | None:
        """The token in force, or None where the submission is not shared."""
        self._own(submission, learner)
        nonce = self._parts.store.links.nonce(submission)
        return None if nonce is None else self._token(submission, nonce)

    def revoke(self, submission: SubmissionId, learner: LearnerId) -> None:
        """End a link; whoever has it sees nothing from now on, and a new one is another."""
        self._own(submission, learner)
        self._parts.store.links.revoke(submission)

    def shared(self, token: str) -> Submission:
        """The submission behind a link. Raises NoSuchSubmission, also after revoking."""
        found = self._parts.store.links.shared(token_hash(token))
        submission = None if found is None else self._parts.store.submissions.get(found)
        if submission is None:
            raise NoSuchSubmission("no such link")
        return submission

    def replay_report(self, submission: Submission) -> Json:
        """Everything `mlgrind grade --replay` needs to judge this submission again elsewhere."""
        return replay_json(submission)

    def _own(self, submission: SubmissionId, learner: LearnerId) -> Submission:
        found = self._parts.store.submissions.get(submission)
        if found is None or found.learner != self.learner(learner).id:
            raise NoSuchSubmission(submission)
        return found

    def _token(self, submission: SubmissionId, nonce: bytes) -> str:
        return signed(self._parts.secret, "share", submission.encode() + b":" + nonce)


def _device(device: str) -> str:
    """A tab's own id may be anything; what is kept of it is short and plain."""
    if 0 < len(device) <= 64 and device.isascii() and device.isprintable():
        return device
    return hashlib.sha256(device.encode("utf-8", "surrogatepass")).hexdigest()
