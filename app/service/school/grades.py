"""Grades: worked out from stored tries each time, changed by hand, and handed to a campus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from app.classroom import campus_file, class_files, policy
from app.classroom.assignment_form import read_points
from app.classroom.campus_file import Filled
from app.classroom.class_files import System
from app.classroom.gradebook import ClassWork, Gradebook, by_learner, gradebook
from app.classroom.tables import Unreadable
from app.model import SubmissionId
from app.model.classes import AssignmentId, ClassId, EnrolmentId, Override
from app.records import Submission
from app.service.school.classes import ClassBook
from app.service.school.errors import Complaints, NotThere
from app.service.school.parts import By, SchoolParts
from app.service.school.receipts import Receipt, Receipts
from app.service.school.uploads import Uploads
from app.service.school.words import note


class Grades(Receipts):
    """The use cases around points."""

    def __init__(self, parts: SchoolParts, classes: ClassBook) -> None:
        super().__init__(parts)
        self._classes = classes
        self._files = Uploads()

    def work(self, class_id: ClassId, *, mistakes: bool = False) -> ClassWork:
        """Everything a class's grades are worked out from; for its board with the mistakes."""
        school = self._parts.school
        return ClassWork(
            self._parts.zone_of(class_id),
            school.enrolments.of_class(class_id),
            school.assignments.of_class(class_id),
            by_learner(school.work.tries(class_id, mistakes=mistakes)),
            {(e.assignment, e.enrolment): e for e in school.assignments.extensions(class_id)},
            {(o.assignment, o.enrolment): o for o in school.assignments.overrides(class_id)},
        )

    def book(self, class_id: ClassId, section: str | None = None) -> Gradebook:
        """The gradebook of a class, or of one section."""
        return gradebook(self.work(class_id), section=section)

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
