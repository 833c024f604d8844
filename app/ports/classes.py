"""The seams of classes: what the use cases of a class ask of a store about its people and rules.

Each write is one transaction, on disk when the method returns. `storage/` has the real ones; a fake
of each passes the same contract suite. What learners did stands in `class_work`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

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
from app.ports.campuses import CampusStore
from app.ports.class_work import Audit, ClassRecords, Regrades


class Taken(Exception):
    """Something that has to be unique is there already; nothing was written."""


class TriesUsedUp(Exception):
    """The learner has no try left in this assignment; nothing was stored."""


class Accounts(Protocol):
    """Staff, their passwords (as hashes) and links that set a first one."""

    def add(self, account: Account) -> None:
        """Keep a new account. Raises Taken where the login is somebody's."""

    def get(self, account: AccountId) -> Account | None:
        """One account."""

    def by_login(self, login: str) -> Account | None:
        """The account of a login."""

    def all(self) -> tuple[Account, ...]:
        """All accounts, by name."""

    def save(self, account: Account) -> None:
        """Change name, login, host and whether it is disabled. Raises Taken."""

    def password(self, account: AccountId) -> str | None:
        """The hash of the password, or None where none was ever set."""

    def set_password(self, account: AccountId, password: str) -> None:
        """Keep a password's hash; every session of the account ends."""

    def add_link(
        self, token_hash: bytes, account: AccountId, at: datetime, until: datetime
    ) -> None:
        """Keep a link; earlier unused ones of the account are good no more."""

    def link(self, token_hash: bytes, now: datetime) -> AccountId | None:
        """Whose unused link this is."""

    def use_link(self, token_hash: bytes, now: datetime) -> AccountId | None:
        """Use a link up; None where it is used, too old or none."""


class SignIns(Protocol):
    """Sessions of staff (and of learners in a campus's frame), by the hash of their token."""

    def open(self, id_hash: bytes, session: Session) -> None:
        """Keep a session."""

    def get(self, id_hash: bytes) -> Session | None:
        """A session, however old."""

    def saw(self, id_hash: bytes, at: datetime) -> None:
        """Note that it was used."""

    def end(self, id_hash: bytes) -> None:
        """Forget it."""

    def forget_before(self, at: datetime) -> int:
        """Forget what expired before a moment; how many."""


class Classes(Protocol):
    """Classes and who teaches them."""

    def add(self, made: Class, by: AccountId) -> None:
        """Keep a class with its first instructor. Raises Taken where its code is in use."""

    def save(self, made: Class) -> None:
        """Change a class. Raises Taken where its code is in use."""

    def get(self, class_id: ClassId) -> Class | None:
        """One class."""

    def by_code(self, code: str) -> Class | None:
        """The class of a join code, however old the code is."""

    def all(self) -> tuple[Class, ...]:
        """All classes, newest first."""

    def staff(self, class_id: ClassId) -> tuple[Staff, ...]:
        """Who teaches it, with their names, instructors first."""

    def taught_by(self, account: AccountId) -> tuple[tuple[Class, Staff], ...]:
        """The classes of an account, newest first."""

    def set_staff(self, staff: Staff) -> bool:
        """Add or change somebody's part; false where the last instructor would go."""

    def remove_staff(self, class_id: ClassId, account: AccountId) -> bool:
        """End somebody's part; false where it is the last instructor's."""


class Enrolments(Protocol):
    """The people of classes."""

    def add(self, enrolment: Enrolment) -> None:
        """Enrol somebody. Raises Taken where learner or student id is in the class already."""

    def save(self, enrolment: Enrolment) -> None:
        """Change an enrolment, all but its seat. Raises Taken."""

    def apply(self, new: Sequence[Enrolment], changed: Sequence[Enrolment]) -> None:
        """A roster's changes, all or none. Raises Taken."""

    def get(self, enrolment: EnrolmentId) -> Enrolment | None:
        """One enrolment."""

    def of_class(self, class_id: ClassId) -> tuple[Enrolment, ...]:
        """Everybody in a class, removed ones too; those merged into another are left out."""

    def of_learner(self, learner: LearnerId) -> tuple[Enrolment, ...]:
        """A learner's enrolments in all classes."""

    def set_seat(self, enrolment: EnrolmentId, seat_hash: bytes | None, until: datetime) -> None:
        """Keep a seat code's hash in place of an earlier one."""

    def by_seat(self, seat_hash: bytes) -> Enrolment | None:
        """Whose seat code this is, also where it is too old."""

    def take_seat(self, seat_hash: bytes, learner: LearnerId, at: datetime) -> Enrolment | None:
        """Use a seat code up: the enrolment becomes the learner's, who had none in the class.

        None where the code is used, too old or of somebody removed. Raises Taken where the learner
        has a seat in the class already.
        """

    def merge(self, gone: EnrolmentId, into: Enrolment, at: datetime) -> None:
        """One person was in twice: extensions and overrides go over, `into` is saved as given."""


class Assignments(Protocol):
    """Assignments, and what holds for single learners."""

    def add(self, assignment: Assignment) -> None:
        """Give an exercise. Raises Taken where the class has it already."""

    def save(self, assignment: Assignment) -> None:
        """Change an assignment, or remove it by `removed_at`."""

    def get(self, assignment: AssignmentId) -> Assignment | None:
        """One assignment, a removed one too."""

    def of_class(self, class_id: ClassId) -> tuple[Assignment, ...]:
        """A class's assignments by position, without removed ones."""

    def on_exercise(self, exercise: Slug) -> tuple[Assignment, ...]:
        """The assignments of running classes on an exercise."""

    def reserved(self) -> tuple[Assignment, ...]:
        """The assignments of running classes that keep their exercise to themselves."""

    def of_learner(
        self, learner: LearnerId
    ) -> tuple[tuple[Assignment, Enrolment, Extension | None], ...]:
        """What a learner has to do in running classes; preview seats too."""

    def extend(self, extension: Extension) -> None:
        """Keep an extension in place of an earlier one."""

    def take_back(self, assignment: AssignmentId, enrolment: EnrolmentId) -> None:
        """Forget an extension."""

    def extensions(self, class_id: ClassId) -> tuple[Extension, ...]:
        """All extensions in a class."""

    def override(self, override: Override) -> None:
        """Keep an override in place of an earlier one."""

    def overrides(self, class_id: ClassId) -> tuple[Override, ...]:
        """All overrides in a class."""

    def overrides_of(self, enrolments: Sequence[EnrolmentId]) -> tuple[Override, ...]:
        """Those of some people, of whichever classes."""


class SchoolStore(Protocol):
    """Everything durable about classes.

    Each property is a port of this name; that port's docstring says what it is (hence D102).
    """

    @property
    def accounts(self) -> Accounts: ...  # noqa: D102
    @property
    def sign_ins(self) -> SignIns: ...  # noqa: D102
    @property
    def classes(self) -> Classes: ...  # noqa: D102
    @property
    def enrolments(self) -> Enrolments: ...  # noqa: D102
    @property
    def assignments(self) -> Assignments: ...  # noqa: D102
    @property
    def work(self) -> ClassRecords: ...  # noqa: D102
    @property
    def regrades(self) -> Regrades: ...  # noqa: D102
    @property
    def audit(self) -> Audit: ...  # noqa: D102
    @property
    def campus(self) -> CampusStore: ...  # noqa: D102
