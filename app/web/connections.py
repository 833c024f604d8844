"""How many connections are open, in all and from each address; where there are too many, one goes.

The one that goes has been idle longest, of the address that has most: browsers open another without
anybody noticing. Where none is idle, the one that came last is closed. Each takes a descriptor, and
so do the jail's children: without bounds one visitor who only connects would end all grading. An
answer that is not read stays in memory: of those the oldest go, where they are too much together.
"""

from __future__ import annotations

import resource
from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from app.model.bounds import ADDRESS_CONNECTIONS, CONNECTIONS, UNSENT_BYTES
from app.web.arrival import is_among, neighbourhood

OWN_DESCRIPTORS = 256
"""For database, log, listener, keeper and children."""


class OpenLine(Protocol):
    """A connection: whether it waits for a request that has not begun, and its end."""

    @property
    def is_idle(self) -> bool:
        """Nothing of a request has come, and no answer is under way."""

    def close(self) -> None:
        """End it now."""


def room() -> int:
    """How many connections this process may have open; its soft limit is raised for them."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + OWN_DESCRIPTORS
    most = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return max(1, most - OWN_DESCRIPTORS)


class Connections:
    """Those open now, the one that was used longest ago first. `proxies` speak for many addresses.

    Proxies are addresses or networks. Used by the thread of the event loop alone.
    """

    def __init__(
        self, most: int, each: int = ADDRESS_CONNECTIONS, proxies: Sequence[str] = ()
    ) -> None:
        self._most, self._each, self._proxies = most, min(each, max(1, most // 2)), proxies
        self._open: dict[OpenLine, str] = {}
        self._counts: Counter[str] = Counter()
        self._unsent: dict[OpenLine, int] = {}

    def __len__(self) -> int:
        """How many are open."""
        return len(self._open)

    def add(self, line: OpenLine, address: str) -> None:
        """One more; where that is too many, one of those that are open is closed."""
        place = neighbourhood(address)
        self._open[line] = place
        self._counts[place] += 1
        if self._counts[place] > self._each and not is_among(address, self._proxies):
            self._close_one(place, line)
        elif len(self._open) > self._most:
            self._close_one(self._counts.most_common(1)[0][0], line)

    def used(self, line: OpenLine) -> None:
        """A request came on it."""
        if line in self._open:
            self._open[line] = self._open.pop(line)

    def remove(self, line: OpenLine) -> None:
        """It has ended."""
        self.taken(line)
        address = self._open.pop(line, None)
        if address is not None:
            self._counts[address] -= 1
            if not self._counts[address]:
                del self._counts[address]

    def untaken(self, line: OpenLine, size: int) -> None:
        """So many bytes of an answer wait for the other side to take them."""
        self._unsent[line] = size
        while sum(self._unsent.values()) > UNSENT_BYTES:
            oldest = next(iter(self._unsent))
            self.remove(oldest)
            oldest.close()

    def taken(self, line: OpenLine) -> None:
        """Nearly nothing waits any more."""
        self._unsent.pop(line, None)

    def _close_one(self, address: str, newest: OpenLine) -> None:
        theirs = (one for one, of in self._open.items() if of == address and one is not newest)
        chosen = next((one for one in theirs if one.is_idle), newest)
        self.remove(chosen)
        chosen.close()
