"""A roster file for a class: a dry run first, then the same file applied."""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.classroom import roster
from app.classroom.people import PersonFields
from app.classroom.roster import Plan
from app.classroom.tables import Unreadable
from app.model.classes import ClassId, Enrolment, EnrolmentId
from app.ports.classes import Taken
from app.service.school import room
from app.service.school.classes import ClassBook
from app.service.school.errors import Complaints
from app.service.school.parts import By, SchoolParts
from app.service.school.rules import ClassRules
from app.service.school.uploads import Uploads
from app.service.school.words import visible


@dataclass(frozen=True)
class DryRun:
    """What a file would do, and the token with which it is applied."""

    plan: Plan
    token: str


class Rosters:
    """The use cases around roster files."""

    def __init__(self, parts: SchoolParts, rules: ClassRules, classes: ClassBook) -> None:
        self._parts = parts
        self._rules = rules
        self._classes = classes
        self._uploads = Uploads()

    def dry_run(self, class_id: ClassId, data: bytes) -> DryRun:
        """What a roster file would change. Raises Complaints with one sentence for the file."""
        self._classes.running(class_id)
        plan = self._plan(class_id, data)
        return DryRun(plan, self._uploads.keep(class_id, data))

    def _plan(self, class_id: ClassId, data: bytes) -> Plan:
        try:
            listed, bad = roster.read(data)
        except Unreadable as error:
            raise Complaints({"file": str(error)}) from None
        return roster.plan(listed, bad, self._parts.school.enrolments.of_class(class_id))

    def apply(self, class_id: ClassId, token: str, by: By, *, remove: bool = False) -> Plan:
        """Apply the file of a dry run. Raises Conflict where it is gone."""
        plan = self.apply_file(class_id, self._uploads.get(class_id, token), by, remove=remove)
        self._uploads.drop(token)
        return plan

    def apply_file(self, class_id: ClassId, data: bytes, by: By, *, remove: bool = False) -> Plan:
        """Apply a roster at once, all of it or nothing. Raises Complaints, NotThere, Conflict."""
        self._classes.running(class_id)
        plan = self._plan(class_id, data)
        room.for_people(self._parts, class_id, len(plan.new))
        now = self._parts.now()
        gone = [replace(one, state="removed", removed_at=now) for one in plan.missing if remove]
        try:
            self._parts.school.enrolments.apply(
                [self._new(class_id, who) for who in plan.new],
                [*(change.after for change in plan.changed), *gone],
            )
        except Taken:
            raise Complaints(
                {"file": "Two people of it would have one id. Check the ids."}
            ) from None
        self._rules.forget()
        said = f"{len(plan.new)} new, {len(plan.changed)} changed, {len(gone)} removed"
        self._parts.note(by, "roster applied", class_id, said, class_id)
        return plan

    def _new(self, class_id: ClassId, who: PersonFields) -> Enrolment:
        return Enrolment(
            EnrolmentId(self._parts.ids.next()),
            class_id,
            who.name,
            who.sort_name,
            student_id=who.student_id or None,
            campus_login=(who.login or who.email) or None,
            section=visible(who.section, 80),
            state="invited",
        )
