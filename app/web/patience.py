"""Who asks again and again after being refused is answered slowly.

An answer costs the server more than asking costs a program: a thousand connections that each ask
anew the moment they are refused would keep it busy with saying no. A few refusals are told at once,
and those of a crowd some seconds later; waiting holds a connection and nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock

from app.admission import Bucket, Rate, filled, wait_s

AT_ONCE = Rate(120)
"""Refusals that one address is told at once a minute; a class that presses a button stays below."""

HELD_S = 5.0
REMEMBERED = 10_000


class Patience:
    """How many refusals each address had lately; in memory only."""

    def __init__(self, steady: Callable[[], float] = time.monotonic) -> None:
        """`steady` gives seconds of a clock that is never set back."""
        self._steady = steady
        self._buckets: dict[str, Bucket] = {}
        self._lock = Lock()

    def of_refusal(self, address: str) -> float:
        """Seconds that one more refusal to this address is held back: none, or HELD_S."""
        now = self._steady()
        with self._lock:
            bucket = filled(self._buckets.get(address), AT_ONCE, now)
            if wait_s(bucket, AT_ONCE) > 0:
                return HELD_S
            if len(self._buckets) >= REMEMBERED:
                self._buckets.clear()
            self._buckets[address] = Bucket(bucket.tokens - 1, now)
            return 0.0
