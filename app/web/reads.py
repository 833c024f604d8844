"""Who reads much at once reads one page at a time, behind those who read less.

Python runs one thread at a time, so a crowd of readers would slow every verdict. A page or a report
costs about what it is long. Each owner of a turn may have `FREE` bytes at once, `REFILL` a second,
without waiting; one who has used those up stands in line before any work is done:

```
 within what is free ───────────────────────────────▶ at once
 else ─▶ line, the least in debt first ─▶ one at a time, a pause as long as the work ─▶ the next
```
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable

from app.admission import Bucket, Rate, filled

FREE, REFILL = 2_000_000, 250_000
"""Bytes made for one reader at once, and each second: some thirty pages of an exercise."""

GUESTS = 16
"""Those of an address without a cookie have so many times that together: a class that arrives."""

REQUEST = 10_000
"""What any request costs, as bytes: to be read, found and answered."""

EXPECTED = 100_000
"""What a page is taken for until it is made: of a crowd that comes at once, not all are free."""

DEEPEST = -5.0
"""Debt beyond so many times what is free is forgotten."""

HELD_S = 1.0
"""A place is held no longer: what takes longer waits for something else."""

PAUSE_S = 0.25
REMEMBERED = 20_000


class Reads:
    """What each owner read lately, and who waits. For the thread of the event loop alone.

    `steady` gives seconds of a clock that is never set back.
    """

    def __init__(self, steady: Callable[[], float] = time.monotonic) -> None:
        self._steady = steady
        self._buckets: dict[str, tuple[Bucket, Rate]] = {}
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._taken: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def waiting(self) -> int:
        """How many stand in line."""
        return sum(map(len, self._waiting.values()))

    def is_free(self, owner: str) -> bool:
        """Whether this owner need not wait."""
        return self._left(owner) > 0

    async def turn(self, owner: str, *, guest: bool) -> Callable[[int], None]:
        """Wait where this owner has read much; then what to call with the bytes that were made."""
        rate = Rate(FREE * (GUESTS if guest else 1), FREE / REFILL)
        if self.is_free(owner):
            self._charge(owner, rate, EXPECTED)
            return lambda made: self._charge(owner, rate, made + REQUEST - EXPECTED)
        await self._in_line(owner)
        began, mine = self._steady(), self._taken

        def done(made: int) -> None:
            self._charge(owner, rate, made + REQUEST)
            if self._taken is mine:
                self._pass_on_after(min(PAUSE_S, self._steady() - began))

        return done

    async def _in_line(self, owner: str) -> None:
        loop = asyncio.get_running_loop()
        if loop is not self._loop:  # the first, or another than before: nobody waits in it
            self._loop, self._taken = loop, None
            self._waiting.clear()
        if self._taken is None:
            self._pass_on_after(HELD_S)
            return
        place = loop.create_future()
        self._waiting.setdefault(owner, deque()).append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self._pass_on()
            raise

    def _pass_on_after(self, seconds: float) -> None:
        if self._taken is not None:
            self._taken.cancel()
        self._taken = asyncio.get_running_loop().call_later(seconds, self._pass_on)

    def _pass_on(self) -> None:
        """Give the place to the first of the owner who is least in debt."""
        while self._waiting:
            owner = max(self._waiting, key=self._left)
            line = self._waiting[owner]
            place = line.popleft()
            if not line:
                del self._waiting[owner]
            if not place.done():
                self._pass_on_after(HELD_S)
                place.set_result(None)
                return
        if self._taken is not None:
            self._taken.cancel()
        self._taken = None

    def _left(self, owner: str) -> float:
        """The part that is left of what is free: at most 1, and below 0 in debt."""
        known = self._buckets.get(owner)
        return 1.0 if known is None else filled(*known, self._steady()).tokens / known[1].count

    def _charge(self, owner: str, rate: Rate, made: int) -> None:
        left = min(1.0, max(DEEPEST, self._left(owner) - made / rate.count))
        if len(self._buckets) >= REMEMBERED:
            self._buckets.clear()
        self._buckets[owner] = Bucket(left * rate.count, self._steady()), rate
