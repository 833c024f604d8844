"""How long a submission would wait in the queue: its length by the pace it is worked off at.

The pace is measured only while enough wait that the dispatchers are busy all the time; else it
would be the pace at which learners submit. While no dispatcher lives, the last one known holds;
while few wait, it is forgotten by and by: what made it slow may be over. Only those count that wait
for the fast lane and may be taken now: slow code has workers of its own.
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

HALF_FORGOTTEN_S = 5.0
"""While few wait, this brings the pace half the way back to the first one."""


class Pace:
    """Reports heard and jobs seen waiting; safe to use from several threads."""

    def __init__(self) -> None:
        self.waiting = 0
        self.running = 0
        self._pace = FIRST_PACE
        self._heard = 0
        self._since: float | None = None
        self._few_since: float | None = None
        self._lock = threading.Lock()

    def heard(self) -> None:
        """A report was stored, by whichever dispatcher."""
        with self._lock:
            self._heard += 1

    def saw(self, waiting: int, running: int, *, lives: bool, now: float) -> None:
        """So many jobs wait and run at a moment; `lives`: a dispatcher is there."""
        with self._lock:
            self.waiting, self.running = waiting, running
            self._forget(now if lives and waiting < BUSY else None)
            if not lives or waiting < BUSY:
                self._since = None
            elif self._since is None:
                self._since, self._heard = now, 0
            elif now - self._since >= SPAN_S:
                measured = max(LEAST_PACE, self._heard / (now - self._since))
                self._pace += WEIGHT * (measured - self._pace)
                self._since, self._heard = now, 0

    def _forget(self, few_now: float | None) -> None:
        """By the time since few waited when last looked; `few_now` is None while many do."""
        if few_now is not None and self._few_since is not None:
            kept = 0.5 ** ((few_now - self._few_since) / HALF_FORGOTTEN_S)
            self._pace = FIRST_PACE + kept * (self._pace - FIRST_PACE)
        self._few_since = few_now

    def wait_s(self) -> float:
        """Seconds that a submission sent now is likely to wait."""
        with self._lock:
            return self.waiting / self._pace
