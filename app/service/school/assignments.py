"""Assignments: given, changed, taken away; and extensions for single learners."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from app.classroom import assignment_form
from app.classroom.assignment_form import fields_of
from app.classroom.gradebook import GradeChange, changes, changes_in_words
from app.classroom.policy import sentence
from app.model import Exercise, Slug
from app.model.classes import Assignment, AssignmentId, ClassId, Policy
from app.ports.classes import Taken
from app.service.school import room
from app.service.school.classes import ClassBook
from app.service.school.errors import Complaints, NotThere
from app.service.school.grades import Grades
from app.service.school.parts import By, SchoolParts
from app.service.school.rules import ClassRules
from app.service.school.words import tidy

ADVICE = (
    "Anybody can open this exercise in a private window without these rules. "
    "Reserve it, or take a limit and a cost as advice."
)
"""Said where a limit or a cost is set on an exercise that is not reserved."""


@dataclass(frozen=True)
class AssignmentForm:
    """A form as it stands: its sentence, what is off by field, notes, and whose points change.

    `sentence` is "" while something is off. `changes` is () for a new assignment.
    """

    fields: Mapping[str, str]
    policy: Policy | None
    complaints: Mapping[str, str]
    sentence: str = ""
    notes: tuple[str, ...] = ()
    changes: tuple[GradeChange, ...] = ()
    changes_in_words: str = ""


class AssignmentBook:
    """The use cases around assignments."""

    def __init__(
        self, parts: SchoolParts, rules: ClassRules, classes: ClassBook, grades: Grades
    ) -> None:
        self._parts = parts
        self._rules = rules
        self._classes = classes
        self._grades = grades

    def all(self, class_id: ClassId) -> tuple[Assignment, ...]:
        """A class's assignments in order."""
        return self._parts.school.assignments.of_class(class_id)

    def one(self, class_id: ClassId, assignment: AssignmentId) -> Assignment:
        """One assignment of a class. Raises NotThere, also for another class's or a removed one."""
        found = self._parts.school.assignments.get(assignment)
        if found is None or found.class_id != class_id or found.removed_at is not None:
            raise NotThere(assignment)
        return found

    def sentence(self, assignment: Assignment) -> str:
        """What learners read above their code."""
        return sentence(assignment.policy, self._parts.zone_of(assignment.class_id))

    def choices(self, class_id: ClassId) -> tuple[Exercise, ...]:
        """The exercises that the class has not yet."""
        given = {one.exercise for one in self.all(class_id)}
        return tuple(one for one in self._parts.exercises() if one.slug not in given)

    def fields(self, assignment: Assignment) -> dict[str, str]:
        """What the form's fields hold for an assignment."""
        where = self._parts.zone_of(assignment.class_id)
        return {"title": assignment.title, **fields_of(assignment.policy, where)}

    def preview(
        self,
        class_id: ClassId,
        fields: Mapping[str, str],
        assignment: AssignmentId | None = None,
    ) -> AssignmentForm:
        """The form as it stands, nothing saved: for the live sentence and before saving."""
        where = self._parts.zone_of(class_id)
        read = assignment_form.read(fields, where, self._parts.now())
        complaints = dict(read.complaints)
        if not tidy(fields.get("title", "x"), 200):
            complaints["title"] = "Give it a title of up to 200 visible letters."
        if read.policy is None or complaints:
            return AssignmentForm(fields, None, complaints, notes=read.notes)
        policy = read.policy
        notes = list(read.notes)
        if not policy.reserved and (policy.attempts or policy.hint_share):
            notes.append(ADVICE)
        found: tuple[GradeChange, ...] = ()
        if assignment is not None:
            before = self.one(class_id, assignment)
            found = changes(self._grades.work(class_id), before, policy)
        return AssignmentForm(
            fields,
            policy,
            {},
            sentence(policy, where),
            tuple(notes),
            found,
            changes_in_words(found),
        )

    def add(self, class_id: ClassId, slug: Slug, fields: Mapping[str, str], by: By) -> Assignment:
        """Give an exercise to a class. Raises Complaints, with all that is off."""
        self._classes.running(class_id)
        room.check_disk(self._parts)
        exercise = self._parts.exercise(slug)
        form = self.preview(class_id, fields)
        complaints = dict(form.complaints)
        if exercise is None:
            complaints["exercise"] = "Choose an exercise."
        if exercise is None or form.policy is None:
            raise Complaints(complaints)
        made = Assignment(
            AssignmentId(self._parts.ids.next()),
            class_id,
            exercise.slug,
            tidy(fields.get("title", ""), 200) or exercise.title,
            1 + max((one.position for one in self.all(class_id)), default=0),
            form.policy,
            self._parts.now(),
        )
        try:
            self._parts.school.assignments.add(made)
        except Taken:
            raise Complaints({"exercise": "The class has this exercise already."}) from None
        self._done(made, by, "assignment made", form.sentence)
        return made

    def change(
        self, class_id: ClassId, assignment: AssignmentId, fields: Mapping[str, str], by: By
    ) -> AssignmentForm:
        """Change dates or policy; all points are worked out anew. Raises NotThere, Complaints."""
        self._classes.running(class_id)
        before = self.one(class_id, assignment)
        form = self.preview(class_id, fields, assignment)
        if form.policy is None:
            raise Complaints(form.complaints)
        title = tidy(fields.get("title", ""), 200) or before.title
        after = replace(before, policy=form.policy, title=title)
        if after != before:
            self._parts.school.assignments.save(after)
            told = " ".join((form.sentence, form.changes_in_words)).strip()
            self._done(after, by, "assignment changed", told)
        return form

    def move_up(self, class_id: ClassId, assignment: AssignmentId) -> None:
        """Put an assignment before the one above it, on every list and in the gradebook."""
        self._classes.running(class_id)
        order = list(self.all(class_id))
        place = order.index(self.one(class_id, assignment))
        order.insert(max(place - 1, 0), order.pop(place))
        for position, one in enumerate(order, 1):
            if one.position != position:
                self._parts.school.assignments.save(replace(one, position=position))
        self._rules.forget()

    def remove(self, class_id: ClassId, assignment: AssignmentId, by: By) -> None:
        """Take an assignment away; all work stays, and giving it again counts it again."""
        self._classes.running(class_id)
        before = self.one(class_id, assignment)
        after = replace(before, removed_at=self._parts.now())
        self._parts.school.assignments.save(after)
        self._done(after, by, "assignment removed", before.title)

    def _done(self, assignment: Assignment, by: By, action: str, detail: str) -> None:
        self._rules.forget()
        self._parts.note(by, action, assignment.id, detail, assignment.class_id)
