"""Where a launch leads: who it is here, which class, which assignment."""

from __future__ import annotations

import re
import secrets
from collections import OrderedDict
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from threading import Lock
from typing import Literal, TypeAlias

from app.class_ports import Taken
from app.classroom.launch import Launch, NotBelieved
from app.model import LearnerId
from app.model.campuses import Course, Identity, Link, Registration
from app.model.classes import (
    Account,
    AccountId,
    Assignment,
    AssignmentId,
    Class,
    ClassId,
    Enrolment,
    EnrolmentId,
    Session,
    Staff,
)
from app.service.school.campus.launching import Believed
from app.service.school.parts import SchoolParts
from app.service.school.people import sort_name
from app.service.school.rules import ClassRules
from app.service.school.words import visible
from app.service.tokens import token_hash

LEARNER_LASTS = timedelta(days=180)
STAFF_LASTS = timedelta(hours=12)
TICKET_LASTS = timedelta(minutes=5)
PAGE_LASTS = timedelta(hours=1)
MOST_TICKETS = 10_000
NUMBERED = re.compile(r"Learner [0-9]+")
WAIT_FOR_INSTRUCTOR = "Your instructor has not connected this course yet"
Then: TypeAlias = Literal["go", "connect", "choose", "deep"]


@dataclass(frozen=True)
class Arrived:
    """Somebody who came in. `then` says what stands between them and `path`.

    connect: the course has no class yet; choose: the link leads nowhere yet; deep: content is
    chosen for the course.
    """

    registration: Registration
    launch: Launch
    path: str
    then: Then = "go"
    course: Course | None = None
    learner: LearnerId | None = None
    account: Account | None = None


@dataclass(frozen=True)
class FramedSession:
    """Who a campus signed in in this browser, and which sites may show their pages."""

    registration: Registration
    learner: LearnerId | None = None
    account: Account | None = None


class Tickets:
    """What a page may go on with once, within some minutes; in memory only."""

    def __init__(self) -> None:
        self._kept: OrderedDict[bytes, tuple[Arrived, datetime]] = OrderedDict()
        self._lock = Lock()

    def keep(self, arrived: Arrived, until: datetime, ticket: str = "") -> str:
        """A ticket for somebody who came in: a new one, or one of theirs that is good again."""
        ticket = ticket or secrets.token_urlsafe(24)
        with self._lock:
            self._kept[token_hash(ticket)] = (arrived, until)
            if len(self._kept) > MOST_TICKETS:
                self._kept.popitem(last=False)
        return ticket

    def look(self, ticket: str, now: datetime) -> Arrived | None:
        """Whose ticket this is; it stays good."""
        with self._lock:
            found = self._kept.get(token_hash(ticket))
        return found[0] if found is not None and now < found[1] else None

    def take(self, ticket: str, now: datetime) -> Arrived | None:
        """Whose ticket this is; it is good no more."""
        with self._lock:
            found = self._kept.pop(token_hash(ticket), None)
        return found[0] if found is not None and now < found[1] else None


