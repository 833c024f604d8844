"""Why a child's last call has no result: facts that the child cannot forge come first.

what we saw or did  >  the signal that ended it  >  a broken frame  >  what it said of itself
"""

from __future__ import annotations

import signal
from typing import NamedTuple

from app.model import Ended, Limits
from app.sandbox.conversation import Seen
from app.sandbox.watch import Reason

NEAR = 0.75
"""A crash with so much of the memory in use is taken for one of memory."""

OF_MEMORY = (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL)
MOST_LIKELY_MEMORY = "the system ended it, most likely for memory"


class Ending(NamedTuple):
    """How a call ended that gave no result, and a short fact about it."""

    ended: Ended
    detail: str = ""


def ending(seen: Seen, limits: Limits, keeper_bytes: int) -> Ending:
    """The reason, for a child that did not do all it was asked.

    `keeper_bytes` is the resident memory every child begins with.
    """
    if seen.reason is not None:
        return _by_us(seen.reason, seen, limits)
    if seen.flooded:
        return Ending("output_limit", f"results over {_size(limits.result_bytes)}")
    number = seen.exit.signal
    if number is not None:
        return _by_signal(number, seen, limits, keeper_bytes)
    if seen.transcript.broken is not None:
        return _of_no_use(seen)
    if seen.transcript.last == b"M":
        return Ending("memory_limit", _size(limits.memory_bytes))
    if seen.transcript.last == b"X":
        return _by_itself(seen.transcript.limit, limits)
    return Ending("crashed", "it left before it was done")


def ended_by_the_system(seen: Seen) -> bool:
    """Whether a SIGKILL ended it that we did not send."""
    return seen.reason is None and not seen.flooded and seen.exit.signal is signal.SIGKILL


def _by_us(reason: Reason, seen: Seen, limits: Limits) -> Ending:
    return {
        "cpu": Ending("time_limit", f"{limits.cpu_s:g} s"),
        "cpu_in_all": Ending("time_limit", f"{limits.budget_cpu_s:g} s for all calls together"),
        "fast": Ending("time_limit", "left the fast lane"),
        "sleep": Ending("sleep_limit", f"{limits.sleep_s:g} s"),
        "sleep_in_all": Ending("sleep_limit", f"{limits.budget_wall_s:g} s for all calls together"),
        "starved": Ending("sleep_limit", "no CPU to run on"),
        "idle": _of_no_use(seen),
    }[reason]


def _of_no_use(seen: Seen) -> Ending:
    broken = seen.transcript.broken
    why = "it closed its answers" if broken is None else f"a forged frame: {broken}"
    return Ending("killed", why)


def _by_signal(number: signal.Signals, seen: Seen, limits: Limits, keeper_bytes: int) -> Ending:
    if number is signal.SIGSYS:
        return Ending("killed", "SIGSYS")
    if number is signal.SIGXCPU:
        return Ending("time_limit", f"{limits.budget_cpu_s:g} s for all calls together")
    if number is signal.SIGKILL:
        return Ending("memory_limit", MOST_LIKELY_MEMORY)
    if number in (signal.SIGPIPE, signal.SIGXFSZ):
        return Ending("output_limit", number.name)
    used = seen.exit.peak_memory_bytes - keeper_bytes
    if number in OF_MEMORY and used >= NEAR * limits.memory_bytes:
        return Ending("memory_limit", f"{number.name} near {_size(limits.memory_bytes)}")
    return Ending("crashed", number.name)


def _by_itself(limit: str, limits: Limits) -> Ending:
    if limit == "stdout":
        return Ending("output_limit", f"wrote over {_size(limits.stdout_bytes)}")
    return Ending("output_limit", f"results over {_size(limits.result_bytes)}")


def _size(size: int) -> str:
    for unit, name in ((1024 * 1024, "MiB"), (1024, "KiB")):
        if size >= unit:
            return f"{size / unit:g} {name}"
    return f"{size} bytes"
