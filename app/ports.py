"""The seams on one page: what the core asks of a sandbox, a store and a line of jobs.

Real parts live in `sandbox/`, `storage/` and `jobs/`. One contract suite a port runs on every part
that fits it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from typing import Generic, Protocol, TypeVar, runtime_checkable

from app.model import (
    Formula,
    FunctionInfo,
    Lane,
    Layer,
    LearnerId,
    Mutant,
    Order,
    Problem,
    Ran,
    Slug,
    Source,
    SubmissionId,
    Typeset,
)
from app.records import (
    Attempt,
    Draft,
    Drafts,
    ExportRow,
    FollowUpAnswer,
    Hole,
    Json,
    Learner,
    NewSubmission,
    Progress,
    Revealed,
    SecondLook,
    Submission,
    WorkSummary,
)

T = TypeVar("T")


class SandboxFault(Exception):
    """Our own fault: the keeper is gone, refused to start, or a frame of its own was broken.

    Never raised for anything a learner or an author wrote. The text is for the log.
    """


class NobodyRuns(SandboxFault):
    """No machine that runs learners' code takes orders now. Nothing failed: the order may wait."""


class Sandbox(Protocol):
    """Has calls executed in a jail and reports what it saw; safe to use from several threads."""

    def run(self, order: Order) -> Ran:
        """Load the order's files in a fresh child and run its calls, blocking until all ended.

        Raises SandboxFault when the jail itself failed, after its own retries.
        """

    def describe(self, source: Source) -> tuple[tuple[FunctionInfo, ...], tuple[Problem, ...]]:
        """Public functions of a file in order (or the problems that keep it from loading)."""

    def typeset(self, formulas: Sequence[Formula]) -> tuple[Typeset, ...]:
        """What becomes of an author's formulas, in order; their parser runs in the jail too.

        Raises SandboxFault as `run`.
        """

    def layers(self) -> tuple[Layer, ...]:
        """Which layers of the wall hold here; grading is refused unless all required ones do."""

    def close(self) -> None:
        """End the keeper and every child; no process is left."""


@runtime_checkable
class EagerSandbox(Sandbox, Protocol):
    """A sandbox that tells of an order's first calls while the rest still run."""

    def run_first(self, order: Order, calls: int, then: Callable[[Ran, Callable[[], Ran]], T]) -> T:
        """What `then` makes of the first calls.

        It is also given what waits for the rest and gives the whole; where it does not call that,
        the child is ended. `then` may be called again where a keeper went away. Raises as `run`.
        """


class AuthorSandbox(Sandbox, Protocol):
    """A sandbox that also serves authors: `mlgrind check` works with it."""

    def mutants(self, source: Source) -> tuple[Mutant, ...]:
        """Copies of a file with one small change each, in order of line; made in the jail.

        () where none can be made: no Python, nested too deeply, or nothing to change. Raises
        SandboxFault as `run`.
        """


@dataclass(frozen=True)
class Jails:
    """Where whose code runs: a learner's in `learners`, which may be other machines.

    An author's files run in `house` alone, a jail of this machine: they hold the answers, and what
    they give is the truth for everybody.
    """

    learners: Sandbox
    house: Sandbox

    @classmethod
    def one(cls, sandbox: Sandbox) -> Jails:
        """One jail of this machine for all code, a child each as ever."""
        return cls(sandbox, sandbox)


# ------------------------------------------------------------------ the line of jobs


class Kind(IntEnum):
    """What a job is for; a smaller one goes first, and the largest is dropped first."""

    SUBMISSION = 0
    RUN = 1
    LIVE = 2
    SECOND_LOOK = 3


@dataclass(frozen=True)
class Job(Generic[T]):
    """A piece of work in line. `turn` is whose turn it takes: the learner's, or its address's.

    `work` is called with the lane it may use and gives the result, or None where it left the fast
    lane and wants to be called again with the slow one. It may raise SandboxFault, which is tried
    once more, alone; any other exception ends up in the future.
    """

    key: str
    turn: str
    kind: Kind
    work: Callable[[Lane], T | None]


class GaveWay(Exception):
    """The child a job ran in was ended for another job, or no caller waits any more: no verdict."""


class Place(Protocol):
    """Where a slow job runs: it shares the machine with others, and stands still for them."""

    def spent(self, cpu_s: float) -> bool:
        """Say what the job's child used since the last time; false where it has to stand still.

        Raises GaveWay where no caller waits for the job any more.
        """

    def stand(self) -> None:
        """Block for as long as the child is kept stopped. Raises GaveWay where it is ended."""


