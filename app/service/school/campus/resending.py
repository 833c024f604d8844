"""The outbox as an instructor sees it: what waits or failed, sent again, columns chosen."""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.model.campuses import Score
from app.model.classes import Assignment, AssignmentId, ClassId, Enrolment
from app.ports.campuses import Unreachable
from app.service.school.campus.columns import OWN_COLUMN, CampusColumns, ColumnPlace, ColumnThere
from app.service.school.campus.registering import Registering
from app.service.school.errors import Conflict, NotThere
from app.service.school.parts import By, SchoolParts


@dataclass(frozen=True)
class ScoreLine:
    """A score on the campus page: whose, of what, how it stands."""

    enrolment: Enrolment
    assignment: Assignment
    score: Score


class Outbox:
    """The use cases of the campus page around scores."""

    def __init__(
        self, parts: SchoolParts, registering: Registering, columns: CampusColumns
    ) -> None:
        self._parts = parts
        self._registering = registering
        self._columns = columns
        self._outbox = parts.school.campus.scores
        self._courses = parts.school.campus.courses

    def lines(self, class_id: ClassId) -> tuple[ScoreLine, ...]:
        """The scores of a class with whom and what they are of."""
        people = {one.id: one for one in self._parts.school.enrolments.of_class(class_id)}
        given = {one.id: one for one in self._parts.school.assignments.of_class(class_id)}
        return tuple(
            ScoreLine(people[one.enrolment], given[one.assignment], one)
            for one in self._outbox.of_class(class_id)
            if one.enrolment in people and one.assignment in given
        )

    def again(self, class_id: ClassId, by: By) -> int:
        """Try all that failed or wait at once; columns are looked up anew. Raises NotThere.

        A column that was chosen stays chosen.
        """
        course = self._courses.of_class(class_id)
        if course is None:
            raise NotThere(class_id)
        for link in self._courses.links(course.id):
            if link.resource_link.startswith(OWN_COLUMN):
                self._courses.save_link(replace(link, lineitem_url=None))
        many = self._outbox.again(class_id, self._parts.now())
        self._parts.note(by, "scores sent again", class_id, str(many), class_id)
        return many

    def columns(
        self, class_id: ClassId, assignment: str
    ) -> tuple[Assignment, tuple[ColumnThere, ...]]:
        """An assignment's columns in its course. Raises NotThere, Conflict with a sentence."""
        place = self._place(class_id, assignment)
        try:
            return place.assignment, self._columns.there(place)
        except Unreachable as error:
            raise Conflict(str(error)) from None

    def choose_column(self, class_id: ClassId, assignment: str, address: str, by: By) -> None:
        """Send an assignment's scores into one of several columns, and all again.

        Raises NotThere, Conflict with a sentence.
        """
        place = self._place(class_id, assignment)
        try:
            if not self._columns.choose(place, address):
                raise Conflict("This column is not there any more. Look for its columns again.")
        except Unreachable as error:
            raise Conflict(str(error)) from None
        self._parts.note(by, "column chosen", place.assignment.id, address, class_id)
        self.again(class_id, by)

    def _place(self, class_id: ClassId, assignment: str) -> ColumnPlace:
        course = self._courses.of_class(class_id)
        given = self._parts.school.assignments.get(AssignmentId(assignment))
        if course is None or given is None or given.class_id != class_id or given.removed_at:
            raise NotThere(assignment)
        return ColumnPlace(course, self._registering.get(course.registration), given)
