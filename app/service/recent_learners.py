"""Learners who were here in the last two seconds, so that not every step asks the store for them.

A learner who submits has just saved a draft, or run the code while typing it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from app.model import LearnerId
from app.records import Learner

KNOWN_S = 2.0
MOST = 1_000


class RecentLearners:
    """What the store said of learners in the last two seconds; safe to use from several threads."""

    def __init__(
        self, look_up: Callable[[LearnerId], Learner], steady: Callable[[], float]
    ) -> None:
        """`look_up` asks the store; `steady` is a clock in seconds."""
        self._look_up = look_up
        self._steady = steady
        self._known: dict[LearnerId, tuple[Learner, float]] = {}
        self._lock = threading.Lock()
        self._forgotten = 0

    def get(self, learner: LearnerId) -> Learner:
        """Who this is; where two learners were joined, the one that has the work now.

        Only learners with a row and work of their own are remembered: the others change.
        """
        now = self._steady()
        with self._lock:
            known, until = self._known.get(learner, (None, now))
            before = self._forgotten
        if known is not None and now < until:
            return known
        found = self._look_up(learner)
        if found.created_at is not None and found.id == learner:
            self._remember(found, now + KNOWN_S, before)
        return found

    def knows(self, learner: LearnerId) -> bool:
        """Whether the answer is at hand; such a learner's work is their own."""
        with self._lock:
            _, until = self._known.get(learner, (None, 0.0))
        return self._steady() < until

    def forget(self) -> None:
        """Look up all of them again: one was renamed, or joined with another."""
        with self._lock:
            self._known.clear()
            self._forgotten += 1

    def _remember(self, found: Learner, until: float, before: int) -> None:
        with self._lock:
            if before != self._forgotten:  # it was read before what changed
                return
            if len(self._known) >= MOST:
                self._known.clear()
            self._known[found.id] = found, until
