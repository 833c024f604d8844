"""Why a child's last call has no result: facts that the child cannot forge come first.

what we saw or did  >  the signal that ended it  >  a broken frame  >  what it said of itself
"""

from __future__ import annotations

import signal
from typing import NamedTuple

from app.jail.control import Answer
from app.model import Cause, Ended, Limits
from app.sandbox.conversation import Seen
from app.sandbox.watch import Reason

NEAR = 0.75
"""A crash with so much of the memory in use is taken for one of memory."""

OF_MEMORY = (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL)


class Ending(NamedTuple):
    """How a call ended that gave no result, with the facts of `model.Execution` about it."""

    ended: Ended
    cause: Cause
    amount: float = 0.0
    signal: str = ""


def ending(seen: Seen, limits: Limits, keeper_bytes: int) -> Ending:
    """The reason, for a child that did not do all it was asked.

    `keeper_bytes` is the resident memory every child begins with.
    """
    if seen.reason is not None:
        return _by_us(seen.reason, seen, limits)
    if seen.flooded:
        return Ending("output_limit", Cause.RESULTS, limits.result_bytes)
    number = seen.exit.signal
    if number is not None:
        return _by_signal(number, seen, limits, keeper_bytes)
    if seen.transcript.broken is not None:
        return _of_no_use(seen)
    if seen.transcript.last == Answer.OUT_OF_MEMORY:
        return Ending("memory_limit", Cause.MEMORY, limits.memory_bytes)
    if seen.transcript.last == Answer.LIMIT:
        return _by_itself(seen.transcript.limit, limits)
    return Ending("crashed", Cause.LEFT)


def ended_by_the_system(seen: Seen) -> bool:
    """Whether a SIGKILL ended it that we did not send."""
    return seen.reason is None and not seen.flooded and seen.exit.signal is signal.SIGKILL


def _by_us(reason: Reason, seen: Seen, limits: Limits) -> Ending:
    return {
        "cpu": Ending("time_limit", Cause.CALL, limits.cpu_s),
        "cpu_in_all": Ending("time_limit", Cause.SHARED, limits.budget_cpu_s),
        "fast": Ending("time_limit", Cause.LANE),
        "sleep": Ending("sleep_limit", Cause.CALL, limits.sleep_s),
        "sleep_in_all": Ending("sleep_limit", Cause.SHARED, limits.budget_wall_s),
        "starved": Ending("sleep_limit", Cause.STARVED),
        "idle": _of_no_use(seen),
    }[reason]


def _of_no_use(seen: Seen) -> Ending:
    is_forged = seen.transcript.broken is not None
    return Ending("killed", Cause.FORGED if is_forged else Cause.CLOSED)


def _by_signal(number: signal.Signals, seen: Seen, limits: Limits, keeper_bytes: int) -> Ending:
    if number is signal.SIGSYS:
        return Ending("killed", Cause.SYSTEM_CALL)
    if number is signal.SIGXCPU:
        return Ending("time_limit", Cause.SHARED, limits.budget_cpu_s)
    if number is signal.SIGKILL:
        return Ending("memory_limit", Cause.BY_SYSTEM)
    if number in (signal.SIGPIPE, signal.SIGXFSZ):
        return Ending("output_limit", Cause.SIGNAL, signal=number.name)
    used = seen.exit.peak_memory_bytes - keeper_bytes
    if number in OF_MEMORY and used >= NEAR * limits.memory_bytes:
        return Ending("memory_limit", Cause.NEAR_MEMORY, limits.memory_bytes, number.name)
    return Ending("crashed", Cause.SIGNAL, signal=number.name)


def _by_itself(limit: str, limits: Limits) -> Ending:
    if limit == "stdout":
        return Ending("output_limit", Cause.PRINTS, limits.stdout_bytes)
    return Ending("output_limit", Cause.RESULTS, limits.result_bytes)
