"""Reads a runner's answer, every field of it held against its order.

A runner may be anybody's by now. What it says must be what a jail could have said of this very
order: as many executions as calls, values where there may be values, sizes within the limits.
Anything else is a `FrameError`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, get_args

from app.jail import wire
from app.model import Cause, Ended, Execution, Order, Ran, Trace
from app.ports import SandboxFault
from app.sandbox import decode_reports, decode_trace, plausible
from app.sandbox.conversation import FRAMES_BYTES
from app.sandbox.decode_reports import get, instance, text
from app.sandbox.parcel_ran import (
    DONE,
    EXECUTION,
    FAULT,
    FAULT_BYTES,
    HEAD,
    LEAVING,
    TRACE,
    U32,
    WORKING,
)
from app.sandbox.transcript import ARGUMENT_SLACK_BYTES, REPORT_BYTES, decode

CHILDREN = 4
"""At most so many children answer one order: after the second death the rest is not run."""

LETTER_BYTES = 4
HEAD_BYTES = 512
MOST_MS = 3_600_000.0
MOST_PEAK_BYTES = 1 << 46


def bounds(order: Order, order_bytes: int) -> tuple[dict[bytes, int], int]:
    """The longest frame of every kind that may answer an order, and all of them together.

    Code may have taken its child over, and then says as much as a child may: that is no fault of
    the runner's, so these are no narrower than the bounds of a conversation.
    """
    limits = order.limits
    printed = LETTER_BYTES * limits.stdout_bytes
    one = 2 * (REPORT_BYTES + ARGUMENT_SLACK_BYTES + order_bytes) + printed + limits.result_bytes
    found = {HEAD: 2 * REPORT_BYTES, EXECUTION: one, DONE: 0, FAULT: FAULT_BYTES}
    calls = len(order.calls)
    child = limits.result_bytes + 8 * limits.stdout_bytes + 2 * order_bytes + FRAMES_BYTES
    whole = CHILDREN * child + order_bytes + (calls + 2) * HEAD_BYTES
    if order.trace:
        found[TRACE] = decode_trace.TRACE_BYTES + U32.size
        whole += calls * found[TRACE]
    return found, whole


class RunnerAnswer:
    """Reads an answer as it comes. `feed` and `ran` raise FrameError and SandboxFault."""

    def __init__(self, order: Order, order_bytes: int) -> None:
        """For the answer to an order that took so many bytes."""
        self._order = order
        frame_bounds, self._room = bounds(order, order_bytes)
        self._reader = wire.FrameReader(frame_bounds)
        self._frames: list[tuple[bytes, bytes]] = []
        self.begun = False
        """Whether the answer itself has come in part: the order had ended there by then."""

        self.leaving = False
        """Whether the runner has said that it was asked to stop."""

    def feed(self, data: bytes) -> None:
        """Take in what came. Raises FrameError for more than there may be."""
        if not self.begun:
            left = data.lstrip(WORKING + LEAVING)
            self.leaving = self.leaving or LEAVING in data[: len(data) - len(left)]
            data, self.begun = left, bool(left)
        self._room -= len(data)
        if self._room < 0:
            raise wire.FrameError("more than an answer to this order may hold")
        for kind, payload in self._reader.feed(data):
            if self._frames and self._frames[-1][0] in (DONE, FAULT):
                raise wire.FrameError("a frame after the last one")
            if len(self._frames) > 2 * len(self._order.calls) + 2:
                raise wire.FrameError("more frames than calls")
            self._frames.append((kind, payload))

    def ran(self) -> Ran:
        """What the runner says came of the order; FrameError where it can't have."""
        if not self._frames or self._reader.unfinished:
            raise wire.FrameError("an answer that ends early")
        if self._frames[-1][0] == FAULT and len(self._frames) == 1:
            said = self._frames[0][1].decode("utf-8", "replace")
            raise SandboxFault(f"the runner's jail failed: {said}")
        executions = 1 + len(self._order.calls)
        traces = len(self._frames) - executions - 2
        kinds = b"".join(kind for kind, _ in self._frames)
        if kinds != HEAD + EXECUTION * executions + TRACE * max(0, traces) + DONE:
            raise wire.FrameError("frames that are no answer to this order")
        found = _ran([payload for _, payload in self._frames], self._order)
        plausible.check(found, self._order)
        return found


def _ran(payloads: Sequence[bytes], order: Order) -> Ran:
    said = wire.decode(payloads[0], depth=wire.CONTROL_DEPTH, most=wire.MAX_CONTROL_PARTS)
    calls = 2 + len(order.calls)
    return Ran(
        problems=decode_reports.problems(said) if get(said, "problems", ()) else (),
        loading=_execution(payloads[1]),
        executions=tuple(_execution(payload) for payload in payloads[2:calls]),
        functions=decode_reports.functions(said),
        normalised=decode_reports.texts(said, "normalised"),
        traces=tuple(_trace(payload) for payload in payloads[calls:-1]),
        left_fast_lane=instance(bool, get(said, "left_fast_lane", False)),
        cpu_ms=_number(said, "cpu_ms"),
        wall_ms=_number(said, "wall_ms"),
        peak_memory_bytes=_peak(said),
    )


def _trace(payload: bytes) -> Trace:
    if len(payload) < U32.size:
        raise wire.FrameError("a trace of no call")
    (call,) = U32.unpack_from(payload)
    depth, most = wire.CONTROL_DEPTH, wire.MAX_CONTROL_PARTS
    return decode_trace.trace(wire.decode(payload[4:], depth=depth, most=most), call)


def _execution(payload: bytes) -> Execution:
    head, rest = _sized(payload)
    said = wire.decode(head, depth=wire.CONTROL_DEPTH, most=wire.MAX_CONTROL_PARTS)
    value, after = _sized(rest)
    raised, cause = get(said, "raised", None), get(said, "cause", None)
    arguments = decode(after, wire.DEPTH + 1, wire.MAX_ARGUMENT_PARTS) if after else None
    if cause is not None and cause not in {one.value for one in Cause}:
        raise wire.FrameError("a cause that does not exist")
    if get(said, "ended", None) not in get_args(Ended):
        raise wire.FrameError("an end that does not exist")
    return Execution(
        ended=said["ended"],
        value=decode(value, wire.DEPTH, wire.MAX_PARTS),
        arguments=None if after == b"" else instance(tuple, arguments),
        raised=None if raised is None else decode_reports.raised(raised),
        stdout=instance(str, get(said, "stdout", "")),
        stdout_cut=instance(bool, get(said, "stdout_cut", False)),
        cpu_ms=_number(said, "cpu_ms"),
        wall_ms=_number(said, "wall_ms"),
        peak_memory_bytes=_peak(said),
        cause=None if cause is None else Cause(cause),
        amount=_number(said, "amount", math.inf),
        signal=text(said, "signal"),
    )


def _sized(payload: bytes) -> tuple[bytes, bytes]:
    if len(payload) < U32.size:
        raise wire.FrameError("a part without a size")
    end = U32.size + U32.unpack_from(payload)[0]
    if end > len(payload):
        raise wire.FrameError("a part that ends early")
    return payload[U32.size : end], payload[end:]


def _number(said: Any, key: str, most: float = MOST_MS) -> float:
    """A finite number, 0 or more."""
    number = instance(float, get(said, key, None))
    if not 0 <= number <= most or not math.isfinite(number):
        raise wire.FrameError(f"{key} {number}")
    return number


def _peak(said: Any) -> int:
    number = instance(int, get(said, "peak", None))
    if not 0 <= number <= MOST_PEAK_BYTES:
        raise wire.FrameError("a peak that no machine has")
    return number
