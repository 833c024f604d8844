"""What the fake of the port `Store` keeps, in memory and under one lock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from threading import RLock

from app.model import LearnerId, Slug, SubmissionId
from app.records import Attempt, Draft, FollowUpAnswer, Json, Learner, SecondLook, Submission
from app.storage.report_columns import mask_of, mistakes_of


@dataclass
class Shelves:
    """All that the fake keeps; keys are what is unique."""

    lock: RLock = field(default_factory=RLock)
    learners: dict[LearnerId, Learner] = field(default_factory=dict)
    joined: dict[LearnerId, LearnerId] = field(default_factory=dict)
    codes: dict[LearnerId, bytes] = field(default_factory=dict)
    submissions: dict[SubmissionId, Submission] = field(default_factory=dict)
    keys: dict[SubmissionId, str] = field(default_factory=dict)
    attempted: dict[SubmissionId, datetime] = field(default_factory=dict)
    hints: dict[tuple[LearnerId, Slug, int], datetime] = field(default_factory=dict)
    solutions: dict[tuple[LearnerId, Slug], datetime] = field(default_factory=dict)
    answers: dict[tuple[LearnerId, Slug, int], FollowUpAnswer] = field(default_factory=dict)
    drafts: dict[tuple[LearnerId, Slug, str], Draft] = field(default_factory=dict)
    looks: dict[SubmissionId, SecondLook] = field(default_factory=dict)
    holes: dict[tuple[Slug, str, int], datetime] = field(default_factory=dict)
    links: dict[SubmissionId, tuple[bytes, bytes]] = field(default_factory=dict)
    after_join: list[Callable[[LearnerId, LearnerId], None]] = field(default_factory=list)

    def ensure(self, learner: LearnerId, at: datetime) -> None:
        """A learner is there from their first write on."""
        if at.tzinfo is None:
            raise ValueError("a time without a zone")
        self.learners.setdefault(learner, Learner(learner, created_at=at))

    def who(self, learner: LearnerId) -> Learner:
        """The learner that has the work now."""
        return self.learners.get(self.joined.get(learner, learner), Learner(learner))

    def of(self, learner: LearnerId, slug: Slug | None = None) -> list[Submission]:
        """A learner's submissions, oldest first."""
        found = (s for s in self.submissions.values() if s.learner == learner)
        return sorted((s for s in found if slug in (None, s.exercise)), key=lambda s: s.id)

    def open_hints(self, learner: LearnerId, slug: Slug | None = None) -> list[tuple[Slug, int]]:
        """Which hints a learner has opened."""
        found = [(s, n) for who, s, n in self.hints if who == learner]
        return [(s, n) for s, n in found if slug in (None, s)]


def verdict_of(submission: Submission) -> object:
    """The verdict, or None while there is no report."""
    return None if submission.report is None else submission.report["verdict"]


def attempt_of(submission: Submission, *, shared: bool = False) -> Attempt:
    """A submission as a line of a history."""
    report: Json = submission.report or {"verdict": None, "passed": 0, "total": 0}
    return Attempt(
        submission.id,
        submission.exercise,
        submission.created_at,
        None if report["verdict"] is None else str(report["verdict"]),
        int(str(report["passed"])),
        int(str(report["total"])),
        shared,
        None if submission.report is None else mask_of(report),
        mistakes_of(report),
    )