PLACE: ContextVar[Place | None] = ContextVar("place", default=None)
"""The place of the job that this thread works on; the sandbox asks it while a child runs."""

KIND: ContextVar[Kind] = ContextVar("kind", default=Kind.SUBMISSION)
"""What the job that this thread works on is for; runners that are nearly full go by it."""


@dataclass(frozen=True)
class Load:
    """How busy a line is: jobs waiting by kind, running, and the most it takes."""

    submissions: int
    runs: int
    running: int
    capacity: int


class LineFull(Exception):
    """The line takes no more; nothing was queued."""


class Line(Protocol):
    """Jobs waiting for the sandbox: short ones go fast, long ones take turns by learner."""

    def start(self) -> None:
        """Begin to work; jobs put before wait until then."""

    def put(self, job: Job[T], *, bounded: bool = True) -> Future[T]:
        """Queue a job; cancelling the future takes it out again while it waits.

        Raises LineFull where the line is at its bound, unless `bounded` is false (jobs that were
        accepted before a restart are never refused).
        """

    def place(self, key: str) -> int | None:
        """How many jobs go before this one, plus one; None when it does not wait in line."""

    def load(self) -> Load:
        """How busy it is now."""

    def close(self, drain_s: float = 0.0) -> None:
        """Finish what runs, for at most `drain_s`; what waits is left undone and cancelled."""


# ------------------------------------------------------------------ who judges


@dataclass(frozen=True)
class GradeJob:
    """A stored submission to be judged: only data, so that another machine may take it.

    `turn` is whose turn it takes; where many machines share a queue, `group` is: its class, "" for
    none. With `see`, the report of one that is off also shows what the code does.
    """

    submission: SubmissionId
    turn: str
    see: bool = False
    group: str = ""


class TooManyInLine(Exception):
    """The learner has as many submissions in line as one may; nothing was stored."""


class StoreAway(Exception):
    """The database does not answer just now, or its disk is full; nothing was written.

    The text is its own words, for the log.
    """

    def __init__(self, words: str, *, disk_full: bool = False) -> None:
        super().__init__(words)
        self.disk_full = disk_full


class Judge(Protocol):
    """Has stored submissions judged. A report is in the store before it is given away."""

    def start(self) -> None:
        """Begin; the line it stands on is started by its owner."""

    def left(self) -> tuple[SubmissionId, ...]:
        """Those that an earlier process left unjudged and that this one has to take up."""

    def judge(self, job: GradeJob) -> Future[Json]:
        """The report of a stored submission once there is one; asking twice judges once.

        What keeps it from being judged is told in the report, as our own fault. The future is
        cancelled where the server closes first.
        """

    def place(self, submission: SubmissionId) -> int | None:
        """Its place in line, 1 for the next; None when it does not wait in line."""

    def wait_s(self) -> float:
        """Seconds that a submission sent now is likely to wait; 0 where that is not known."""

    def load(self) -> Load:
        """How many submissions wait."""

    def close(self, drain_s: float = 0.0) -> None:
        """Let what it holds go, after at most `drain_s`; no future is left waiting."""


# ------------------------------------------------------------------ the store


class SubmissionStore(Protocol):
    """Submissions and their reports."""

    def add(self, new: NewSubmission, job: GradeJob | None = None) -> tuple[Submission, bool]:
        """Store durably; the flag is false where key, learner, exercise and source were known.

        Where the database also holds the queue, `job` is put into it in the same transaction.
        """

    def known(self, learner: LearnerId, slug: Slug, source: bytes, key: str) -> Submission | None:
        """The submission stored before under this key with this source, if any."""

    def get(self, submission: SubmissionId) -> Submission | None:
        """One submission with its report."""

    def unreported(self) -> tuple[SubmissionId, ...]:
        """Those without a report, oldest first."""

    def faults(self) -> tuple[SubmissionId, ...]:
        """Those whose report says that it was our fault, oldest first."""

    def record(self, submission: SubmissionId, report: Json, at: datetime) -> bool:
        """Store a report once; false where there is one already or the submission is gone."""

    def correct(self, submission: SubmissionId, report: Json, at: datetime) -> bool:
        """Store a report in place of one that was our fault; false where there is none such."""

    def replace(self, submission: SubmissionId, report: Json, at: datetime) -> bool:
        """Put a report in the place of any that stands, which is kept; false where there is none.

        For a verdict that was a lie: no submission is judged anew for less.
        """

    def part(self, hashed: bytes) -> object | None:
        """What stored reports share under the SHA-256 of its JSON, None where there is nothing."""

    def shrink(self, most: int) -> bool:
        """Make up to `most` old reports small; whether there may be more. Nothing else changes.

        With 0 it only notes up to where all are judged, so that `unreported` looks at no others.
        """

    def history(self, learner: LearnerId, slug: Slug) -> tuple[Attempt, ...]:
        """A learner's submissions for an exercise, newest first."""

    def progress(self, learner: LearnerId) -> tuple[Progress, ...]:
        """What was done with each exercise the learner ever touched, by slug."""

    def export(self) -> Iterator[ExportRow]:
        """Every submission, oldest first."""


