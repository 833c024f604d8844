"""Why one learner's cells say what they say: to staff everything, to learners what they may see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from app.classroom.asking import Question, question
from app.classroom.gradebook import ClassWork, by_learner, cell, for_learner
from app.classroom.grades import Grade
from app.classroom.policy import sentence
from app.model import LearnerId
from app.model.classes import (
    Assignment,
    AssignmentId,
    ClassId,
    Enrolment,
    EnrolmentId,
    Extension,
    Override,
    Try,
)
from app.service.school.errors import NotThere
from app.service.school.parts import SchoolParts
from app.service.school.rules import Given


@dataclass(frozen=True)
class Receipt:
    """Why a cell says what it says: for staff, everything."""

    assignment: Assignment
    enrolment: Enrolment
    grade: Grade
    sentence: str
    extension: Extension | None
    override: Override | None
    tries: tuple[Try, ...]


@dataclass(frozen=True)
class Mine:
    """One line of a learner's own page: an assignment, its rule as a sentence, and their grade."""

    assignment: Assignment
    grade: Grade
    sentence: str
    extension: Extension | None
    last: Try | None


class Receipts:
    """The use cases around one learner's grades; only that one's tries are read."""

    def __init__(self, parts: SchoolParts) -> None:
        self._parts = parts

    def _own_work(self, seat: Enrolment, *, mistakes: bool = False) -> ClassWork:
        """One learner's part of it; for staff with the mistakes."""
        school, class_id = self._parts.school, seat.class_id
        given = school.assignments.of_class(class_id)
        tries: tuple[Try, ...] = ()
        if seat.learner is not None and seat.state in ("active", "removed"):
            slugs = [one.exercise for one in given]
            tries = school.work.tries_of(seat.learner, slugs, mistakes=mistakes)
        return ClassWork(
            self._parts.zone_of(class_id),
            (seat,),
            given,
            by_learner(tries),
            {(e.assignment, e.enrolment): e for e in school.assignments.extensions(class_id)},
            {(o.assignment, o.enrolment): o for o in school.assignments.overrides_of([seat.id])},
        )

    def receipt(
        self, class_id: ClassId, assignment: AssignmentId, enrolment: EnrolmentId
    ) -> Receipt:
        """Why one cell says what it says. Raises NotThere."""
        for found in self.receipts(class_id, enrolment):
            if found.assignment.id == assignment:
                return found
        raise NotThere((assignment, enrolment))

    def receipts(self, class_id: ClassId, enrolment: EnrolmentId) -> tuple[Receipt, ...]:
        """One learner's cells, in the order of the columns. Raises NotThere."""
        who = self._parts.school.enrolments.get(enrolment)
        if who is None or who.class_id != class_id or who.state == "preview" or who.merged_into:
            raise NotThere(enrolment)
        work = self._own_work(who, mistakes=True)
        return tuple(_receipt(work, given, who) for given in work.assignments)

    def mine(self, class_id: ClassId, learner: LearnerId) -> tuple[Mine, ...]:
        """What a learner sees of their own grades; points that are held are not among it.

        Also for who was removed, and in an archived class. Raises NotThere for anybody else.
        """
        seats = self._parts.school.enrolments.of_learner(learner)
        who = next((x for x in seats if x.class_id == class_id and x.merged_into is None), None)
        if who is None:
            raise NotThere(class_id)
        work, now = self._own_work(who), self._parts.now()
        return tuple(_mine(work, given, who, now) for given in work.assignments)

    def on_exercises(self, given: Sequence[Given], learner: LearnerId) -> tuple[Mine, ...]:
        """A learner's lines of some assignments of theirs, for the banner above their code."""
        school, now = self._parts.school, self._parts.now()
        slugs = sorted({one.assignment.exercise for one in given})
        seats = sorted({one.enrolment.id for one in given})
        tries = by_learner(school.work.tries_of(learner, slugs))
        by_hand = {(o.assignment, o.enrolment): o for o in school.assignments.overrides_of(seats)}
        found = []
        for one in given:
            who, key = one.enrolment, (one.assignment.id, one.enrolment.id)
            extended = {key: one.extension} if one.extension else {}
            work = ClassWork(one.where, (who,), (one.assignment,), tries, extended, by_hand)
            found.append(_mine(work, one.assignment, who, now))
        return tuple(found)

    def question(self, mine: Mine, at: datetime) -> Question | None:
        """What to ask a learner before a try of a moment."""
        given = mine.assignment
        where = self._parts.zone_of(given.class_id)
        return question(given.policy, mine.grade, mine.last, at, where)


def _receipt(work: ClassWork, given: Assignment, who: Enrolment) -> Receipt:
    """Why the cell of a learner and an assignment says what it says."""
    extension = work.extensions.get((given.id, who.id))
    return Receipt(
        given,
        who,
        cell(work, given, who),
        sentence(given.policy, work.zone, extension),
        extension,
        work.overrides.get((given.id, who.id)),
        _sent(work, given, who),
    )


def _mine(work: ClassWork, given: Assignment, who: Enrolment, now: datetime) -> Mine:
    """The same as its learner may see it now."""
    extension, tries = work.extensions.get((given.id, who.id)), _sent(work, given, who)
    return Mine(
        given,
        for_learner(cell(work, given, who), given, now),
        sentence(given.policy, work.zone, extension),
        extension,
        tries[-1] if tries else None,
    )


def _sent(work: ClassWork, given: Assignment, who: Enrolment) -> tuple[Try, ...]:
    """A learner's tries at an assignment's exercise, oldest first."""
    tries = work.tries.get((who.learner, given.exercise), ()) if who.learner else ()
    return tuple(sorted(tries, key=lambda t: (t.at, t.id)))
