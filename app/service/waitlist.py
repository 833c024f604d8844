"""Submissions between being stored and having a report: who waits for which."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from dataclasses import dataclass, field

from app.model import Exercise, LearnerId, SubmissionId
from app.ports import GradeJob
from app.records import Json, Submission


@dataclass(eq=False)
class Pending:
    """A stored submission on its way to a report; `report` is never handed out itself.

    `see` asks for a trace and a probe beside the verdict of one that is off.
    """

    submission: Submission
    exercise: Exercise
    turn: str
    see: bool = False
    report: Future[Json] = field(default_factory=Future)

    @property
    def job(self) -> GradeJob:
        """What is to be done for it."""
        return GradeJob(self.submission.id, self.turn, self.see)


class Waitlist:
    """All pending submissions and how many each learner and each turn has; safe in threads."""

    def __init__(self) -> None:
        self._pending: dict[SubmissionId, Pending] = {}
        self._outstanding: dict[LearnerId, int] = {}
        self._turns: dict[str, int] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """Places taken, of submissions about to be stored too."""
        with self._lock:
            return sum(self._outstanding.values())

    def reserve(self, learner: LearnerId, most: int) -> bool:
        """Take one of a learner's `most` places; false where all are taken."""
        with self._lock:
            taken = self._outstanding.get(learner, 0)
            if taken >= most:
                return False
            self._outstanding[learner] = taken + 1
            return True

    def release(self, learner: LearnerId) -> None:
        """Give a place back that was reserved in vain."""
        with self._lock:
            left = self._outstanding.get(learner, 0) - 1
            if left > 0:
                self._outstanding[learner] = left
            else:
                self._outstanding.pop(learner, None)

    def turn_has(self, turn: str) -> int:
        """How many pending submissions take this turn."""
        with self._lock:
            return self._turns.get(turn, 0)

    def get(self, submission: SubmissionId) -> Pending | None:
        """The pending submission of that id."""
        with self._lock:
            return self._pending.get(submission)

    def enter(self, pending: Pending, *, reserved: bool) -> Pending:
        """Add a pending submission, or give the one of its id that came first."""
        learner = pending.submission.learner
        with self._lock:
            first = self._pending.setdefault(pending.submission.id, pending)
            if first is pending:
                self._turns[pending.turn] = self._turns.get(pending.turn, 0) + 1
            if first is pending and not reserved:
                self._outstanding[learner] = self._outstanding.get(learner, 0) + 1
        if first is not pending and reserved:
            self.release(learner)
        return first

    def leave(self, pending: Pending) -> None:
        """It has its report, or its server closes."""
        with self._lock:
            found = self._pending.pop(pending.submission.id, None)
            left = self._turns.get(pending.turn, 0) - (found is not None)
            if left > 0:
                self._turns[pending.turn] = left
            else:
                self._turns.pop(pending.turn, None)
        if found is not None:
            self.release(pending.submission.learner)
