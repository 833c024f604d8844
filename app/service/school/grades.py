"""Grades: worked out from stored tries each time, changed by hand, and handed to a campus."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from app.classroom import campus_file, class_files, policy
from app.classroom.asking import Question, question
from app.classroom.assignment_form import read_points
from app.classroom.campus_file import Filled
from app.classroom.class_files import System
from app.classroom.gradebook import (
    ClassWork,
    Gradebook,
    by_learner,
    cell,
    for_learner,
    gradebook,
)
from app.classroom.grades import Grade
from app.classroom.policy import sentence
from app.classroom.tables import Unreadable
from app.model import LearnerId, SubmissionId
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
from app.records import Submission
from app.service.school.classes import ClassBook
from app.service.school.errors import Complaints, NotThere
from app.service.school.parts import By, SchoolParts
from app.service.school.uploads import Uploads
from app.service.school.words import note


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


class Grades:
    """The use cases around points."""

    def __init__(self, parts: SchoolParts, classes: ClassBook) -> None:
        self._parts = parts
        self._classes = classes
        self._files = Uploads()

    def work(self, class_id: ClassId, learner: LearnerId | None = None) -> ClassWork:
        """Everything a class's grades are worked out from, or one learner's part of it."""
        school = self._parts.school
        return ClassWork(
            self._parts.zone_of(class_id),
            self._seats(class_id, learner),
            school.assignments.of_class(class_id),
            by_learner(school.work.tries(class_id, learner=learner)),
            {(e.assignment, e.enrolment): e for e in school.assignments.extensions(class_id)},
            {(o.assignment, o.enrolment): o for o in school.assignments.overrides(class_id)},
        )

    def _seats(self, class_id: ClassId, learner: LearnerId | None) -> tuple[Enrolment, ...]:
        """Everybody's seat, or one learner's."""
        kept = self._parts.school.enrolments
        if learner is None:
            return kept.of_class(class_id)
        mine = (one for one in kept.of_learner(learner) if one.merged_into is None)
        return tuple(one for one in mine if one.class_id == class_id)

    def book(self, class_id: ClassId, section: str | None = None) -> Gradebook:
        """The gradebook of a class, or of one section."""
        return gradebook(self.work(class_id), section=section)

    def receipt(
        self, class_id: ClassId, assignment: AssignmentId, enrolment: EnrolmentId
    ) -> Receipt:
        """Why one cell says what it says. Raises NotThere."""
        work = self.work(class_id)
        given = next((one for one in work.assignments if one.id == assignment), None)
        who = next((one for one in work.enrolments if one.id == enrolment), None)
        if given is None or who is None or who.state == "preview":
            raise NotThere((assignment, enrolment))
        key = (assignment, enrolment)
        extension = work.extensions.get(key)
        tries = work.tries.get((who.learner, given.exercise), ()) if who.learner else ()
        return Receipt(
            given,
            who,
            cell(work, given, who),
            sentence(given.policy, work.zone, extension),
            extension,
            work.overrides.get(key),
            tuple(sorted(tries, key=lambda t: (t.at, t.id))),
        )

    def receipts(self, class_id: ClassId, enrolment: EnrolmentId) -> tuple[Receipt, ...]:
        """One learner's cells, in the order of the columns. Raises NotThere."""
        given = self._parts.school.assignments.of_class(class_id)
        return tuple(self.receipt(class_id, one.id, enrolment) for one in given)

    def mine(
        self, class_id: ClassId, learner: LearnerId, only: Container[AssignmentId] | None = None
    ) -> tuple[Mine, ...]:
        """What a learner sees of their own grades; points that are held are not among it.

        `only`: of these assignments, else of all. Also for who was removed, and in an archived
        class. Raises NotThere for anybody else.
        """
        work = self.work(class_id, learner)
        who = next((one for one in work.enrolments if one.learner == learner), None)
        if who is None:
            raise NotThere(class_id)
        now = self._parts.now()
        found = []
        for given in work.assignments:
            if only is not None and given.id not in only:
                continue
            extension = work.extensions.get((given.id, who.id))
            tries = sorted(work.tries.get((learner, given.exercise), ()), key=lambda t: t.at)
            found.append(
                Mine(
                    given,
                    for_learner(cell(work, given, who), given, now),
                    sentence(given.policy, work.zone, extension),
                    extension,
                    tries[-1] if tries else None,
                )
            )
        return tuple(found)

    def submission(
        self, class_id: ClassId, enrolment: EnrolmentId, submission: SubmissionId
    ) -> Submission:
        """One try with its whole report, for staff. Raises NotThere, also for another class's."""
        kept = self._parts.store.submissions.get(submission)
        who = self._parts.school.enrolments.get(enrolment)
        given = {one.exercise for one in self._parts.school.assignments.of_class(class_id)}
        if kept is None or who is None or who.class_id != class_id or who.state == "preview":
            raise NotThere(submission)
        if kept.learner != who.learner or kept.exercise not in given:
            raise NotThere(submission)
        return kept

    def on_exercise(self, given: Iterable[Assignment], learner: LearnerId) -> tuple[Mine, ...]:
        """A learner's lines of some assignments, for the banner above their code."""
        wanted = {one.id: one.class_id for one in given}
        classes = dict.fromkeys(wanted.values())
        lines = (self.mine(class_id, learner, wanted) for class_id in classes)
        return tuple(line for of_class in lines for line in of_class)

    def question(self, mine: Mine, at: datetime) -> Question | None:
        """What to ask a learner before a try of a moment."""
        given = mine.assignment
        where = self._parts.zone_of(given.class_id)
        return question(given.policy, mine.grade, mine.last, at, where)

    # -------------------------------------------------------------- by hand

    def override(
        self,
        class_id: ClassId,
        assignment: AssignmentId,
        enrolment: EnrolmentId,
        fields: Mapping[str, str],
        by: By,
    ) -> Override:
        """Set points by hand (field `points`, empty lifts it) for a `reason`, with a `note`.

        Raises NotThere, and Complaints for points that are none or a missing reason.
        """
        self._classes.running(class_id)
        found = self.receipt(class_id, assignment, enrolment)
        said: dict[str, str] = {}
        points = None
        if fields.get("points", "").strip():
            try:
                points = read_points(fields["points"].strip())
            except ValueError as error:
                said["points"] = str(error)
        reason = note(fields.get("reason", ""))
        if not reason:
            said["reason"] = "Say why, for the others who teach this class."
        if said:
            raise Complaints(said)
        held = found.override.held if found.override else False
        made = replace(
            self._blank(assignment, enrolment, by),
            points=points,
            held=held,
            reason=reason,
            note=note(fields.get("note", "")),
        )
        self._keep(made, by, found, "override set" if points is not None else "override lifted")
        return made

    def hold(
        self,
        class_id: ClassId,
        assignment: AssignmentId,
        enrolment: EnrolmentId,
        by: By,
        *,
        held: bool = True,
    ) -> Override:
        """Keep a grade to oneself: its learner is not told and no score is sent; or release it."""
        self._classes.running(class_id)
        found = self.receipt(class_id, assignment, enrolment)
        before = found.override or self._blank(assignment, enrolment, by)
        made = replace(before, held=held, at=self._parts.now())
        self._keep(made, by, found, "grade held" if held else "grade released")
        return made

    def _blank(self, assignment: AssignmentId, enrolment: EnrolmentId, by: By) -> Override:
        account = None if isinstance(by, str) else by.id
        return Override(assignment, enrolment, account, self._parts.now())

    def _keep(self, made: Override, by: By, found: Receipt, action: str) -> None:
        self._parts.school.assignments.override(made)
        detail = f"{found.enrolment.name}, {found.assignment.title}"
        old, new = found.grade.points, made.points
        if action.startswith("override"):
            detail += f": {_in_words(old)} → {_in_words(new)}. {made.reason}"
        self._parts.note(by, action, made.enrolment, detail, found.assignment.class_id)

    # -------------------------------------------------------------- to a campus

    def export(self, class_id: ClassId, system: System) -> bytes:
        """A table of our own for a campus system, or for people."""
        return class_files.export(self.book(class_id), system)

    def warnings(self, class_id: ClassId) -> tuple[str, ...]:
        """What to know before uploading it."""
        return class_files.warnings(self.book(class_id))

    def fill(self, class_id: ClassId, data: bytes) -> Filled:
        """The campus's own file with our points. Raises Complaints with one sentence."""
        book = self.book(class_id)
        titles = {}
        for given in book.assignments:
            exercise = self._parts.exercise(given.exercise)
            titles[str(given.id)] = (exercise.title,) if exercise else ()
        try:
            return campus_file.fill(data, book, titles)
        except Unreadable as error:
            raise Complaints({"file": str(error)}) from None

    def keep_filled(self, class_id: ClassId, filled: Filled) -> str:
        """Keep a filled file for its download; the token that gives it."""
        return self._files.keep(class_id, filled.data)

    def filled(self, class_id: ClassId, token: str) -> bytes:
        """A filled file. Raises Conflict where it is gone."""
        return self._files.get(class_id, token)


def _in_words(points: int | None) -> str:
    """Points as the log has them."""
    return "what the tries give" if points is None else policy.points(points)
