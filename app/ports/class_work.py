"""The seams of classes: what learners did, judged anew, and what staff did.

Each write is one transaction, on disk when the method returns. `storage/` has the real ones; a fake
of each passes the same contract suite.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Protocol

from app.model import LearnerId, Slug, SubmissionId
from app.model.classes import (
    AuditEntry,
    ClassId,
    DeletionRequest,
    Program,
    Regrade,
    Regraded,
    RegradeRule,
    RegradeState,
    Try,
)
from app.records import Json


class ClassRecords(Protocol):
    """What learners of a class did, as its pages need it."""

    def tries(self, class_id: ClassId, *, mistakes: bool = True) -> tuple[Try, ...]:
        """Every submission of the class's learners on its exercises, with hints open then.

        `mistakes`: with the misconceptions that their reports name, which no grade hangs on.
        """

    def tries_of(
        self, learner: LearnerId, exercises: Sequence[Slug], *, mistakes: bool = False
    ) -> tuple[Try, ...]:
        """One learner's on some exercises, oldest first; `mistakes` as for all."""

    def changed_at(self, class_id: ClassId) -> str:
        """A text that differs after anything on the board changed."""

    def hints(self, class_id: ClassId) -> tuple[tuple[LearnerId, Slug, datetime], ...]:
        """When which hint was opened."""

    def programs(self, class_id: ClassId, exercise: Slug | None = None) -> tuple[Program, ...]:
        """The texts of the class's submissions, oldest first."""

    def showing(
        self, class_id: ClassId, exercise: Slug, misconception: str
    ) -> tuple[SubmissionId, ...]:
        """Submissions of active learners whose report names a misconception, oldest first."""

    def kept_of(self, learner: LearnerId) -> Json:
        """All that is kept of a learner, for them to take along."""

    def delete(self, learner: LearnerId, at: datetime) -> None:
        """Delete a learner and all their work, in one transaction; enrolments are blanked."""

    def delete_idle(self, learner: LearnerId, before: datetime, at: datetime) -> bool:
        """Delete a learner who is still idle, looked at in the same transaction; else false."""

    def idle_since(self, before: datetime) -> tuple[LearnerId, ...]:
        """Learners in no class whose last sign of life is older."""

    def request_deletion(self, request: DeletionRequest) -> None:
        """Keep a request, or its answer."""

    def deletion_requests(self, class_id: ClassId) -> tuple[DeletionRequest, ...]:
        """The requests of a class's learners."""


class Regrades(Protocol):
    """Reports made anew, kept aside until somebody applies them."""

    def digests(self, exercise: Slug, class_id: ClassId) -> tuple[tuple[str, int], ...]:
        """Under which versions of the exercise a class's tries were judged, and how many each."""

    def note_version(self, exercise: Slug, digest: str, files: Json, at: datetime) -> None:
        """Remember which files make up a version of an exercise; the first time counts."""

    def version(self, exercise: Slug, digest: str) -> tuple[Json, datetime] | None:
        """The files of a version, and when it was first seen."""

    def start(self, regrade: Regrade) -> int | None:
        """Begin one over all judged tries of the class that are of another version; how many.

        None where one of this exercise is under way, and 0 where no try is: nothing is begun.
        """

    def get(self, regrade: str) -> Regrade | None:
        """One regrade, with how much of it is done."""

    def of_class(self, class_id: ClassId) -> tuple[Regrade, ...]:
        """Those neither applied nor dropped, newest first."""

    def waiting(self) -> tuple[tuple[str, SubmissionId], ...]:
        """What is still to be judged, in all regrades, oldest first."""

    def keep(self, regrade: str, submission: SubmissionId, report: Json, at: datetime) -> None:
        """Keep a new report aside; the regrade is ready when its last one is there."""

    def results(self, regrade: str) -> tuple[Regraded, ...]:
        """Each try old and new."""

    def finish(
        self, regrade: str, state: RegradeState, rule: RegradeRule, at: datetime
    ) -> int | None:
        """Apply it or drop it; how many reports were replaced. Replaced ones are kept.

        None where it was applied or dropped before.
        """


class Audit(Protocol):
    """What staff did. There is no way to change a line, or to delete one before its time."""

    def add(self, entry: AuditEntry) -> None:
        """Keep a line."""

    def of_class(self, class_id: ClassId, most: int = 200) -> tuple[AuditEntry, ...]:
        """A class's lines, newest first."""

    def of_object(self, names: Iterable[str], most: int = 200) -> tuple[AuditEntry, ...]:
        """Lines about certain things, newest first."""

    def forget_before(self, at: datetime) -> int:
        """Delete the lines from before a moment; how many."""
