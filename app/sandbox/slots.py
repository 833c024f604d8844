"""The places of a runner: there is no line in front of them; what finds none is sent elsewhere."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Literal

from app.ports import Kind

Place = Literal["fast", "slow"]


@dataclass
class Slots:
    """So many orders of either sort run at once; safe to use from several threads."""

    fast: int
    slow: int
    taken: dict[Place, int] = field(default_factory=lambda: {"fast": 0, "slow": 0})
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, place: Place, kind: Kind) -> bool:
        """Take one; false where there is none for work of this rank.

        Submissions and runs take any that is free. What no learner waits for, and runs while a
        learner types, leave one free.
        """
        with self._lock:
            if self.total(place) - self.taken[place] < self._needed(place, kind):
                return False
            self.taken[place] += 1
            return True

    def give_back(self, place: Place) -> None:
        """One that was taken is free again."""
        with self._lock:
            self.taken[place] -= 1

    def total(self, place: Place) -> int:
        """How many there are."""
        return self.fast if place == "fast" else self.slow

    def _needed(self, place: Place, kind: Kind) -> int:
        """How many must be free: of a single one, that one."""
        return min(self.total(place), 2 if kind >= Kind.LIVE else 1)
