"""Threads for what a verdict waits for, apart from those in which pages are made.

Pages are made in a pool of forty threads, which a crowd of readers can fill.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from anyio import CapacityLimiter, to_thread
from anyio.lowlevel import RunVar

P = ParamSpec("P")
T = TypeVar("T")

PLACES = 8
"""So many at once: what is done here takes milliseconds, and most of them of the disk."""

_places: RunVar[CapacityLimiter] = RunVar("mlgrind_places")


async def at_once(work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """What `work` gives, done in a thread that no page is made in."""
    return await to_thread.run_sync(lambda: work(*arguments, **named), limiter=_limiter())


def _limiter() -> CapacityLimiter:
    """That of the running event loop."""
    try:
        return _places.get()
    except LookupError:
        _places.set(found := CapacityLimiter(PLACES))
        return found
