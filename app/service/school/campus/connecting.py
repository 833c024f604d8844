"""A course meets a class: connected once by who teaches both, and its links given their places."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from app.model.campuses import Course, Link
from app.model.classes import (
    Account,
    Assignment,
    AssignmentId,
    Class,
    ClassId,
    Policy,
    StaffRole,
)
from app.ports.classes import Taken
from app.service.school import room
from app.service.school.campus.arrivals import Arrived
from app.service.school.campus.persons import CampusPersons
from app.service.school.classes import ClassBook
from app.service.school.errors import Complaints, Conflict, NotThere
from app.service.school.parts import By, SchoolParts
from app.service.school.rules import ClassRules
from app.service.tokens import same, signed

WEEK = timedelta(weeks=1)
CONNECTED_MEANWHILE = (
    "This course was connected with a class meanwhile. Open the link in your course again."
)
CODE_DAYS = 2
"""A connect code is good on the day it was made and on the next one."""


class Connecting:
    """The use cases around connecting a course to a class."""

    def __init__(
        self, parts: SchoolParts, rules: ClassRules, classes: ClassBook, persons: CampusPersons
    ) -> None:
        self._parts = parts
        self._rules = rules
        self._classes = classes
        self._persons = persons
        self._courses = parts.school.campus.courses

    def choices(self, account: Account) -> tuple[tuple[Class, StaffRole], ...]:
        """The running classes that somebody teaches as an instructor."""
        found = self._classes.taught_by(account)
        return tuple(
            (made, role)
            for made, role in found
            if role == "instructor" and made.archived_at is None
        )

    def may(self, came: Arrived) -> bool:
        """Whether who came in may still do what their page is for, as things are now.

        To connect a course, it needs no class yet; to place its links, its class must run and
        still be taught by them.
        """
        if came.account is None or came.course is None:
            return False
        class_id = came.course.class_id
        if class_id is None or came.then == "connect":
            return came.then == "connect" and class_id is None
        made = self._parts.school.classes.get(class_id)
        role = self._classes.role(class_id, came.account)
        running = made is not None and made.archived_at is None
        return running and (role == "instructor" or (role is not None and came.then == "deep"))

    def code(self, class_id: ClassId) -> str:
        """What an instructor of a class types in their course to connect the two."""
        return f"{class_id}.{self._seal(class_id, 0)}"

    def _seal(self, class_id: ClassId, days_ago: int) -> str:
        day = (self._parts.now() - timedelta(days=days_ago)).date().isoformat()
        return signed(self._parts.secret, "connect a course", f"{class_id} {day}".encode())

    def of_code(self, code: str) -> Class:
        """The class of a connect code. Raises Complaints."""
        class_id, _, seal = code.strip().rpartition(".")
        found = self._parts.school.classes.get(ClassId(class_id)) if class_id else None
        good = any(same(seal, self._seal(ClassId(class_id), n)) for n in range(CODE_DAYS))
        if found is None or not good or found.archived_at is not None:
            raise Complaints(
                {"code": "We don't know this code. Take a new one from the class’s page."}
            )
        return found

    def to_new_class(self, came: Arrived, zone: str, copy_of: str = "") -> Class:
        """Make a class for a course, with another class's assignments if asked.

        Their dates move by whole weeks, so that the first opens from now on. Raises Complaints,
        Conflict where the course has a class already, and as `ClassBook.make` does.
        """
        account, course = _both(came)
        made = self._classes.drafted(course.title, zone)
        room.for_class(self._parts, account.id)
        if not self._courses.connect_new(course.id, made, account.id):
            raise Conflict(CONNECTED_MEANWHILE)
        self._parts.note(account, "class made", made.id, made.title, made.id)
        known = {str(one.id) for one, _ in self.choices(account)}
        if copy_of in known:
            self._copy(ClassId(copy_of), made)
        self._connected(course, made, came)
        return made

    def to_class(self, came: Arrived, class_id: str) -> Class:
        """Connect a course to a class that its instructor teaches. Raises NotThere, Conflict."""
        account, course = _both(came)
        for made, _ in self.choices(account):
            if made.id == class_id:
                self._connect(course, made, came)
                return made
        raise NotThere(class_id)

    def by_code(self, came: Arrived, code: str) -> Class:
        """Connect a course to the class of a code. Raises Complaints, Conflict."""
        _, course = _both(came)
        made = self.of_code(code)
        self._connect(course, made, came)
        return made

    def _connect(self, course: Course, made: Class, came: Arrived) -> None:
        """Raises Conflict where the course has a class already."""
        if not self._courses.connect(course.id, made.id):
            raise Conflict(CONNECTED_MEANWHILE)
        self._connected(course, made, came)

    def _connected(self, course: Course, made: Class, came: Arrived) -> None:
        account, _ = _both(came)
        self._persons.teach(made.id, account, came.launch)
        self._parts.note(account, "course connected", course.id, course.title, made.id)
        self._rules.forget()

    def let_go(self, class_id: ClassId, by: By) -> None:
        """End the connection of a class: its people and their work stay. Raises NotThere."""
        course = self._courses.of_class(class_id)
        if course is None:
            raise NotThere(class_id)
        self._courses.let_go(course.id)
        self._parts.note(by, "course disconnected", course.id, course.title, class_id)

    def _copy(self, source: ClassId, made: Class) -> None:
        given = self._parts.school.assignments.of_class(source)
        weeks = _weeks_on([one.policy.opens_at for one in given], self._parts.now())
        for one in given:
            copied = Assignment(
                AssignmentId(self._parts.ids.next()),
                made.id,
                one.exercise,
                one.title,
                one.position,
                _moved(one.policy, weeks * WEEK),
                self._parts.now(),
            )
            try:
                self._parts.school.assignments.add(copied)
            except Taken:
                raise Conflict("The class has this exercise already.") from None

    def choose(self, came: Arrived, assignment: str) -> Assignment | None:
        """Say where a link of a course leads; "" is the class's page. Raises NotThere."""
        _, course = _both(came)
        given = {
            str(one.id): one
            for one in self._parts.school.assignments.of_class(course.class_id or ClassId(""))
        }
        found = given.get(assignment)
        if assignment and found is None:
            raise NotThere(assignment)
        link = Link(course.id, came.launch.resource_link, None if found is None else found.id)
        self._courses.save_link(
            replace(link, lineitem_url=came.launch.lineitem_url if found is not None else None)
        )
        return found


def _both(came: Arrived) -> tuple[Account, Course]:
    """The account and the course of who came in as staff. Raises NotThere for anybody else."""
    if came.account is None or came.course is None:
        raise NotThere("course")
    return came.account, came.course


def _weeks_on(opens: list[datetime], now: datetime) -> int:
    """By how many whole weeks dates move so that the first is not past."""
    late = now - min(opens, default=now)
    return max(0, -(-late // WEEK))


def _moved(policy: Policy, by: timedelta) -> Policy:
    reveal = None if policy.reveal_at is None else policy.reveal_at + by
    return replace(
        policy,
        opens_at=policy.opens_at + by,
        due_at=policy.due_at + by,
        closes_at=policy.closes_at + by,
        reveal_at=reveal,
    )
