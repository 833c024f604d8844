"""One person who is in a class twice becomes one: all work and every extension is kept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from app.model import LearnerId
from app.model.classes import AssignmentId, ClassId, Enrolment, EnrolmentId, Extension
from app.service.school.errors import Conflict, NotThere
from app.service.school.parts import By, SchoolParts
from app.service.school.people import People
from app.service.school.rules import ClassRules


@dataclass(frozen=True)
class Merge:
    """What would move from one seat to the other; `conflicts` name assignments that forbid it."""

    gone: Enrolment
    into: Enrolment
    submissions: int
    exercises: int
    extensions: int
    conflicts: tuple[str, ...]


class Merging:
    """The use cases around merging."""

    def __init__(self, parts: SchoolParts, rules: ClassRules, people: People) -> None:
        self._parts = parts
        self._rules = rules
        self._people = people

    def preview(self, class_id: ClassId, gone: EnrolmentId, into: EnrolmentId) -> Merge:
        """What merging would move. Raises NotThere, and Conflict for one and the same seat."""
        if gone == into:
            raise Conflict("Choose two different people.")
        old, new = self._people.one(class_id, gone), self._people.one(class_id, into)
        if "preview" in (old.state, new.state):
            raise NotThere((gone, into))
        given = [one.exercise for one in self._parts.school.assignments.of_class(class_id)]
        work = self._parts.school.work
        tries = () if old.learner is None else work.tries_of(old.learner, given)
        moving = [
            one
            for one in self._parts.school.assignments.extensions(class_id)
            if one.enrolment == gone
        ]
        return Merge(
            old,
            new,
            len(tries),
            len({one.exercise for one in tries}),
            len(moving),
            self._conflicts(class_id, gone, into),
        )

    def _conflicts(
        self, class_id: ClassId, gone: EnrolmentId, into: EnrolmentId
    ) -> tuple[str, ...]:
        """Assignments in which both have points set by hand, and not the same."""
        set_by_hand: dict[EnrolmentId, dict[AssignmentId, int]] = {gone: {}, into: {}}
        for one in self._parts.school.assignments.overrides(class_id):
            if one.enrolment in set_by_hand and one.points is not None:
                set_by_hand[one.enrolment][one.assignment] = one.points
        titles = {one.id: one.title for one in self._parts.school.assignments.of_class(class_id)}
        return tuple(
            titles.get(assignment, assignment)
            for assignment, points in set_by_hand[gone].items()
            if set_by_hand[into].get(assignment, points) != points
        )

    def merge(self, class_id: ClassId, gone: EnrolmentId, into: EnrolmentId, by: By) -> Merge:
        """Merge two seats. Raises NotThere, and Conflict where overrides contradict each other."""
        found = self.preview(class_id, gone, into)
        if found.conflicts:
            raise Conflict(
                f"Both have points set by hand in {', '.join(found.conflicts)}. "
                "Lift one of the two first."
            )
        now = self._parts.now()
        self._merge_extensions(class_id, gone, into)
        old, new = found.gone, found.into
        learner = new.learner or old.learner
        kept = replace(
            new,
            learner=learner,
            student_id=new.student_id or old.student_id,
            campus_login=new.campus_login or old.campus_login,
            section=new.section or old.section,
            state="active" if learner is not None and new.state != "removed" else new.state,
            joined_at=min((at for at in (old.joined_at, new.joined_at) if at), default=None),
        )
        self._parts.school.enrolments.merge(gone, kept, now)
        if old.learner is not None and new.learner is not None:
            self._note_elsewhere(class_id, old.learner, new.learner, by)
            self._parts.store.learners.join(old.learner, new.learner, now)
            self._parts.forget_learners()
        self._parts.note(by, "merged", into, f"{old.name} into {new.name}", class_id)
        self._rules.forget()
        return found

    def _note_elsewhere(self, class_id: ClassId, gone: LearnerId, into: LearnerId, by: By) -> None:
        """Let other classes of the two know: the work there is one person's from now on."""
        for who in (gone, into):
            for seat in self._parts.school.enrolments.of_learner(who):
                if seat.class_id != class_id and seat.state != "preview":
                    action = "work brought along"
                    self._parts.note(by, action, seat.id, seat.name, seat.class_id)

    def _merge_extensions(self, class_id: ClassId, gone: EnrolmentId, into: EnrolmentId) -> None:
        """Of two extensions of one assignment the later date and the more tries stay."""
        both: dict[AssignmentId, dict[EnrolmentId, Extension]] = {}
        for one in self._parts.school.assignments.extensions(class_id):
            if one.enrolment in (gone, into):
                both.setdefault(one.assignment, {})[one.enrolment] = one
        for given in both.values():
            if len(given) == 2:
                self._parts.school.assignments.extend(_kinder(given[into], given[gone]))


def _kinder(one: Extension, other: Extension) -> Extension:
    attempts = [n for n in (one.attempts, other.attempts) if n is not None]
    return replace(
        one,
        due_at=_later(one.due_at, other.due_at),
        closes_at=_later(one.closes_at, other.closes_at),
        attempts=max(attempts, default=None),
        excused=one.excused or other.excused,
        note=" ".join(note for note in (one.note, other.note) if note),
    )


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    return max((at for at in (one, other) if at is not None), default=None)
