"""What the core asks of a jail, and where whose code runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar, runtime_checkable

from app.model import Formula, FunctionInfo, Layer, Mutant, Order, Problem, Ran, Source, Typeset

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
