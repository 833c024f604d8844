"""Fakes of the ports of classes: staff, classes, people, assignments. All in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from app.model import LearnerId, Slug
from app.model.classes import (
    Account,
    AccountId,
    Assignment,
    AssignmentId,
    Class,
    ClassId,
    Enrolment,
    EnrolmentId,
    Extension,
    Override,
    Session,
    Staff,
)
from app.ports.classes import Taken
from tests.fake_class_shelves import ClassShelves, Link


class FakeAccounts:
    """The port `Accounts`."""

    def __init__(self, kept: ClassShelves) -> None:
        self._kept = kept

    def add(self, account: Account) -> None:
        self.save(account)

    def save(self, account: Account) -> None:
        for other in self._kept.accounts.values():
            if account.login is not None and other.login == account.login:
                if other.id != account.id:
                    raise Taken(account.login)
        self._kept.accounts[account.id] = account

    def get(self, account: AccountId) -> Account | None:
        return self._kept.accounts.get(account)

    def by_login(self, login: str) -> Account | None:
        return next((one for one in self._kept.accounts.values() if one.login == login), None)

    def all(self) -> tuple[Account, ...]:
        return tuple(sorted(self._kept.accounts.values(), key=lambda one: (one.name, one.id)))

    def password(self, account: AccountId) -> str | None:
        return self._kept.passwords.get(account)

    def set_password(self, account: AccountId, password: str) -> None:
        self._kept.passwords[account] = password
        for id_hash, session in list(self._kept.sessions.items()):
            if session.account == account:
                del self._kept.sessions[id_hash]

    def add_link(
        self, token_hash: bytes, account: AccountId, at: datetime, until: datetime
    ) -> None:
        for link in self._kept.links.values():
            link.used = link.used or link.account == account
        self._kept.links[token_hash] = Link(account, until)

    def link(self, token_hash: bytes, now: datetime) -> AccountId | None:
        found = self._kept.links.get(token_hash)
        return None if found is None or found.used or found.until <= now else found.account

    def use_link(self, token_hash: bytes, now: datetime) -> AccountId | None:
        with self._kept.work.lock:
            account = self.link(token_hash, now)
            if account is not None:
                self._kept.links[token_hash].used = True
            return account


class FakeSignIns:
    """The port `SignIns`."""

    def __init__(self, kept: ClassShelves) -> None:
        self._kept = kept

    def open(self, id_hash: bytes, session: Session) -> None:
        self._kept.sessions[id_hash] = session

    def get(self, id_hash: bytes) -> Session | None:
        return self._kept.sessions.get(id_hash)

    def saw(self, id_hash: bytes, at: datetime) -> None:
        if id_hash in self._kept.sessions:
            self._kept.sessions[id_hash] = replace(self._kept.sessions[id_hash], seen_at=at)

    def end(self, id_hash: bytes) -> None:
        self._kept.sessions.pop(id_hash, None)

    def forget_before(self, at: datetime) -> int:
        old = [key for key, one in self._kept.sessions.items() if one.expires_at < at]
        for key in old:
            del self._kept.sessions[key]
        return len(old)


class FakeClasses:
    """The port `Classes`."""

    def __init__(self, kept: ClassShelves) -> None:
        self._kept = kept

    def add(self, made: Class, by: AccountId) -> None:
        self.save(made)
        self._kept.staff[made.id, by] = Staff(made.id, by, "instructor", made.made_at)

    def save(self, made: Class) -> None:
        other = None if made.join_code is None else self.by_code(made.join_code)
        if other is not None and other.id != made.id:
            raise Taken(made.join_code)
        self._kept.classes[made.id] = made

    def get(self, class_id: ClassId) -> Class | None:
        return self._kept.classes.get(class_id)

    def by_code(self, code: str) -> Class | None:
        return next((one for one in self._kept.classes.values() if one.join_code == code), None)

    def all(self) -> tuple[Class, ...]:
        return tuple(sorted(self._kept.classes.values(), key=lambda one: one.id, reverse=True))

    def staff(self, class_id: ClassId) -> tuple[Staff, ...]:
        found = [one for (made, _), one in self._kept.staff.items() if made == class_id]
        named = [replace(one, name=self._kept.accounts[one.account].name) for one in found]
        return tuple(sorted(named, key=lambda one: (one.role != "instructor", one.name)))

    def taught_by(self, account: AccountId) -> tuple[tuple[Class, Staff], ...]:
        mine = {made: one for (made, who), one in self._kept.staff.items() if who == account}
        return tuple((made, mine[made.id]) for made in self.all() if made.id in mine)

    def set_staff(self, staff: Staff) -> bool:
        if staff.role != "instructor" and self._is_last(staff.class_id, staff.account):
            return False
        self._kept.staff[staff.class_id, staff.account] = staff
        return True

    def remove_staff(self, class_id: ClassId, account: AccountId) -> bool:
        if self._is_last(class_id, account):
            return False
        self._kept.staff.pop((class_id, account), None)
        return True

    def _is_last(self, class_id: ClassId, account: AccountId) -> bool:
        teach = [one.account for one in self.staff(class_id) if one.role == "instructor"]
        return teach == [account]


class FakeEnrolments:
    """The port `Enrolments`."""

    def __init__(self, kept: ClassShelves) -> None:
        self._kept = kept

    def add(self, enrolment: Enrolment) -> None:
        self.apply([enrolment], [])

    def save(self, enrolment: Enrolment) -> None:
        self.apply([], [enrolment])

    def apply(self, new: Sequence[Enrolment], changed: Sequence[Enrolment]) -> None:
        with self._kept.work.lock:
            after = dict(self._kept.enrolments)
            for one in (*new, *changed):
                after[one.id] = one
            self._check(after)
            self._kept.enrolments = after
            for one in new:
                if one.learner is not None and one.joined_at is not None:
                    self._kept.work.ensure(one.learner, one.joined_at)

    def _check(self, after: dict[EnrolmentId, Enrolment]) -> None:
        for what in ("learner", "student_id"):
            used = [(one.class_id, getattr(one, what)) for one in after.values()]
            named = [pair for pair in used if pair[1] is not None]
            if len(named) != len(set(named)):
                raise Taken(what)

    def get(self, enrolment: EnrolmentId) -> Enrolment | None:
        found = self._kept.enrolments.get(enrolment)
        return None if found is None else self._with_seat(found)

    def _with_seat(self, one: Enrolment) -> Enrolment:
        seat = self._kept.seats.get(one.id)
        return replace(one, seat_until=None if seat is None else seat[1])

    def of_class(self, class_id: ClassId) -> tuple[Enrolment, ...]:
        found = (one for one in self._kept.enrolments.values() if one.class_id == class_id)
        mine = sorted((one for one in found if one.merged_into is None), key=lambda one: one.id)
        return tuple(self._with_seat(one) for one in mine)

    def of_learner(self, learner: LearnerId) -> tuple[Enrolment, ...]:
        mine = [one for one in self._kept.enrolments.values() if one.learner == learner]
        return tuple(self._with_seat(one) for one in sorted(mine, key=lambda one: one.id))

    def set_seat(self, enrolment: EnrolmentId, seat_hash: bytes | None, until: datetime) -> None:
        self._kept.seats.pop(enrolment, None)
        if seat_hash is not None:
            self._kept.seats[enrolment] = (seat_hash, until)

    def by_seat(self, seat_hash: bytes) -> Enrolment | None:
        found = [key for key, (kept, _) in self._kept.seats.items() if kept == seat_hash]
        return self.get(found[0]) if found else None

    def take_seat(self, seat_hash: bytes, learner: LearnerId, at: datetime) -> Enrolment | None:
        with self._kept.work.lock:
            found = self.by_seat(seat_hash)
            if found is None or found.seat_until is None or found.seat_until <= at:
                return None
            if found.state not in ("invited", "active"):
                return None
            joined = found.joined_at or at
            taken = replace(found, learner=learner, state="active", joined_at=joined)
            self.apply([], [taken])
            self._kept.work.ensure(learner, at)
            self._kept.seats[found.id] = (seat_hash, at)
            return self.get(found.id)

    def merge(self, gone: EnrolmentId, into: Enrolment, at: datetime) -> None:
        for terms in (self._kept.extensions, self._kept.overrides):
            _go_over(terms, gone, into.id)
        self._kept.seats.pop(gone, None)
        blank = replace(
            self._kept.enrolments[gone], learner=None, student_id=None, campus_login=None,
            state="removed", removed_at=at, merged_into=into.id,
        )  # fmt: skip
        self.apply([], [blank, into])


def _go_over(terms: dict, gone: EnrolmentId, into: EnrolmentId) -> None:  # type: ignore[type-arg]
    for key in [key for key in terms if key[1] == gone]:
        moved = replace(terms.pop(key), enrolment=into)
        terms.setdefault((key[0], into), moved)


class FakeAssignments:
    """The port `Assignments`."""

    def __init__(self, kept: ClassShelves) -> None:
        self._kept = kept

    def add(self, assignment: Assignment) -> None:
        if assignment.exercise in self._kept.given(assignment.class_id):
            raise Taken(assignment.exercise)
        self._kept.assignments[assignment.id] = assignment

    def save(self, assignment: Assignment) -> None:
        self._kept.assignments[assignment.id] = assignment

    def get(self, assignment: AssignmentId) -> Assignment | None:
        return self._kept.assignments.get(assignment)

    def _all(self) -> list[Assignment]:
        return sorted(self._kept.assignments.values(), key=lambda one: (one.position, one.id))

    def of_class(self, class_id: ClassId) -> tuple[Assignment, ...]:
        mine = (one for one in self._all() if one.class_id == class_id)
        return tuple(one for one in mine if one.removed_at is None)

    def on_exercise(self, exercise: Slug) -> tuple[Assignment, ...]:
        running = (one for one in self._all() if self._kept.running(one))
        return tuple(one for one in running if one.exercise == exercise)

    def reserved(self) -> tuple[Assignment, ...]:
        return tuple(one for one in self._all() if self._kept.running(one) and one.policy.reserved)

    def of_learner(
        self, learner: LearnerId
    ) -> tuple[tuple[Assignment, Enrolment, Extension | None], ...]:
        mine = {
            one.class_id: one
            for one in FakeEnrolments(self._kept).of_learner(learner)
            if one.state in ("active", "preview")
        }
        given = [one for one in self._all() if one.class_id in mine and self._kept.running(one)]
        given.sort(key=lambda one: one.policy.due_at)
        return tuple(
            (one, seat, self._kept.extensions.get((one.id, seat.id)))
            for one in given
            for seat in [mine[one.class_id]]
        )

    def extend(self, extension: Extension) -> None:
        self._kept.extensions[extension.assignment, extension.enrolment] = extension

    def take_back(self, assignment: AssignmentId, enrolment: EnrolmentId) -> None:
        self._kept.extensions.pop((assignment, enrolment), None)

    def extensions(self, class_id: ClassId) -> tuple[Extension, ...]:
        every = self._kept.extensions.values()
        return tuple(x for x in every if self._kept.enrolments[x.enrolment].class_id == class_id)

    def override(self, override: Override) -> None:
        self._kept.overrides[override.assignment, override.enrolment] = override

    def overrides(self, class_id: ClassId) -> tuple[Override, ...]:
        every = self._kept.overrides.values()
        return tuple(x for x in every if self._kept.enrolments[x.enrolment].class_id == class_id)

    def overrides_of(self, enrolments: Sequence[EnrolmentId]) -> tuple[Override, ...]:
        return tuple(x for x in self._kept.overrides.values() if x.enrolment in enrolments)
