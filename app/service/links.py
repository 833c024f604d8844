"""Links to a read-only copy of a submission, for all who have the address until it is revoked."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from app.model import LearnerId, SubmissionId
from app.ports import LinkStore, SubmissionStore
from app.records import Submission
from app.service.door import Door
from app.service.errors import NoSuchSubmission
from app.service.rulebook import Rulebook, shown_submission
from app.service.tokens import signed, token_hash


@dataclass(frozen=True)
class Links:
    """Makes, finds and ends links; only a token's hash is stored."""

    door: Door
    store: LinkStore
    submissions: SubmissionStore
    secret: bytes
    rulebook: Rulebook
    now: Callable[[], datetime]

    def share(self, submission: SubmissionId, learner: LearnerId, *, address: str = "") -> str:
        """The token of a link to a read-only copy of the learner's submission; the same each time.

        Only its hash is stored. Raises NoSuchSubmission for somebody else's, and Refused.
        """
        self._own(submission, learner)
        self.door.admit(self.door.learner(learner), address, "write")
        nonce = self.store.nonce(submission)
        if nonce is not None:
            token = self._token(submission, nonce)
            if self.store.shared(token_hash(token)) == submission:
                return token
        nonce = secrets.token_bytes(16)
        token = self._token(submission, nonce)
        self.store.share(submission, token_hash(token), nonce, self.now())
        return token

    def token(self, submission: SubmissionId, learner: LearnerId) -> str | None:
        """The token in force, or None where the submission is not shared."""
        self._own(submission, learner)
        nonce = self.store.nonce(submission)
        return None if nonce is None else self._token(submission, nonce)

    def revoke(self, submission: SubmissionId, learner: LearnerId, *, address: str = "") -> None:
        """End a link; it shows nothing from now on, and a new one is another."""
        self._own(submission, learner)
        self.door.admit(self.door.learner(learner), address, "write", writes=False)
        self.store.revoke(submission)

    def shared(self, token: str) -> Submission:
        """The submission behind a link. Raises NoSuchSubmission, also after revoking."""
        found = self.store.shared(token_hash(token))
        submission = None if found is None else self.submissions.get(found)
        nobody = LearnerId("nobody")
        if submission is None or not self.rulebook.open_to(nobody, submission.exercise):
            raise NoSuchSubmission("no such link")
        return shown_submission(submission, self.rulebook)

    def _own(self, submission: SubmissionId, learner: LearnerId) -> Submission:
        found = self.submissions.get(submission)
        if found is None or found.learner != self.door.learner(learner).id:
            raise NoSuchSubmission(submission)
        return found

    def _token(self, submission: SubmissionId, nonce: bytes) -> str:
        return signed(self.secret, "share", submission.encode() + b":" + nonce)
