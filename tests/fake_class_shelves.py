"""What the fakes of the ports of classes keep, in memory, beside the learners' work."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from app.model import LearnerId, Slug, SubmissionId
from app.model.classes import (
    Account,
    AccountId,
    Assignment,
    AssignmentId,
    AuditEntry,
    Class,
    ClassId,
    DeletionRequest,
    Enrolment,
    EnrolmentId,
    Extension,
    Override,
    Regrade,
    Session,
    Staff,
)
from app.records import Json, Submission
from tests.fake_shelves import Shelves

Terms = tuple[AssignmentId, EnrolmentId]


@dataclass
class Link:
    """A link that sets a password."""

    account: AccountId
    until: datetime
    used: bool = False


@dataclass
class ClassShelves:
    """All that the fakes keep; keys are what is unique."""

    work: Shelves
    accounts: dict[AccountId, Account] = field(default_factory=dict)
    passwords: dict[AccountId, str] = field(default_factory=dict)
    links: dict[bytes, Link] = field(default_factory=dict)
    sessions: dict[bytes, Session] = field(default_factory=dict)
    classes: dict[ClassId, Class] = field(default_factory=dict)
    staff: dict[tuple[ClassId, AccountId], Staff] = field(default_factory=dict)
    enrolments: dict[EnrolmentId, Enrolment] = field(default_factory=dict)
    seats: dict[EnrolmentId, tuple[bytes, datetime]] = field(default_factory=dict)
    assignments: dict[AssignmentId, Assignment] = field(default_factory=dict)
    extensions: dict[Terms, Extension] = field(default_factory=dict)
    overrides: dict[Terms, Override] = field(default_factory=dict)
    requests: dict[EnrolmentId, DeletionRequest] = field(default_factory=dict)
    regrades: dict[str, Regrade] = field(default_factory=dict)
    staged: dict[tuple[str, SubmissionId], Json | None] = field(default_factory=dict)
    past: list[tuple[SubmissionId, Json]] = field(default_factory=list)
    versions: dict[tuple[Slug, str], tuple[Json, datetime]] = field(default_factory=dict)
    audit: list[AuditEntry] = field(default_factory=list)

    def running(self, assignment: Assignment) -> bool:
        """Whether an assignment is there, in a class that is not archived."""
        made = self.classes[assignment.class_id]
        return assignment.removed_at is None and made.archived_at is None

    def given(self, class_id: ClassId) -> set[Slug]:
        """The exercises that a class has."""
        every = self.assignments.values()
        return {one.exercise for one in every if one.class_id == class_id and not one.removed_at}

    def seated(self, class_id: ClassId, *states: str) -> dict[LearnerId, Enrolment]:
        """The learners of a class whose seat is of one of these states."""
        mine = (one for one in self.enrolments.values() if one.class_id == class_id)
        return {one.learner: one for one in mine if one.learner and one.state in states}

    def sent(self, class_id: ClassId) -> list[tuple[Submission, Enrolment]]:
        """Submissions of a class's learners on its exercises, oldest first, with whose."""
        people, given = self.seated(class_id, "active", "removed"), self.given(class_id)
        every = sorted(self.work.submissions.values(), key=lambda one: one.id)
        mine = (s for s in every if s.learner in people and s.exercise in given)
        return [(s, people[s.learner]) for s in mine]
