"""Whether a jail could have said this of an order: the last look at a runner's answer.

Held against the order is what the runner's own side of the wall says. What a learner's code may
have forged in its child is not: a jail of this machine would have passed it on as well.
"""

from __future__ import annotations

import re

from app.jail.wire import FrameError
from app.model import Cause, Ended, Execution, Lane, Limits, Order, Ran
from app.sandbox.order_run import LAST_LINES

CAUSES: dict[Ended, frozenset[Cause | None]] = {
    "returned": frozenset({None}),
    "raised": frozenset({None}),
    "not_run": frozenset({None, Cause.NO_FUNCTION}),
    "time_limit": frozenset({None, Cause.CALL, Cause.SHARED, Cause.LANE}),
    "sleep_limit": frozenset({None, Cause.CALL, Cause.SHARED, Cause.STARVED}),
    "memory_limit": frozenset({None, Cause.MEMORY, Cause.NEAR_MEMORY, Cause.BY_SYSTEM}),
    "output_limit": frozenset({None, Cause.PRINTS, Cause.RESULTS, Cause.SIGNAL}),
    "killed": frozenset({None, Cause.SYSTEM_CALL, Cause.FORGED, Cause.CLOSED}),
    "crashed": frozenset({None, Cause.LEFT, Cause.SIGNAL}),
}
"""What may have ended a call that ended so; `sandbox.endings` gives no other."""

_SIGNAL = re.compile(r"(SIG[A-Z0-9]{1,12}([+-][0-9]+)?)?")


def check(ran: Ran, order: Order) -> None:
    """Raise FrameError for what no jail says of this order."""
    for execution in (ran.loading, *ran.executions):
        _check_ending(execution, order.limits)
    if ran.loading.value is not None or ran.loading.arguments is not None:
        raise FrameError("loading that gave a value")
    for execution in ran.executions:
        if (execution.ended == "returned") != (execution.arguments is not None):
            raise FrameError("arguments of a call that did not return, or none of one that did")
    if ran.left_fast_lane and order.lane is not Lane.FAST:
        raise FrameError("it left a lane that it was not in")
    traced = [trace.call for trace in ran.traces]
    if traced != sorted(set(traced)) or any(call >= len(order.calls) for call in traced):
        raise FrameError("traces of calls that were not made")


def _check_ending(execution: Execution, limits: Limits) -> None:
    ended = execution.ended
    if execution.value is not None and ended != "returned":
        raise FrameError("a value of a call that did not return")
    if execution.raised is not None and ended not in ("raised", *LAST_LINES):
        raise FrameError("an exception of a call that raised none")
    if ended == "raised" and execution.raised is None:
        raise FrameError("a call that raised nothing")
    if execution.cause not in CAUSES[ended]:
        raise FrameError(f"{ended}, because of {execution.cause}")
    if execution.amount not in (0.0, *_amounts(limits)):
        raise FrameError("a limit that the order does not have")
    if len(execution.stdout) > limits.stdout_bytes:
        raise FrameError("more output than the order allows")
    if not _SIGNAL.fullmatch(execution.signal):
        raise FrameError("a signal that does not exist")


def _amounts(limits: Limits) -> tuple[float, ...]:
    seconds = limits.cpu_s, limits.sleep_s, limits.budget_cpu_s, limits.budget_wall_s
    return (*seconds, limits.memory_bytes, limits.stdout_bytes, limits.result_bytes)
