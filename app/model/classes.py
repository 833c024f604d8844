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


NO_ATTEMPT = frozenset({"grader_error", "syntax_error", "policy_error"})
"""Verdicts that use up no try: nothing was run."""


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


@dataclass(frozen=True)
class Session:
    """Somebody signed in, in one browser: an account, or a learner inside a campus's frame."""

    account: AccountId | None
    made_at: datetime
    seen_at: datetime
    expires_at: datetime
    learner: LearnerId | None = None
    registration: str | None = None
    framed: bool = False


@dataclass(frozen=True)
class AuditEntry:
    """A line of the audit: who did what to what. Nothing changes one."""

    id: str
    at: datetime
    actor: str
    action: str
    object: str = ""
    detail: str = ""
    class_id: ClassId | None = None


@dataclass(frozen=True)
class TryLimit:
    """How many tries may fall into a stretch of time; counted as the submission is stored."""

    opens_at: datetime
    closes_at: datetime
    attempts: int


RegradeRule: TypeAlias = Literal["replace", "only_better"]
RegradeState: TypeAlias = Literal["judging", "ready", "applied", "dropped"]


@dataclass(frozen=True)
class Regrade:
    """Reports made anew after an exercise changed; none counts before it is applied.

    `waiting` are still to be judged, of `tries` in all.
    """

    id: str
    exercise: Slug
    digest: str
    reason: str
    at: datetime
    class_id: ClassId | None = None
    by: AccountId | None = None
    rule: RegradeRule = "replace"
    state: RegradeState = "judging"
    tries: int = 0
    waiting: int = 0


@dataclass(frozen=True)
class Regraded:
    """What one submission was judged and what it would be; None while it is not judged."""

    submission: SubmissionId
    learner: LearnerId
    old_verdict: str
    old_passed: int
    old_total: int
    new_verdict: str | None = None
    new_passed: int = 0
    new_total: int = 0

    @property
    def changes(self) -> bool:
        """Whether it makes a difference."""
        old = (self.old_verdict, self.old_passed, self.old_total)
        return self.new_verdict is not None and old != (
            self.new_verdict,
            self.new_passed,
            self.new_total,
        )


@dataclass(frozen=True)
class DeletionRequest:
    """A learner of a running class asked to be deleted; `answer` is "" until staff said why not."""

    enrolment: EnrolmentId
    at: datetime
    answer: str = ""
    answered_at: datetime | None = None


@dataclass(frozen=True)
class Program:
    """A submission's text, for the page of equal programs; `solution_at` is when it was opened."""

    submission: SubmissionId
    learner: LearnerId
    exercise: Slug
    source: bytes
    at: datetime
    verdict: str | None = None
    mistakes: tuple[str, ...] = ()
    solution_at: datetime | None = None
