"""Who has a turn of their own: learners who came back with the cookie they were given.

Those who have no cookie share one turn for each address. So do newcomers beyond what an address may
bring in an hour, until they are ten minutes old: a crowd of fresh cookies is no crowd of turns.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from app.admission import Gate
from app.model import LearnerId

REMEMBERED = 20_000


class Newcomers:
    """Learners whose cookie came back lately; safe to use from several threads."""

    def __init__(self, gate: Gate) -> None:
        """`gate` counts them by their address."""
        self._gate = gate
        self._own: OrderedDict[LearnerId, None] = OrderedDict()
        self._lock = Lock()

    def came_back(self, learner: LearnerId, address: str, now: float) -> None:
        """Note a cookie that came along with a request; `now` in seconds of a steady clock."""
        with self._lock:
            if learner in self._own:
                self._own.move_to_end(learner)
                return
        if self._gate.admit(learner, address, ("newcomer",), now) > 0:
            return
        with self._lock:
            self._own[learner] = None
            if len(self._own) > REMEMBERED:
                self._own.popitem(last=False)

    def __contains__(self, learner: LearnerId) -> bool:
        with self._lock:
            return learner in self._own
