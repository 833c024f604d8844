"""What the core asks of the store: everything durable."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Protocol

from app.model import LearnerId, Slug, SubmissionId
from app.ports.judges import GradeJob
from app.records import (
    Attempt,
    Draft,
    Drafts,
    ExportRow,
    FollowUpAnswer,
    Hole,
    Json,
    Learner,
    NewSubmission,
    Progress,
    Revealed,
    SecondLook,
    Submission,
    WorkSummary,
)


class TooManyInLine(Exception):
    """The learner has as many submissions in line as one may; nothing was stored."""


class StoreAway(Exception):
    """The database does not answer just now, or its disk is full; nothing was written.

    The text is its own words, for the log.
    """

    def __init__(self, words: str, *, disk_full: bool = False) -> None:
        super().__init__(words)
        self.disk_full = disk_full


class SubmissionStore(Protocol):
    """Submissions and their reports."""

    def add(self, new: NewSubmission, job: GradeJob | None = None) -> tuple[Submission, bool]:
        """Store; the flag is false where key, learner, exercise and source were known.

        Where the database also holds the queue, `job` is put into it in the same transaction. A
        power cut may undo it until `settle` has returned; nothing else does.
        """

    def settle(self) -> None:
        """Wait until what was added before is durable: then its caller may hear of it."""

    def known(self, learner: LearnerId, slug: Slug, source: bytes, key: str) -> Submission | None:
        """The submission stored before under this key with this source, if any."""

    def get(self, submission: SubmissionId) -> Submission | None:
        """One submission with its report."""

    def unreported(self) -> tuple[SubmissionId, ...]:
        """Those without a report, oldest first."""

    def faults(self) -> tuple[SubmissionId, ...]:
        """Those whose report says that it was our fault, oldest first."""

    def record(self, submission: SubmissionId, report: Json, at: datetime) -> bool:
        """Store a report once; false where there is one already or the submission is gone."""

    def correct(self, submission: SubmissionId, report: Json, at: datetime) -> bool:
        """Store a report in place of one that was our fault; false where there is none such."""

    def replace(self, submission: SubmissionId, report: Json, at: datetime) -> bool:
        """Put a report in the place of any that stands, which is kept; false where there is none.

        For a verdict that was a lie: no submission is judged anew for less.
        """

    def part(self, hashed: bytes) -> object | None:
        """What stored reports share under the SHA-256 of its JSON, None where there is nothing."""

    def shrink(self, most: int) -> bool:
        """Make up to `most` old reports small; whether there may be more. Nothing else changes.

        With 0 it only notes up to where all are judged, so that `unreported` looks at no others.
        """

    def history(self, learner: LearnerId, slug: Slug) -> tuple[Attempt, ...]:
        """A learner's submissions for an exercise, newest first."""

    def progress(self, learner: LearnerId) -> tuple[Progress, ...]:
        """What was done with each exercise the learner ever touched, by slug."""

    def export(self) -> Iterator[ExportRow]:
        """Every submission, oldest first."""


class LearnerStore(Protocol):
    """Who is learning, and the codes that carry work to another device."""

    def get(self, learner: LearnerId) -> Learner:
        """The learner, or the one it was joined to; without a row `created_at` is None."""

    def rename(self, learner: LearnerId, name: str, at: datetime) -> None:
        """Set the name, "" for none."""

    def set_code(self, learner: LearnerId, code_hash: bytes, at: datetime) -> None:
        """Keep a recovery code's hash in place of an earlier one."""

    def by_code(self, code_hash: bytes) -> LearnerId | None:
        """Whose code this is."""

    def use_code(self, code_hash: bytes, replacement: bytes, at: datetime) -> LearnerId | None:
        """Replace a code by the next; None where another use came first."""

    def summary(self, learner: LearnerId) -> WorkSummary:
        """Counts and dates of a learner's work."""

    def join(self, gone: LearnerId, into: LearnerId, at: datetime) -> None:
        """Move all work of one learner to another, once and whole."""


class LadderStore(Protocol):
    """Hints and solutions revealed, and answers to follow-up questions."""

    def revealed(self, learner: LearnerId, slug: Slug) -> Revealed:
        """How far down the ladder the learner is."""

    def reveal_hint(self, learner: LearnerId, slug: Slug, number: int, at: datetime) -> None:
        """Record a hint once."""

    def reveal_solution(self, learner: LearnerId, slug: Slug, at: datetime) -> None:
        """Record that the reference was shown, once."""

    def answer(self, learner: LearnerId, answer: FollowUpAnswer) -> None:
        """Keep an answer in place of the last to the same question."""

    def answers(self, learner: LearnerId, slug: Slug) -> tuple[FollowUpAnswer, ...]:
        """The last answer to each question, by number."""


class DraftStore(Protocol):
    """Texts being written."""

    def save(self, learner: LearnerId, draft: Draft, base: str | None) -> Drafts:
        """Keep the device's text; the draft whose version is `base`, grown out of, goes."""

    def all(self, learner: LearnerId, slug: Slug) -> Drafts:
        """The newest and the others."""

    def drop(self, learner: LearnerId, slug: Slug, version: str) -> None:
        """Forget one text."""


class LinkStore(Protocol):
    """Links to read-only copies of single submissions; tokens are kept as hashes."""

    def share(
        self, submission: SubmissionId, token_hash: bytes, nonce: bytes, at: datetime
    ) -> None:
        """Keep a token's hash in place of an earlier one."""

    def nonce(self, submission: SubmissionId) -> bytes | None:
        """What the token in force was made from, or None where the submission is not shared."""

    def shared(self, token_hash: bytes) -> SubmissionId | None:
        """The submission a token opens."""

    def revoke(self, submission: SubmissionId) -> None:
        """Forget the token; the link is dead from now on."""


class LookStore(Protocol):
    """Second looks at accepted submissions, and the holes they found."""

    def record(self, look: SecondLook) -> None:
        """Keep a look once; nothing where the submission is gone."""

    def get(self, submission: SubmissionId) -> SecondLook | None:
        """The look at a submission, where there was one."""

    def holes(self) -> tuple[Hole, ...]:
        """By exercise, those that most submissions fell into first."""


class Store(Protocol):
    """Everything durable. Each write is one transaction, on disk when the method returns.

    Each property is a port of this name; that port's docstring says what it is (hence D102).
    """

    @property
    def submissions(self) -> SubmissionStore: ...  # noqa: D102
    @property
    def learners(self) -> LearnerStore: ...  # noqa: D102
    @property
    def ladder(self) -> LadderStore: ...  # noqa: D102
    @property
    def drafts(self) -> DraftStore: ...  # noqa: D102
    @property
    def links(self) -> LinkStore: ...  # noqa: D102
    @property
    def looks(self) -> LookStore: ...  # noqa: D102
    @property
    def shared(self) -> bool: ...  # noqa: D102 (servers of several releases may use it at once)

    def does_chores(self) -> bool:
        """Whether this process, of several, is the one that does what is to be done once."""

    def answers(self) -> bool:
        """Whether the database answers, with the schema that this code knows."""

    def close(self) -> None:
        """Let the connections go."""
