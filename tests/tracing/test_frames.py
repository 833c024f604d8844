"""What a jail says of a trace is not believed: its fields have types, and bounds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.jail import wire
from app.jail.wire import FrameError
from app.sandbox import decode_trace
from app.sandbox.transcript import Transcript, bounds

LINE: dict[str, Any] = {
    "line": 3,
    "function": "f",
    "kind": "assign",
    "passes": 2,
    "first": ({"name": "x", "type": "ndarray", "shape": (2,), "dtype": "float64"},),
    "last": ({"name": "x", "type": "int", "text": "1"},),
    "arrays": ((np.zeros(2),),),
    "reads": ("y",),
    "calls": (),
}


def test_a_trace_is_read() -> None:
    (line,) = decode_trace.trace({"lines": (LINE,), "cut": "here"}, 0).lines
    assert (line.line, line.kind, line.passes, line.reads) == (3, "assign", 2, ("y",))
    assert (line.first[0].shape, line.last[0].text) == ((2,), "1")


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "import"},
        {"line": -1},
        {"passes": 2**40},
        {"first": ()},
        {"arrays": ((1.0,),)},
        {"reads": (1,)},
        {"first": ({"name": "x", "type": "int", "shape": ("2",)},)},
    ],
)
def test_a_forged_line_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(FrameError):
        decode_trace.trace({"lines": ({**LINE, **change},), "cut": ""}, 0)


def test_texts_are_cut() -> None:
    told = {**LINE, "function": "f" * 10_000}
    assert (
        len(decode_trace.trace({"lines": (told,), "cut": "c" * 10_000}, 0).lines[0].function) == 120
    )


def test_only_a_traced_order_may_send_a_trace() -> None:
    assert b"T" not in bounds(1, 1, 1)
    assert bounds(1, 1, 1, trace=True)[b"T"] == decode_trace.TRACE_BYTES


def test_one_trace_a_call_and_none_before_it() -> None:
    payload = wire.encode({"lines": (), "cut": ""}, depth=wire.CONTROL_DEPTH)
    transcript = Transcript(calls=1, stdout_bytes=10)
    transcript.stage = "loaded"
    with pytest.raises(FrameError):
        transcript.hear(b"T", payload)
    transcript.hear(b"S", (0).to_bytes(4, "little"))
    transcript.hear(b"N", b"")
    transcript.hear(b"T", payload)
    with pytest.raises(FrameError):
        transcript.hear(b"T", payload)
