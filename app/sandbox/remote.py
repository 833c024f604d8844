"""Learners' code on other machines: the port Sandbox over a fleet of runners.

An order that a runner does not answer goes to another at once. One under which two different
runners ended is not tried again, if it was alone on the second: it ends them. Until then it may
have been another order that did.
"""

from __future__ import annotations

import copy
import hashlib
import random
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

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
from app.ports import KIND, Kind, NobodyRuns, Sandbox, SandboxFault
from app.ports.runners import ANSWERED_BY, RunnerId
from app.sandbox import parcel, slots
from app.sandbox.fleet import Fleet
from app.sandbox.known_runners import Known
from app.sandbox.layers import counted
from app.sandbox.peer import Full, RunnerAt, Unanswered

CALLS = 4
"""So many runners get an order before it counts as failed."""

PASSING = frozenset({"refused", "silent", "token", "version", "fault"})
"""Why a runner may be asked for the same order again, when there is no other."""

DEATHS = 2
ALONE_WAIT_S = 0.5
"""How long an order under which a runner ended looks for one that has nothing else to run."""

FULL_S = (0.02, 0.06)
"""How long to wait, by chance, where every place of every runner is taken."""

MOST_SUSPECTS = 1000
FULL_MOST_S = 660.0
"""Every order has ended by then: a runner that is still full is not believed to work."""

AWAY_S = 20.0
"""How long a submission waits for any runner to be there; whatever else does not wait."""


class NoRunner(SandboxFault):
    """No runner answered an order; `runners` are those that were asked, by the host's names."""

    def __init__(self, what: str, tried: Mapping[RunnerAt, Unanswered]) -> None:
        reasons = "; ".join(f"{at.name} {failed}" for at, failed in tried.items())
        super().__init__(f"{what} {reasons}".strip())
        self.runners = tuple(at.name for at in tried)


class NoneThere(NoRunner, NobodyRuns):
    """No runner had the order, so that it failed nowhere."""


@dataclass
class _Asked:
    """An order on its way from runner to runner, and what became of it at each."""

    order: Order
    body: bytes
    give_up: float
    tried: dict[RunnerAt, Unanswered] = field(default_factory=dict)
    died: set[RunnerAt] = field(default_factory=set)
    left: set[RunnerAt] = field(default_factory=set)
    """Those that are not asked now."""

    calls: int = 0
    """How often a runner had the order, so that it may have done something."""

    @property
    def place(self) -> slots.Place:
        return "fast" if self.order.lane is Lane.FAST else "slow"


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
        self._deaths: dict[bytes, set[RunnerAt]] = {}
        self._never: frozenset[RunnerId] = frozenset()

    def without(self, left_out: Collection[RunnerId]) -> RemoteSandbox:
        """The same runners but for these, which get no order of it."""
        made = copy.copy(self)
        made._never = frozenset(left_out)
        return made

    def distrust(self, runner: RunnerId, detail: str) -> bool:
        """Give it no orders until the operator has looked; false where it is used all the same."""
        return self.fleet.distrust(runner, detail)

    def run(self, order: Order) -> Ran:
        """Have a runner run it, another where that one fails; blocks while all places are taken.

        Raises SandboxFault where four failed, or no runner is there.
        """
        patience = self._away_s if KIND.get() is Kind.SUBMISSION else 0.0
        body = parcel.pack(order)
        key = hashlib.sha256(body).digest()
        died = set(self._deaths.get(key, ()))
        asked = _Asked(order, body, self._steady() + patience, died=died)
        while asked.calls < CALLS and (self._in_time(asked) or len(asked.tried) < CALLS):
            known, outcome, alone = self._ask(asked)
            if isinstance(outcome, Ran):
                self.fleet.answered(known)
                _note(known)
                self._deaths.pop(key, None)
                return outcome
            asked.left.add(known.peer.place)
            asked.tried[known.peer.place] = outcome
            if outcome.begun or outcome.reason not in PASSING:
                asked.calls += 1
                asked.give_up = self._steady() + patience
            self.fleet.failed(known, outcome.reason, str(outcome))
            if outcome.reason == "died":
                asked.died.add(known.peer.place)
            if len(asked.died) >= DEATHS:
                if alone:
                    return _ended_two(order)
                self._remember(key, asked.died)
                break  # tried again later, it is alone on whatever it gets
        raise _unanswered("no runner answered:", asked)

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

    def _ask(self, asked: _Asked) -> tuple[Known, Ran | Unanswered, bool]:
        """One runner, what came of the order there, and whether it ended with nothing else on it.

        Raises SandboxFault where none is left.
        """
        kind, full = KIND.get(), set[RunnerAt]()
        suspect = len(asked.died) >= DEATHS
        alone_by = self._steady() + (ALONE_WAIT_S if asked.died else 0.0)
        full_by = self._steady() + (AWAY_S if suspect else FULL_MOST_S)
        while True:
            known = self.fleet.take(asked.place, frozenset(asked.left) | full, self._never)
            if known is None:
                if self._steady() >= full_by:
                    raise NoRunner("no place was free.", asked.tried)
                self._wait(asked)
                full.clear()
                continue
            begun = self._steady()
            alone = suspect or begun < alone_by
            try:
                return known, known.peer.run(asked.order, asked.body, kind, alone=alone), alone
            except Unanswered as failed:
                return known, failed, alone and self._steady() - begun < slots.ALONE_S
            except Full:
                full.add(known.peer.place)
            finally:
                self.fleet.give_back(known, asked.place)

    def _remember(self, key: bytes, died: set[RunnerAt]) -> None:
        """When it is tried again, it gets a runner to itself or none."""
        self._deaths[key] = died
        for oldest in list(self._deaths)[:-MOST_SUSPECTS]:
            self._deaths.pop(oldest, None)

    def _in_time(self, asked: _Asked) -> bool:
        return self._steady() < asked.give_up

    def _wait(self, asked: _Asked) -> None:
        """Until another look is worth it. Raises SandboxFault where no runner is left to ask."""
        if self._in_time(asked):
            asked.left = {at for at in asked.left if asked.tried[at].reason not in PASSING}
        elif self.fleet.usable(self._never) <= len(asked.tried):
            raise _unanswered("no runner takes orders.", asked)
        self.fleet.wait(random.uniform(*FULL_S))  # noqa: S311 (so that callers do not ask in step)


def _note(known: Known) -> None:
    answered = ANSWERED_BY.get()
    if answered is not None:
        answered.append(known.peer.place.id)


def _unanswered(what: str, asked: _Asked) -> NoRunner:
    """What to raise: an order that a runner had may have failed there, any other can wait."""
    return (NoRunner if asked.calls else NoneThere)(what, asked.tried)


def _ended_two(order: Order) -> Ran:
    """What is said of code under which two machines ended."""
    killed = Execution("killed", cause=Cause.MACHINES)
    return Ran(loading=killed, executions=(Execution("not_run"),) * len(order.calls))
