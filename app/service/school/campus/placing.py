"""Where a link of a course leads, and the column that it brings."""

from __future__ import annotations

from app.classroom.launch import Launch
from app.model.campuses import Course, Link
from app.model.classes import Assignment, AssignmentId
from app.service.school.parts import SchoolParts


class Placing:
    """The use cases around the links of a course."""

    def __init__(self, parts: SchoolParts) -> None:
        self._parts = parts
        self._courses = parts.school.campus.courses

    def assignment(self, course: Course, launch: Launch) -> Assignment | None:
        """The assignment that a link leads to: what was chosen, else what the link says itself.

        An id of another class, as in a copied course, does not count; its exercise does.
        """
        if course.class_id is None or launch.resource_link == launch.context:
            return None
        given = {one.id: one for one in self._parts.school.assignments.of_class(course.class_id)}
        known = self._courses.link(course.id, launch.resource_link)
        if known is not None and known.assignment in given:
            return given[known.assignment]
        named = AssignmentId(launch.custom.get("assignment", ""))
        if named in given:
            return given[named]
        slug = launch.custom.get("exercise")
        return next((one for one in given.values() if one.exercise == slug), None)

    def remember_link(self, course: Course, launch: Launch, given: Assignment | None) -> None:
        """Keep where a link leads and the column that this launch names for it.

        A link that is the course itself, as in a campus's menu, has no column.
        """
        if launch.kind != "resource" or launch.resource_link == launch.context:
            return
        before = self._courses.link(course.id, launch.resource_link)
        after = Link(
            course.id,
            launch.resource_link,
            None if given is None else given.id,
            launch.lineitem_url if given is not None else None,
        )
        if after != before:
            self._courses.save_link(after)
