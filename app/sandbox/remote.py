"""Learners' code on other machines: the port Sandbox over a fleet of runners.

An order that a runner does not answer goes to another at once. One under which two different
runners ended is not tried again: it ends them.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence

from app.model import (
    Cause,
    Execution,
    Formula,
    FunctionInfo,
    Lane,
    Layer,
    Order,
    Problem,
    Ran,
    Source,
    Typeset,
)
from app.ports import KIND, Kind, Sandbox, SandboxFault
from app.sandbox import parcel, slots
from app.sandbox.fleet import Fleet, Known
from app.sandbox.layers import counted
from app.sandbox.peer import Full, RunnerAt, Unanswered

CALLS = 4
"""So many runners get an order before it counts as failed."""

DEATHS = 2
FULL_S = (0.02, 0.06)
"""How long to wait, by chance, where every place of every runner is taken."""

AWAY_S = 20.0
"""How long a submission waits for any runner to be there; whatever else does not wait."""


class NoRunner(SandboxFault):
    """No runner answered an order; `runners` are those that were asked, by the host's names."""

    def __init__(self, what: str, tried: Mapping[RunnerAt, Unanswered]) -> None:
        reasons = "; ".join(f"{at.name} {failed}" for at, failed in tried.items())
        super().__init__(f"{what} {reasons}".strip())
        self.runners = tuple(at.name for at in tried)


class RemoteSandbox:
    """Has learners' code run by a fleet; authors' files stay in `house`, a jail of this machine."""

    def __init__(
        self,
        fleet: Fleet,
        house: Sandbox,
        away_s: float = AWAY_S,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self.fleet = fleet
        self._house = house
        self._away_s = away_s
        self._steady = steady

    def run(self, order: Order) -> Ran:
        """Have a runner run it, another where that one fails; blocks while all places are taken.

        Raises SandboxFault where four failed, or no runner is there.
        """
        body = parcel.pack(order)
        tried: dict[RunnerAt, Unanswered] = {}
        for _ in range(CALLS):
            place: slots.Place = "fast" if order.lane is Lane.FAST else "slow"
            known, outcome = self._ask(order, body, place, tried)
            if isinstance(outcome, Ran):
                self.fleet.answered(known)
                return outcome
            tried[known.peer.place] = outcome
            self.fleet.failed(known, outcome.reason, str(outcome))
            if sum(failed.reason == "died" for failed in tried.values()) >= DEATHS:
                return _ended_two(order)
        raise NoRunner("no runner answered:", tried)

    def describe(self, source: Source) -> tuple[tuple[FunctionInfo, ...], tuple[Problem, ...]]:
        """Public functions of an author's file; it stays in the house. Raises SandboxFault."""
        return self._house.describe(source)

    def typeset(self, formulas: Sequence[Formula]) -> tuple[Typeset, ...]:
        """What becomes of an author's formulas; they stay in the house. Raises SandboxFault."""
        return self._house.typeset(formulas)

    def layers(self) -> tuple[Layer, ...]:
        """Whether a runner is there; one whose wall has lost a required layer takes no orders."""
        views = self.fleet.views()
        usable = self.fleet.usable()
        runners = Layer(
            "runners",
            required=True,
            present=usable > 0,
            detail=f"{usable} of {len(views)} take orders",
            advice="" if usable else "start one, or see on the operator page why it is parked",
        )
        return counted((runners,))

    def close(self) -> None:
        """Let the runners go; the house is its owner's to close."""
        self.fleet.close()

    def _ask(
        self, order: Order, body: bytes, place: slots.Place, tried: dict[RunnerAt, Unanswered]
    ) -> tuple[Known, Ran | Unanswered]:
        """One runner and what came of the order there. Raises SandboxFault where none is left."""
        kind = KIND.get()
        full: set[RunnerAt] = set()
        give_up = self._steady() + (self._away_s if kind is Kind.SUBMISSION else 0.0)
        while True:
            known = self.fleet.take(place, frozenset(tried) | full)
            if known is None:
                self._wait(tried, give_up)
                full.clear()
                continue
            try:
                return known, known.peer.run(order, body, kind)
            except Unanswered as failed:
                return known, failed
            except Full:
                full.add(known.peer.place)
            finally:
                self.fleet.give_back(known, place)

    def _wait(self, tried: dict[RunnerAt, Unanswered], give_up: float) -> None:
        """Until another look is worth it. Raises SandboxFault where no runner is left to ask."""
        if self.fleet.usable() <= len(tried) and self._steady() >= give_up:
            raise NoRunner("no runner takes orders.", tried)
        self.fleet.wait(random.uniform(*FULL_S))  # noqa: S311 (so that callers do not ask in step)


def _ended_two(order: Order) -> Ran:
    """What is said of code under which two machines ended."""
    killed = Execution("killed", cause=Cause.MACHINES)
    return Ran(loading=killed, executions=(Execution("not_run"),) * len(order.calls))
