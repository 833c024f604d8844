"""What the queue asks of runners, and what the runners' callers ask of each other."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextvars import ContextVar
from typing import NamedTuple, Protocol

from app.ports.sandboxes import Sandbox


class RunnerId(NamedTuple):
    """The name that the host configured, and one of the name's addresses."""

    name: str
    address: str

    def __str__(self) -> str:
        return f"{self.name} ({self.address})"


ANSWERED_BY: ContextVar[list[RunnerId] | None] = ContextVar("answered_by", default=None)
"""Where there is a list, runners that answer this thread's orders are added to it."""


class Runners(Protocol):
    """The runners of a process, for asking more than one of them."""

    def without(self, left_out: Collection[RunnerId]) -> Sandbox:
        """Has orders run by any but these; its `run` raises NobodyRuns where there is no other."""

    def distrust(self, runner: RunnerId, detail: str) -> bool:
        """Give it no orders until the operator has looked; false where it is used all the same.

        That is so where it is not known, and where a third of the runners are left out for other
        verdicts already: then it may be the code that differs from machine to machine.
        """


class ShutRunners(Protocol):
    """The runners that no process uses until the operator has looked, and why."""

    def all(self) -> Mapping[RunnerId, str]:
        """Each with its reason. Raises StoreAway."""

    def shut(self, runner: RunnerId, reason: str) -> None:
        """Add one. Raises StoreAway."""

    def let_in(self, runner: RunnerId) -> bool:
        """Take it off the list; whether it was on it. Raises StoreAway."""
