"""How long a submission would wait in the queue: its length by the pace it is worked off at.

The pace is measured only while enough wait that the dispatchers are busy all the time; else it
would be the pace at which learners submit. While no dispatcher lives, the last one known holds.
"""

from __future__ import annotations

import threading

FIRST_PACE = 20.0
"""Reports a second, until one was measured: what a small machine does."""

LEAST_PACE = 0.5
BUSY = 16
"""Waiting jobs from which on the dispatchers are never idle."""

SPAN_S = 2.0
WEIGHT = 0.5
"""Of a new measurement beside all earlier ones."""


class Pace:
    """Reports heard and jobs seen waiting; safe to use from several threads."""

    def __init__(self) -> None:
        self.waiting = 0
        self.running = 0
        self._pace = FIRST_PACE
        self._heard = 0
        self._since: float | None = None
        self._lock = threading.Lock()

    def heard(self) -> None:
        """A report was stored, by whichever dispatcher."""
        with self._lock:
            self._heard += 1

    def saw(self, waiting: int, running: int, *, lives: bool, now: float) -> None:
        """So many jobs wait and run at a moment; `lives`: a dispatcher is there."""
        with self._lock:
            self.waiting, self.running = waiting, running
            if not lives or waiting < BUSY:
                self._since = None
            elif self._since is None:
                self._since, self._heard = now, 0
            elif now - self._since >= SPAN_S:
                measured = max(LEAST_PACE, self._heard / (now - self._since))
                self._pace += WEIGHT * (measured - self._pace)
                self._since, self._heard = now, 0

    def wait_s(self) -> float:
        """Seconds that a submission sent now is likely to wait."""
        with self._lock:
            return self.waiting / self._pace
