"""Watches what a child uses while it runs, by the kernel's clocks, and says when it must end.

CPU is the child's own; time on the clock counts only where the child slept: what it waited for a
CPU (its run delay) is not its fault.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from app.model import FAST_LANE_CPU_S, Lane, Limits
from app.sandbox.child import Child

STARVED_S = 60.0
"""Ready to run for so long without half a second of CPU: this machine is overloaded."""

PROGRESS_S = 0.5

SOONEST_S = 0.001
SOON_S = 0.05
"""Until then it is not worth asking the kernel for the run delay."""

IDLE_S = 0.05
"""The sleep of a child that nobody listens to any more."""

Reason: TypeAlias = Literal["fast", "cpu", "cpu_in_all", "sleep", "sleep_in_all", "starved", "idle"]
"""Why we end a child."""


@dataclass(frozen=True)
class Budget:
    """What is left of a submission's: seconds of CPU, seconds on the clock but for run delay.

    `starved_s`: the seconds of run delay without progress that nobody is to blame for but us.
    """

    cpu_s: float
    wall_s: float
    starved_s: float = STARVED_S


@dataclass(frozen=True)
class _Reading:
    cpu_s: float
    wall_s: float
    delay_s: float

    def __sub__(self, other: _Reading) -> _Reading:
        return _Reading(
            self.cpu_s - other.cpu_s, self.wall_s - other.wall_s, self.delay_s - other.delay_s
        )

    @property
    def own_s(self) -> float:
        return self.wall_s - max(0.0, self.delay_s)

    @property
    def slept_s(self) -> float:
        return self.own_s - self.cpu_s


class Watch:
    """The clocks of one child: made before it is sent its order, `sent` once it was."""

    def __init__(self, child: Child, limits: Limits, lane: Lane, budget: Budget) -> None:
        self._child, self._limits, self._lane, self._budget = child, limits, lane, budget
        self._idle_s = math.inf
        self._latest = _Reading(0.0, time.monotonic(), 0.0)
        self._latest = self._start = self._call = self._progress = self._read(with_delay=False)
        self._hurried = self._start
        self._due = self._start.wall_s + self._left()

    def sent(self) -> None:
        """Ask for the run delay to begin with: that takes files of /proc, so the order goes first.

        What the child waited before is no part of it; what it waits from now on the kernel adds.
        """
        start = replace(self._start, delay_s=self._child.run_delay_s())
        self._latest = self._start = self._call = self._progress = start

    def call_started(self) -> None:
        """From here on it is another call that may use its limit."""
        self._latest = self._call = self._read(with_delay=not self._soon)

    def hurry(self) -> None:
        """Nobody listens any more: from here on it may work, and be ended for it, or leave."""
        self._idle_s = IDLE_S
        self._latest = self._hurried = self._read()
        self._due = self._latest.wall_s + self._left()

    def wait_s(self) -> float:
        """How long nothing can be exceeded, from now."""
        return max(SOONEST_S, self._due - time.monotonic())

    def exceeded(self) -> Reason | None:
        """What was exceeded, or None; cheap while nothing can be."""
        if time.monotonic() < self._due:
            return None
        self._latest = self._read()
        if (self._latest - self._progress).cpu_s >= PROGRESS_S:
            self._progress = self._latest
        reason = self._reason()
        self._due = self._latest.wall_s + self._left()
        return reason

    @property
    def start_cpu_s(self) -> float:
        """What the child had used before its order."""
        return self._start.cpu_s

    @property
    def own_s(self) -> float:
        """Seconds on the clock since the order, but for run delay."""
        return (self._read(with_delay=not self._soon) - self._start).own_s

    @property
    def _soon(self) -> bool:
        return time.monotonic() - self._start.wall_s < SOON_S

    def _reason(self) -> Reason | None:
        call, all_calls = self._latest - self._call, self._latest - self._start
        if self._lane is Lane.FAST and all_calls.cpu_s >= FAST_LANE_CPU_S:
            return "fast"
        if call.cpu_s >= self._limits.cpu_s:
            return "cpu"
        if all_calls.cpu_s >= self._budget.cpu_s:
            return "cpu_in_all"
        if (self._latest - self._hurried).slept_s >= self._idle_s:
            return "idle"
        if call.slept_s >= self._limits.sleep_s:
            return "sleep"
        if all_calls.own_s >= self._budget.wall_s:
            return "sleep_in_all"
        waited_s = (self._latest - self._progress).delay_s
        return "starved" if waited_s >= self._budget.starved_s else None

    def _left(self) -> float:
        """Seconds in which no limit can be reached: CPU and sleep grow no faster than the clock."""
        call, all_calls = self._latest - self._call, self._latest - self._start
        left = [
            self._limits.cpu_s - call.cpu_s,
            self._budget.cpu_s - all_calls.cpu_s,
            self._limits.sleep_s - call.slept_s,
            self._idle_s - (self._latest - self._hurried).slept_s,
            self._budget.wall_s - all_calls.own_s,
            self._budget.starved_s - (self._latest - self._progress).delay_s,
        ]
        if self._lane is Lane.FAST:
            left.append(FAST_LANE_CPU_S - all_calls.cpu_s)
        return max(SOONEST_S, min(left))

    def _read(self, *, with_delay: bool = True) -> _Reading:
        now = time.monotonic()
        try:
            cpu_s = self._child.cpu_s()
        except OSError:  # it has ended; its pipes will say so
            return replace(self._latest, wall_s=now)
        if not with_delay:
            return _Reading(cpu_s, now, self._latest.delay_s)
        delay_s = self._child.run_delay_s()
        if self._child.wants_to_run():
            # The kernel adds a wait to the run delay only once it is over: until then, what is
            # neither CPU nor sleep known before is the wait.
            delay_s = max(delay_s, now - cpu_s - self._latest.slept_s)
        return _Reading(cpu_s, now, delay_s)
