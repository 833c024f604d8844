"""The nouns of a class: frozen data, as the rules in `classroom/` and a store hand them on.

Times are aware and in UTC. Points are whole hundredths (10 points = 1000) and shares whole
ten-thousandths (5 % = 500), so that no grade hangs on how a computer writes 0.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NewType, TypeAlias

from app.model.verdicts import LearnerId, Slug, SubmissionId

ClassId = NewType("ClassId", str)
EnrolmentId = NewType("EnrolmentId", str)
AssignmentId = NewType("AssignmentId", str)
AccountId = NewType("AccountId", str)

POINT = 100
"""Hundredths in a point."""

WHOLE = 10_000
"""Ten-thousandths in a whole."""

JoinBy: TypeAlias = Literal["name", "roster"]
"""How learners get in: with the code and any name, or with a seat made from the roster only."""

State: TypeAlias = Literal["invited", "active", "removed", "preview"]
"""Of an enrolment. invited: on the roster, has not come; preview: the seat that staff look from."""

StaffRole: TypeAlias = Literal["instructor", "assistant"]
Late: TypeAlias = Literal["accept", "refuse", "per_day"]
Scoring: TypeAlias = Literal["share", "all"]
Counts: TypeAlias = Literal["best", "last"]
Feedback: TypeAlias = Literal["full", "visible", "count", "none"]
SolutionRule: TypeAlias = Literal["usual", "after"]


@dataclass(frozen=True)
class Class:
    """A class; `zone` is the IANA name in which its dates are entered, shown and counted."""

    id: ClassId
    title: str
    zone: str
    made_at: datetime
    term: str = ""
    join_code: str | None = None
    join_until: datetime | None = None
    join_by: JoinBy = "name"
    retention_days: int = 550
    archived_at: datetime | None = None


@dataclass(frozen=True)
class Enrolment:
    """A person in a class; `learner` is None until they come. `sort_name` orders the roster.

    `student_id` and `campus_login` (a login or an e-mail address) are what a campus system calls
    the person, where a roster said so.
    """

    id: EnrolmentId
    class_id: ClassId
    name: str
    sort_name: str = ""
    learner: LearnerId | None = None
    student_id: str | None = None
    campus_login: str | None = None
    section: str = ""
    state: State = "active"
    joined_at: datetime | None = None
    removed_at: datetime | None = None
    merged_into: EnrolmentId | None = None
    seat_until: datetime | None = None


@dataclass(frozen=True)
class Policy:
    """How an assignment's work counts: what the form sets, in hundredths and ten-thousandths."""

    points: int
    opens_at: datetime
    due_at: datetime
    closes_at: datetime
    late: Late = "accept"
    late_share: int = 0
    scoring: Scoring = "share"
    counts: Counts = "best"
    attempts: int | None = None
    hint_share: int = 0
    feedback: Feedback = "full"
    reveal_at: datetime | None = None
    solution: SolutionRule = "usual"
    reserved: bool = False


@dataclass(frozen=True)
class Assignment:
    """One exercise given to a class under a policy; `position` orders the columns."""

    id: AssignmentId
    class_id: ClassId
    exercise: Slug
    title: str
    position: int
    policy: Policy
    made_at: datetime
    removed_at: datetime | None = None


@dataclass(frozen=True)
class Extension:
    """Other terms for one learner in one assignment; None leaves the class's."""

    assignment: AssignmentId
    enrolment: EnrolmentId
    by: AccountId | None
    at: datetime
    due_at: datetime | None = None
    closes_at: datetime | None = None
    attempts: int | None = None
    excused: bool = False
    note: str = ""


@dataclass(frozen=True)
class Override:
    """Points set by hand in place of the computed ones (None: not set), and whether to hold them.

    `reason` is for staff and the audit, `note` for the learner to read.
    """

    assignment: AssignmentId
    enrolment: EnrolmentId
    by: AccountId | None
    at: datetime
    points: int | None = None
    held: bool = False
    reason: str = ""
    note: str = ""


@dataclass(frozen=True)
class Account:
    """Somebody of the staff; `login` is None for one who comes by a campus system only."""

    id: AccountId
    name: str
    made_at: datetime
    login: str | None = None
    host: bool = False
    disabled_at: datetime | None = None


@dataclass(frozen=True)
class Staff:
    """An account's part in a class."""

    class_id: ClassId
    account: AccountId
    role: StaffRole
    added_at: datetime
    name: str = ""


@dataclass(frozen=True)
class Try:
    """A submission as grades need it.

    `at` is the moment that counts: when a refused try was made, else when it was stored. `hints`
    were open then. `verdict` is None while it waits for its report; `mask` has bit i set where
    test i is right; `mistakes` are the misconceptions its report names.
    """

    id: SubmissionId
    learner: LearnerId
    exercise: Slug
    at: datetime
    verdict: str | None = None
    passed: int = 0
    total: int = 0
    hints: int = 0
    mask: int = 0
    mistakes: tuple[str, ...] = ()
    digest: str = ""
