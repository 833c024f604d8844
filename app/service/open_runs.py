"""How many runs are open at once, for a learner and for an address."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import Future
from threading import Lock
from typing import Any

from app.admission import Allowance

GUESTS = 8
"""Those without a cookie, together, may have so many times what one learner may."""


class OpenRuns:
    """Counts runs until their futures are done; safe to use from several threads."""

    def __init__(self, allowance: Allowance) -> None:
        self._allowance = allowance
        self._open: Counter[str] = Counter()
        self._lock = Lock()

    def reserve(self, turn: str, address: str, *, guest: bool) -> bool:
        """Open one more; false where the turn, or its address, has as many as it may."""
        own = self._allowance.open_runs * (GUESTS if guest else 1)
        bounds = {turn: min(own, self._allowance.share_of_line) if guest else own}
        if address:
            bounds[f"all of {address}"] = max(own, self._allowance.line // 2)
        with self._lock:
            if any(self._open[key] >= most for key, most in bounds.items()):
                return False
            self._open.update(bounds.keys())
            return True

    def until_done(self, turn: str, address: str, future: Future[Any]) -> None:
        """Count what was reserved until a future is done."""
        future.add_done_callback(lambda _: self.release(turn, address))

    def release(self, turn: str, address: str) -> None:
        """One fewer."""
        keys = (turn, f"all of {address}") if address else (turn,)
        with self._lock:
            self._open.subtract(keys)
            for key in keys:
                if self._open[key] <= 0:
                    del self._open[key]
