"""Watches what a child uses while it runs, by the kernel's clocks, and says when it must end.

CPU is the child's own. Time on the clock is charged too, unless the child had to wait for a CPU.
How long it waited, the kernel says (`/proc/PID/schedstat`), and it says so only once a wait is
over. So a child that is ready to run when we look may have slept or waited until now: we look again
soon. If it has run in between, the account is complete but for the time between the two looks. If
it has not, it still waits, and no child is ended for that.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from app.model import FAST_LANE_CPU_S, Lane, Limits
from app.sandbox.child_process import Child

PATIENCE = 3.0
"""So many times the promised seconds on the clock, and a child ends, whatever it waited for."""

SOONEST_S = 0.001
SOON_S = 0.05
"""Until then it is not worth asking the kernel for the run delay."""

LOOK_S = 0.02
"""When to look again at a child whose account is not complete."""

IDLE_S = 0.05
"""The sleep of a child that is not listened to any more."""

Reason: TypeAlias = Literal["fast", "cpu", "cpu_in_all", "sleep", "sleep_in_all", "starved", "idle"]
"""Why we end a child."""


@dataclass(frozen=True)
class Budget:
    """What is left of a submission's: seconds of CPU, seconds on the clock but for run delay.

    `end_s`: seconds on the clock with it, after which this machine has no CPU for the child.
    """

    cpu_s: float
    wall_s: float
    end_s: float = math.inf


@dataclass(frozen=True)
class _Reading:
    """The clocks at one look. `runs`: how often it was given a CPU; `ready`: it does not sleep.

    `unsure_s`: how much of its time may have been a wait that the kernel has not told yet.
    """

    cpu_s: float
    wall_s: float
    delay_s: float
    runs: int = 0
    ready: bool = False
    unsure_s: float = 0.0


@dataclass(frozen=True)
class _Spent:
    """What was used from one reading to another, in seconds."""

    cpu_s: float
    wall_s: float
    own_s: float

    @property
    def slept_s(self) -> float:
        return self.own_s - self.cpu_s


class Watch:
    """The clocks of one child: made before it is sent its order, `sent` once it was."""

    def __init__(self, child: Child, limits: Limits, lane: Lane, budget: Budget) -> None:
        self._child, self._limits, self._lane, self._budget = child, limits, lane, budget
        self._idle_s = math.inf
        self._stood_s = 0.0
        self._latest = _Reading(0.0, time.monotonic(), 0.0)
        self._latest = self._looked = self._start = self._call = self._read(with_delay=False)
        self._hurried = self._start
        self._due = self._start.wall_s + self._left()

    def sent(self) -> None:
        """Ask for the run delay to begin with: that takes files of /proc, so the order goes first.

        What the child waited before is no part of it; what it waits from now on the kernel adds.
        """
        delay_s, runs = self._child.scheduled()
        start = replace(self._start, delay_s=delay_s, runs=runs)
        self._latest = self._looked = self._start = self._call = start

    def call_started(self) -> None:
        """From here on it is another call that may use its limit."""
        self._latest = self._call = self._read(with_delay=not self._soon)

    def hurry(self) -> None:
        """Not listened to any more: from here on it may work, and be ended for it, or leave."""
        self._idle_s = IDLE_S
        self._latest = self._hurried = self._read()
        self._due = self._latest.wall_s + self._left()

    def stood(self, seconds: float) -> None:
        """We kept it stopped for so long: for the child, that time has not passed."""
        self._stood_s += seconds

    def wait_s(self) -> float:
        """How long nothing can be exceeded, from now."""
        return max(SOONEST_S, self._due - self._now())

    def exceeded(self) -> Reason | None:
        """What was exceeded, or None; cheap while nothing can be."""
        if self._now() < self._due:
            return None
        self._latest = self._read()
        reason = self._reason()
        self._due = self._latest.wall_s + self._left()
        return reason

    @property
    def start_cpu_s(self) -> float:
        """What the child had used before its order."""
        return self._start.cpu_s

    @property
    def cpu_s(self) -> float:
        """Seconds of CPU since the order."""
        try:
            return self._child.cpu_s() - self._start.cpu_s
        except OSError:
            return self._latest.cpu_s - self._start.cpu_s

    @property
    def wall_s(self) -> float:
        """Seconds on the clock since the order, but for those we kept it stopped."""
        return self._now() - self._start.wall_s

    @property
    def own_s(self) -> float:
        """Seconds on the clock since the order, but for run delay."""
        return _spent(self._start, self._read(with_delay=not self._soon)).own_s

    @property
    def _soon(self) -> bool:
        return self.wall_s < SOON_S

    def _now(self) -> float:
        return time.monotonic() - self._stood_s

    def _reason(self) -> Reason | None:
        call, all_calls = _spent(self._call, self._latest), _spent(self._start, self._latest)
        unsure_s = self._latest.unsure_s
        if self._lane is Lane.FAST and all_calls.cpu_s >= FAST_LANE_CPU_S:
            return "fast"
        if call.cpu_s >= self._limits.cpu_s:
            return "cpu"
        if all_calls.cpu_s >= self._budget.cpu_s:
            return "cpu_in_all"
        if _spent(self._hurried, self._latest).slept_s - unsure_s >= self._idle_s:
            return "idle"
        if call.slept_s - unsure_s >= self._limits.sleep_s:
            return "sleep"
        if all_calls.own_s - unsure_s >= self._budget.wall_s:
            return "sleep_in_all"
        return "starved" if all_calls.wall_s >= self._budget.end_s else None

    def _left(self) -> float:
        """Seconds in which no limit can be reached: CPU and sleep grow no faster than the clock."""
        call, all_calls = _spent(self._call, self._latest), _spent(self._start, self._latest)
        left = [
            self._limits.cpu_s - call.cpu_s,
            self._budget.cpu_s - all_calls.cpu_s,
            self._budget.end_s - all_calls.wall_s,
        ]
        if self._lane is Lane.FAST:
            left.append(FAST_LANE_CPU_S - all_calls.cpu_s)
        charged = [
            self._limits.sleep_s - call.slept_s,
            self._idle_s - _spent(self._hurried, self._latest).slept_s,
            self._budget.wall_s - all_calls.own_s,
        ]
        again_s = LOOK_S if self._latest.unsure_s else SOONEST_S
        return max(SOONEST_S, min(*left, max(again_s, min(charged))))

    def _read(self, *, with_delay: bool = True) -> _Reading:
        now = self._now()
        try:
            cpu_s = self._child.cpu_s()
        except OSError:  # it has ended; its pipes will say so
            return replace(self._latest, wall_s=now)
        if not with_delay:
            return _Reading(cpu_s, now, self._latest.delay_s, self._latest.runs)
        ready = self._child.wants_to_run()  # first: a wait that ends now is in the account then
        delay_s, runs = self._child.scheduled()
        reading = _Reading(cpu_s, now, delay_s, runs, ready)
        before, self._looked = self._looked, reading
        return replace(reading, unsure_s=_unsure(before, reading))


def _spent(since: _Reading, until: _Reading) -> _Spent:
    wall_s = until.wall_s - since.wall_s
    own_s = wall_s - max(0.0, until.delay_s - since.delay_s)
    return _Spent(until.cpu_s - since.cpu_s, wall_s, own_s)


def _unsure(before: _Reading, now: _Reading) -> float:
    """How much of the time until now may be a wait for a CPU that is not over yet."""
    if not now.ready:
        return 0.0
    ran = (now.runs, now.cpu_s) != (before.runs, before.cpu_s)
    if not ran and before.ready:
        return math.inf
    return now.wall_s - before.wall_s