class Arriving:
    """The use cases around who a launch brings, and where to."""

    def __init__(self, parts: SchoolParts, rules: ClassRules) -> None:
        self._parts = parts
        self._rules = rules
        self._courses = parts.school.campus.courses
        self._tickets = Tickets()

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
            raise NotBelieved("Only who teaches a course can add content to it.", 403)
        if course is None:
            who = self._learner_of(registration, launch)
            return Arrived(registration, launch, self._practice(launch), learner=who)
        made = self._class_of(course)
        if made is None:
            raise NotBelieved(f"{WAIT_FOR_INSTRUCTOR}. Try again when they have.", 403)
        if made.archived_at is not None:
            raise NotBelieved(f"{made.title} is over. Its work can still be read there.", 403)
        who = self._learner_of(registration, launch)
        self._leave_staff(registration, launch, made.id)
        seat = self.seat(made, who, launch)
        given = self.assignment(course, launch)
        self.remember_link(course, launch, given)
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

    def _learner_of(self, registration: Registration, launch: Launch) -> LearnerId:
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

    def _staff(self, registration: Registration, launch: Launch, course: Course | None) -> Arrived:
        account = self._account_of(registration, launch)
        if course is None:
            return Arrived(registration, launch, "/classes", account=account)
        made = self._class_of(course)
        came = Arrived(registration, launch, "", "go", course, account=account)
        if made is None:
            if launch.part != "instructor":
                raise NotBelieved(f"{WAIT_FOR_INSTRUCTOR}. Try again when they have.", 403)
            return replace(came, then="connect")
        self.teach(made.id, account, launch)
        if launch.kind == "deep":
            return replace(came, then="deep")
        given = self.assignment(course, launch)
        self.remember_link(course, launch, given)
        if given is not None:
            return replace(came, path=f"/classes/{made.id}/board/{given.exercise}")
        named = bool(launch.custom.get("exercise")) or launch.custom.get("page") == "class"
        whole = named or launch.resource_link == launch.context
        then: Then = "go" if whole or launch.part != "instructor" else "choose"
        return replace(came, path=f"/classes/{made.id}/board", then=then)

    def _account_of(self, registration: Registration, launch: Launch) -> Account:
        known = self._courses.identity(registration.id, launch.subject)
        if known is not None and known.account is not None:
            account = self._parts.school.accounts.get(known.account)
            if account is None or account.disabled_at is not None:
                raise NotBelieved("Your account here was shut by whoever runs this server.", 403)
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
        role = "instructor" if launch.part == "instructor" else "assistant"
        known = {one.account: one.role for one in self._parts.school.classes.staff(class_id)}
        if known.get(account.id) == role:
            return
        staff = Staff(class_id, account.id, role, self._parts.now(), account.name)  # type: ignore[arg-type]
        if self._parts.school.classes.set_staff(staff):
            self._parts.note(account, f"{role} by the campus", account.id, "", class_id)

    def _leave_staff(self, registration: Registration, launch: Launch, class_id: ClassId) -> None:
        """Who teaches a course no longer teaches its class no longer."""
        known = self._courses.identity(registration.id, launch.subject)
        if known is None or known.account is None:
            return
        staff = {one.account for one in self._parts.school.classes.staff(class_id)}
        if known.account in staff:
            self._parts.school.classes.remove_staff(class_id, known.account)
            self._parts.note("the campus", "teaches no longer", known.account, "", class_id)

    # -------------------------------------------------------------- links

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

    # -------------------------------------------------------------- sessions

    def open_session(self, arrived: Arrived) -> tuple[str, int]:
        """Sign somebody in in their browser: the cookie's value and how long it lasts, seconds."""
        token, now = secrets.token_urlsafe(32), self._parts.now()
        lasts = STAFF_LASTS if arrived.account is not None else LEARNER_LASTS
        account = None if arrived.account is None else arrived.account.id
        learner = arrived.learner if account is None else None
        session = Session(account, now, now, now + lasts, learner, arrived.registration.id, True)
        self._parts.school.sign_ins.open(token_hash(token), session)
        return token, int(lasts.total_seconds())

    def session(self, token: str) -> FramedSession | None:
        """Who a cookie's token is; None where it ended or the campus was switched off."""
        kept = self._parts.school.sign_ins.get(token_hash(token))
        if kept is None or kept.registration is None or kept.expires_at <= self._parts.now():
            return None
        registration = self._let_in(kept.registration)
        if registration is None:
            return None
        if kept.account is None:
            return FramedSession(registration, learner=kept.learner)
        account = self._enabled(kept.account)
        return None if account is None else FramedSession(registration, account=account)

    def _let_in(self, registration: str) -> Registration | None:
        """A campus, unless it was switched off."""
        found = self._parts.school.campus.registrations.get(registration)
        return found if found is not None and found.state == "active" else None

    def _enabled(self, account: AccountId) -> Account | None:
        """An account, unless it was shut."""
        found = self._parts.school.accounts.get(account)
        return found if found is not None and found.disabled_at is None else None

    def _still(self, arrived: Arrived | None) -> Arrived | None:
        """Somebody who came in, as their campus and account are now; None where one is shut."""
        if arrived is None:
            return None
        registration = self._let_in(arrived.registration.id)
        if registration is None:
            return None
        account = None if arrived.account is None else self._enabled(arrived.account.id)
        if arrived.account is not None and account is None:
            return None
        return replace(arrived, registration=registration, account=account)

    def ticket(self, arrived: Arrived) -> str:
        """A ticket for the page after the launch: good once, for some minutes."""
        return self._tickets.keep(arrived, self._parts.now() + TICKET_LASTS)

    def page_ticket(self, arrived: Arrived) -> str:
        """A ticket for a page with a form, which people take their time for."""
        return self._tickets.keep(arrived, self._parts.now() + PAGE_LASTS)

    def look(self, ticket: str) -> Arrived | None:
        """Whose ticket this is; it stays good. None where their campus or account was shut."""
        return self._still(self._tickets.look(ticket, self._parts.now()))

    def take(self, ticket: str) -> Arrived | None:
        """Whose ticket this is; it is good no more. None where their campus or account was shut."""
        return self._still(self._tickets.take(ticket, self._parts.now()))

    def give_back(self, ticket: str, came: Arrived) -> None:
        """Make a page's ticket that was taken good again: nothing came of it."""
        self._tickets.keep(came, self._parts.now() + PAGE_LASTS, ticket)

    def connected(self, came: Arrived, then: Then) -> Arrived:
        """Somebody who came in, now that their course has a class."""
        course = None if came.course is None else self._courses.get(came.course.id)
        return replace(came, course=course, then=then)


def invited_as(one: Enrolment, launch: Launch) -> bool:
    """Whether a roster's seat that is free is this person's, by id or e-mail."""
    if one.learner is not None or one.state != "invited":
        return False
    same_id = bool(launch.student_id) and one.student_id == launch.student_id
    mail = launch.email.casefold()
    return same_id or (bool(mail) and (one.campus_login or "").casefold() == mail)
