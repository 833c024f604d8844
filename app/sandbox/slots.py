"""The places of a runner: there is no line in front of them; what finds none is sent elsewhere."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from app.ports import Kind

Place = Literal["fast", "slow"]
MOST_PLACES = 1024

ALONE_S = 3.0
"""For so long an order that asked to be alone has the runner to itself, from its begin on."""


@dataclass
class Slots:
    """So many orders of either sort run at once; safe to use from several threads."""

    fast: int
    slow: int
    taken: dict[Place, int] = field(default_factory=lambda: {"fast": 0, "slow": 0})
    steady: Callable[[], float] = time.monotonic
    _alone_until: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, place: Place, kind: Kind, *, alone: bool = False) -> bool:
        """Take one; false where there is none for work of this rank.

        Submissions and runs take any that is free. What no learner waits for, and runs while a
        learner types, leave one free. What must be `alone` begins where nothing else runs, and
        nothing else begins for ALONE_S.
        """
        with self._lock:
            now = self.steady()
            if now < self._alone_until or (alone and any(self.taken.values())):
                return False
            if self.total(place) - self.taken[place] < self._needed(place, kind):
                return False
            self.taken[place] += 1
            if alone:
                self._alone_until = now + ALONE_S
            return True

    def give_back(self, place: Place) -> None:
        """One that was taken is free again."""
        with self._lock:
            self.taken[place] -= 1
            if not any(self.taken.values()):
                self._alone_until = 0.0

    def total(self, place: Place) -> int:
        """How many there are."""
        return self.fast if place == "fast" else self.slow

    def _needed(self, place: Place, kind: Kind) -> int:
        """How many must be free: of a single one, that one."""
        return min(self.total(place), 2 if kind >= Kind.LIVE else 1)


def totals(said: dict[str, Any]) -> dict[Place, int]:
    """The places that a runner says it has. Raises ValueError for what no machine has."""
    fast, slow = said.get("fast"), said.get("slow")
    for number in (fast, slow):
        if type(number) is not int or not 1 <= number <= MOST_PLACES:
            raise ValueError("places that no machine has")
    return {"fast": int(str(fast)), "slow": int(str(slow))}
