"""What the core asks of the line of jobs that wait for a sandbox."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextvars import ContextVar
from dataclasses import dataclass
from enum import IntEnum
from typing import Generic, Protocol, TypeVar

from app.model import Lane

T = TypeVar("T")


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
