"""Who somebody of a campus is here: a learner with a seat, or an account that teaches."""

from __future__ import annotations

import re
from dataclasses import replace

from app.classroom.launch import Launch, NotBelieved
from app.model import LearnerId
from app.model.campuses import Identity, Registration
from app.model.classes import (
    Account,
    AccountId,
    Class,
    ClassId,
    Enrolment,
    EnrolmentId,
    Staff,
    StaffRole,
)
from app.ports.classes import Taken
from app.service.school import room
from app.service.school.parts import SchoolParts
from app.service.school.people import sort_name
from app.service.school.rules import ClassRules
from app.service.school.words import visible

NUMBERED = re.compile(r"Learner [0-9]+")


class CampusPersons:
    """The use cases around the people of a campus."""

    def __init__(self, parts: SchoolParts, rules: ClassRules) -> None:
        self._parts = parts
        self._rules = rules
        self._courses = parts.school.campus.courses

    def learner_of(self, registration: Registration, launch: Launch) -> LearnerId:
        """Who somebody of a campus is; a new learner at their first launch."""
        known = self._courses.identity(registration.id, launch.subject)
        if known is not None and known.learner is not None:
            return self._parts.store.learners.get(known.learner).id
        return self.new_learner(registration.id, launch.subject, known)

    def new_learner(
        self, registration: str, subject: str, known: Identity | None = None
    ) -> LearnerId:
        """A learner for a subject that has none."""
        who = LearnerId(self._parts.ids.next())
        account = None if known is None else known.account
        self._courses.save_identity(
            Identity(registration, subject, who, account), self._parts.now()
        )
        self._parts.forget_learners()
        saved = self._courses.identity(registration, subject)  # another tab may have been quicker
        return who if saved is None or saved.learner is None else saved.learner

    def seat(self, made: Class, who: LearnerId, launch: Launch) -> Enrolment:
        """Their seat in the class; whom the campus sends is in it."""
        people = self._parts.school.enrolments.of_class(made.id)
        mine = next((one for one in people if one.learner == who), None)
        if mine is None:
            mine = next((one for one in people if invited_as(one, launch)), None)
        named = visible(launch.name, 80)
        if mine is None:
            return self._add(made, who, named or f"Learner {len(people) + 1}")
        after = replace(mine, learner=who)
        if mine.state in ("invited", "removed"):
            joined = mine.joined_at or self._parts.now()
            after = replace(after, state="active", removed_at=None, joined_at=joined)
        if named and NUMBERED.fullmatch(mine.name):
            after = replace(after, name=named, sort_name=sort_name(named))
        if after != mine:
            self._parts.school.enrolments.save(after)
            self._rules.forget()
        return after

    def _add(self, made: Class, who: LearnerId, name: str) -> Enrolment:
        room.for_people(self._parts, made.id)
        now = self._parts.now()
        seat = Enrolment(
            EnrolmentId(self._parts.ids.next()), made.id, name, sort_name(name), who, joined_at=now
        )
        try:
            self._parts.school.enrolments.add(seat)
        except Taken:  # another tab was quicker
            mine = self._parts.school.enrolments.of_learner(who)
            return next(one for one in mine if one.class_id == made.id)
        if not self._parts.store.learners.get(who).name:
            self._parts.store.learners.rename(who, name, now)
        self._rules.forget()
        return seat

    # -------------------------------------------------------------- staff

    def account_of(self, registration: Registration, launch: Launch) -> Account:
        """The account of who teaches; a new one at their first launch. Raises NotBelieved."""
        known = self._courses.identity(registration.id, launch.subject)
        if known is not None and known.account is not None:
            account = self._parts.school.accounts.get(known.account)
            if account is None or account.disabled_at is not None:
                raise NotBelieved("Your account here was closed by whoever runs this server.", 403)
            return account
        name = visible(launch.name, 200) or "An instructor"
        account = Account(AccountId(self._parts.ids.next()), name, self._parts.now())
        self._parts.school.accounts.add(account)
        learner = None if known is None else known.learner
        self._courses.save_identity(
            Identity(registration.id, launch.subject, learner, account.id), self._parts.now()
        )
        saved = self._courses.identity(registration.id, launch.subject)
        first = None if saved is None else saved.account
        return account if first is None else self._parts.school.accounts.get(first) or account

    def teach(self, class_id: ClassId, account: Account, launch: Launch) -> None:
        """Give somebody the part in a class that their course gives them."""
        role: StaffRole = "instructor" if launch.part == "instructor" else "assistant"
        known = {one.account: one.role for one in self._parts.school.classes.staff(class_id)}
        if known.get(account.id) == role:
            return
        staff = Staff(class_id, account.id, role, self._parts.now(), account.name)
        if self._parts.school.classes.set_staff(staff):
            self._parts.note(account, f"{role} by the campus", account.id, "", class_id)

    def leave_staff(self, registration: Registration, launch: Launch, class_id: ClassId) -> None:
        """Who teaches a course no longer teaches its class no longer."""
        known = self._courses.identity(registration.id, launch.subject)
        if known is None or known.account is None:
            return
        staff = {one.account for one in self._parts.school.classes.staff(class_id)}
        if known.account in staff:
            self._parts.school.classes.remove_staff(class_id, known.account)
            self._parts.note("the campus", "teaches no longer", known.account, "", class_id)


def invited_as(one: Enrolment, launch: Launch) -> bool:
    """Whether a roster's seat that is free is this person's, by id or e-mail."""
    if one.learner is not None or one.state != "invited":
        return False
    same_id = bool(launch.student_id) and one.student_id == launch.student_id
    mail = launch.email.casefold()
    return same_id or (bool(mail) and (one.campus_login or "").casefold() == mail)
