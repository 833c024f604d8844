"""Where a launch leads: who it is here, which class, which assignment."""

from __future__ import annotations

from dataclasses import replace

from app.classroom.launch import Launch, NotBelieved
from app.model.campuses import Course, Registration, Then
from app.model.classes import Class
from app.service.school.campus.arrivals import Arrived
from app.service.school.campus.launching import Believed
from app.service.school.campus.persons import CampusPersons
from app.service.school.campus.placing import Placing
from app.service.school.parts import SchoolParts
from app.service.school.words import visible

WAIT_FOR_INSTRUCTOR = "Your instructor has not connected this course yet"


class Arriving:
    """The use cases around who a launch brings, and where to."""

    def __init__(self, parts: SchoolParts, persons: CampusPersons, placing: Placing) -> None:
        self._parts = parts
        self._persons = persons
        self._placing = placing
        self._courses = parts.school.campus.courses

    def arrive(self, believed: Believed) -> Arrived:
        """Let somebody in. Raises NotBelieved where there is nothing for them yet."""
        registration, launch = believed.registration, believed.launch
        course = self._seen(registration, launch)
        if launch.part == "learner":
            return self._learner(registration, launch, course)
        return self._staff(registration, launch, course)

    def _seen(self, registration: Registration, launch: Launch) -> Course | None:
        """The course of a launch, with the services that this launch grants."""
        if launch.context is None:
            return None
        return self._courses.see(
            Course(
                self._parts.ids.next(),
                registration.id,
                launch.deployment,
                launch.context,
                visible(launch.title, 200) or "A course",
                None,
                launch.lineitems_url,
                launch.nrps_url,
                launch.scopes,
            )
        )

    # -------------------------------------------------------------- learners

    def _learner(
        self, registration: Registration, launch: Launch, course: Course | None
    ) -> Arrived:
        if launch.kind == "deep":
            raise NotBelieved("Only those who teach a course can add content to it.", 403)
        if course is None:
            who = self._persons.learner_of(registration, launch)
            return Arrived(registration, launch, self._practice(launch), learner=who)
        made = self._class_of(course)
        if made is None:
            raise NotBelieved(f"{WAIT_FOR_INSTRUCTOR}. Try again when they have.", 403)
        if made.archived_at is not None:
            raise NotBelieved(f"{made.title} is over. Its work can still be read there.", 403)
        who = self._persons.learner_of(registration, launch)
        self._persons.leave_staff(registration, launch, made.id)
        seat = self._persons.seat(made, who, launch)
        given = self._placing.assignment(course, launch)
        self._placing.remember_link(course, launch, given)
        path = f"/classes/{made.id}"
        if given is not None:
            path = f"/exercises/{given.exercise}"
        elif launch.custom.get("exercise"):
            path = self._practice(launch)
        return Arrived(registration, launch, path, course=course, learner=seat.learner or who)

    def _practice(self, launch: Launch) -> str:
        slug = launch.custom.get("exercise", "")
        known = {str(one.slug) for one in self._parts.exercises()}
        return f"/exercises/{slug}" if slug in known else "/"

    def _class_of(self, course: Course) -> Class | None:
        return None if course.class_id is None else self._parts.school.classes.get(course.class_id)

    def _staff(self, registration: Registration, launch: Launch, course: Course | None) -> Arrived:
        account = self._persons.account_of(registration, launch)
        if course is None:
            return Arrived(registration, launch, "/classes", account=account)
        made = self._class_of(course)
        came = Arrived(registration, launch, "", "go", course, account=account)
        if made is None:
            if launch.part != "instructor":
                raise NotBelieved(f"{WAIT_FOR_INSTRUCTOR}. Try again when they have.", 403)
            return replace(came, then="connect")
        self._persons.teach(made.id, account, launch)
        if launch.kind == "deep":
            if made.archived_at is not None:
                raise NotBelieved(
                    f"{made.title} is archived. Bring it back under Settings first.", 403
                )
            return replace(came, then="deep")
        given = self._placing.assignment(course, launch)
        self._placing.remember_link(course, launch, given)
        if given is not None:
            return replace(came, path=f"/classes/{made.id}/board/{given.exercise}")
        named = bool(launch.custom.get("exercise")) or launch.custom.get("page") == "class"
        whole = named or launch.resource_link == launch.context or made.archived_at is not None
        then: Then = "go" if whole or launch.part != "instructor" else "choose"
        return replace(came, path=f"/classes/{made.id}/board", then=then)