class LearnerStore(Protocol):
    """Who is learning, and the codes that carry work to another device."""

    def get(self, learner: LearnerId) -> Learner:
        """The learner, or the one it was joined to; without a row `created_at` is None."""

    def rename(self, learner: LearnerId, name: str, at: datetime) -> None:
        """Set the name, "" for none."""

    def set_code(self, learner: LearnerId, code_hash: bytes, at: datetime) -> None:
        """Keep a recovery code's hash in place of an earlier one."""

    def by_code(self, code_hash: bytes) -> LearnerId | None:
        """Whose code this is."""

    def use_code(self, code_hash: bytes, replacement: bytes, at: datetime) -> LearnerId | None:
        """Replace a code by the next; None where another use came first."""

    def summary(self, learner: LearnerId) -> WorkSummary:
        """Counts and dates of a learner's work."""

    def join(self, gone: LearnerId, into: LearnerId, at: datetime) -> None:
        """Move all work of one learner to another, once and whole."""


class LadderStore(Protocol):
    """Hints and solutions revealed, and answers to follow-up questions."""

    def revealed(self, learner: LearnerId, slug: Slug) -> Revealed:
        """How far down the ladder the learner is."""

    def reveal_hint(self, learner: LearnerId, slug: Slug, number: int, at: datetime) -> None:
        """Record a hint once."""

    def reveal_solution(self, learner: LearnerId, slug: Slug, at: datetime) -> None:
        """Record that the reference was shown, once."""

    def answer(self, learner: LearnerId, answer: FollowUpAnswer) -> None:
        """Keep an answer in place of the last to the same question."""

    def answers(self, learner: LearnerId, slug: Slug) -> tuple[FollowUpAnswer, ...]:
        """The last answer to each question, by number."""


class DraftStore(Protocol):
    """Texts being written."""

    def save(self, learner: LearnerId, draft: Draft, base: str | None) -> Drafts:
        """Keep the device's text; the draft whose version is `base`, grown out of, goes."""

    def all(self, learner: LearnerId, slug: Slug) -> Drafts:
        """The newest and the others."""

    def drop(self, learner: LearnerId, slug: Slug, version: str) -> None:
        """Forget one text."""


class LinkStore(Protocol):
    """Links to read-only copies of single submissions; tokens are kept as hashes."""

    def share(
        self, submission: SubmissionId, token_hash: bytes, nonce: bytes, at: datetime
    ) -> None:
        """Keep a token's hash in place of an earlier one."""

    def nonce(self, submission: SubmissionId) -> bytes | None:
        """What the token in force was made from, or None where the submission is not shared."""

    def shared(self, token_hash: bytes) -> SubmissionId | None:
        """The submission a token opens."""

    def revoke(self, submission: SubmissionId) -> None:
        """Forget the token; the link is dead from now on."""


class LookStore(Protocol):
    """Second looks at accepted submissions, and the holes they found."""

    def record(self, look: SecondLook) -> None:
        """Keep a look once; nothing where the submission is gone."""

    def get(self, submission: SubmissionId) -> SecondLook | None:
        """The look at a submission, where there was one."""

    def holes(self) -> tuple[Hole, ...]:
        """By exercise, those that most submissions fell into first."""


class Store(Protocol):
    """Everything durable. Each write is one transaction, on disk when the method returns.

    Each property is a port of this name; that port's docstring says what it is (hence D102).
    """

    @property
    def submissions(self) -> SubmissionStore: ...  # noqa: D102
    @property
    def learners(self) -> LearnerStore: ...  # noqa: D102
    @property
    def ladder(self) -> LadderStore: ...  # noqa: D102
    @property
    def drafts(self) -> DraftStore: ...  # noqa: D102
    @property
    def links(self) -> LinkStore: ...  # noqa: D102
    @property
    def looks(self) -> LookStore: ...  # noqa: D102
    @property
    def shared(self) -> bool: ...  # noqa: D102 (servers of several releases may use it at once)

    def does_chores(self) -> bool:
        """Whether this process, of several, is the one that does what is to be done once."""

    def answers(self) -> bool:
        """Whether the database answers, with the schema that this code knows."""

    def close(self) -> None:
        """Let the connections go."""
