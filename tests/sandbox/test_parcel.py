"""Orders and answers cross a network whole, and no bytes at all are believed or harmful there."""

from __future__ import annotations

import itertools
import struct
from dataclasses import asdict, replace
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from app.jail import wire
from app.model import (
    Assigned,
    Call,
    Cause,
    Ended,
    Execution,
    FunctionInfo,
    Lane,
    Limits,
    OddArray,
    Opaque,
    Order,
    Parameter,
    Problem,
    Raised,
    Ran,
    Source,
    SourceFrame,
    Trace,
    TracedLine,
)
from app.ports import SandboxFault
from app.sandbox import parcel, parcel_answer, parcel_ran, plausible
from app.sandbox.order_run import LAST_LINES

texts = st.text(st.characters(), max_size=12)
counts = st.integers(0, 2**31)
costs = st.floats(0, 1e6)
leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**90), 2**90),
    st.floats(),
    texts,
    arrays.arrays(st.sampled_from(wire.DTYPES), arrays.array_shapes(min_dims=0, max_side=3)),
    st.builds(Opaque, texts),
    st.builds(OddArray, texts, st.tuples(st.integers(0, 2**40))),
)
values: st.SearchStrategy[Any] = leaves
for _ in range(wire.DEPTH):
    values = st.one_of(
        leaves, st.lists(values, max_size=2).map(tuple), st.dictionaries(texts, values, max_size=2)
    )

orders = st.builds(
    Order,
    st.lists(st.builds(Source, texts, st.binary(max_size=40)), max_size=3).map(tuple),
    st.lists(
        st.builds(Call, texts, st.lists(values, max_size=2).map(tuple)), min_size=1, max_size=3
    ).map(tuple),
    st.builds(
        Limits, *[st.floats(0.1, 300)] * 4, *[st.integers(1, 2**26)] * 2, st.integers(2**10, 2**26)
    ),
    st.sampled_from(Lane),
    st.booleans(),
)
raised = st.builds(
    Raised,
    texts,
    texts,
    st.lists(
        st.builds(
            SourceFrame,
            st.integers(1, 9),
            texts,
            st.one_of(st.none(), counts),
            st.one_of(st.none(), counts),
            st.text("abc", min_size=1),
        ),
        max_size=2,
    ).map(tuple),
    st.booleans(),
    texts,
    st.lists(st.tuples(counts, counts), max_size=2).map(tuple),
    texts,
    texts,
)
assigned = st.builds(
    Assigned, texts, texts, st.one_of(st.none(), st.tuples(counts)), st.one_of(st.none(), texts)
)
lines = st.builds(
    lambda line, function, kind, passes, named, reads: TracedLine(
        line,
        function,
        kind,
        passes,
        tuple(one for one, _ in named),
        tuple(reversed([one for one, _ in named])),
        reads,
        reads,
        tuple(kept for _, kept in named),
    ),
    st.integers(1, 99),
    texts,
    st.sampled_from(["assign", "store", "loop", "return", "call"]),
    st.integers(1, 99),
    st.lists(st.tuples(assigned, st.tuples(st.just(np.arange(3.0)))), max_size=2),
    st.lists(texts, max_size=2).map(tuple),
)


@st.composite
def executions(draw: st.DrawFn, order: Order, call: Call | None) -> Execution:
    """How a call of this order may have ended."""
    ended: Ended = draw(st.sampled_from(get_args(Ended)))
    stdout = draw(texts)[: order.limits.stdout_bytes]
    made = Execution(ended, stdout=stdout, cpu_ms=draw(costs), wall_ms=draw(costs))
    cause = draw(st.sampled_from(sorted(plausible.CAUSES[ended], key=str)))
    made = replace(made, cause=cause, peak_memory_bytes=draw(counts))
    if ended == "returned" and call is not None:
        value = draw(values)
        if len(parcel.spelled(value, wire.DEPTH)) <= order.limits.result_bytes:
            made = replace(made, value=value)
        return replace(made, arguments=call.arguments)
    if ended == "raised" or (ended in LAST_LINES and draw(st.booleans())):
        return replace(made, raised=draw(raised))
    signal = draw(st.sampled_from(["", "SIGSEGV", "SIGRTMIN+3"]))
    return replace(made, signal=signal, amount=draw(st.sampled_from([0.0, order.limits.cpu_s])))


@st.composite
def answered(draw: st.DrawFn) -> tuple[Order, Ran]:
    """An order and an answer that fits it."""
    order = draw(orders)
    traced = range(len(order.calls)) if order.trace else ()
    problems = st.builds(
        Problem,
        st.sampled_from(["syntax", "policy"]),
        *[st.one_of(st.none(), counts)] * 3,
        texts,
        texts,
        st.sampled_from(["", "indentation"]),
    )
    functions = st.builds(
        FunctionInfo,
        texts,
        st.lists(st.builds(Parameter, texts, texts, st.one_of(st.none(), texts)), max_size=2).map(
            tuple
        ),
        texts,
        st.integers(1, 999),
    )
    return order, Ran(
        draw(st.lists(problems, max_size=2).map(tuple)),
        draw(executions(order, None)),
        tuple(draw(executions(order, call)) for call in order.calls),
        draw(st.lists(functions, max_size=2).map(tuple)),
        draw(st.lists(texts, max_size=2).map(tuple)),
        tuple(Trace(at, draw(st.lists(lines, max_size=2).map(tuple)), "") for at in traced),
        order.lane is Lane.FAST and draw(st.booleans()),
        draw(costs),
        draw(costs),
        draw(counts),
    )


def spell(ran: Ran) -> bytes:
    return b"".join(parcel_ran.pack(ran))


def read(order: Order, *pieces: bytes) -> Ran:
    answer = parcel_answer.RunnerAnswer(order, len(parcel.pack(order)))
    for piece in pieces:
        answer.feed(piece)
    return answer.ran()


def same(a: Any, b: Any) -> bool:
    """Equal in every field and type, arrays and floats by every bit."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return bool(a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes())
    if isinstance(a, float):
        return struct.pack("<d", a) == struct.pack("<d", b)
    if isinstance(a, tuple):
        return len(a) == len(b) and all(itertools.starmap(same, zip(a, b, strict=True)))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if hasattr(a, "__dataclass_fields__"):
        return all(same(getattr(a, name), getattr(b, name)) for name in a.__dataclass_fields__)
    return bool(a == b)


@settings(max_examples=60)
@given(orders)
def test_an_order_comes_as_it_went(order: Order) -> None:
    assert same(parcel.unpack(parcel.pack(order)), order)


@settings(max_examples=60)
@given(answered())
def test_an_answer_comes_as_it_went(pair: tuple[Order, Ran]) -> None:
    order, ran = pair
    body = spell(ran)
    assert same(read(order, b"..", body[:5], body[5:]), ran)


@pytest.mark.parametrize("line", [None, 0, 1, 2])
def test_the_line_of_a_problem_comes_as_it_went(line: int | None) -> None:
    problem = Problem("syntax", line, 0, 4, "A colon is missing.")
    order = Order((Source("solution.py", b"def f()"),), (Call("f", ()),), Limits(), Lane.FAST)
    ran = Ran((problem,), Execution("not_run"), (Execution("not_run"),))
    assert read(order, spell(ran)).problems == (problem,)


@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_no_order(data: bytes) -> None:
    with pytest.raises(wire.FrameError):
        parcel.unpack(data)


@settings(max_examples=100)
@given(orders, st.data())
def test_a_damaged_order_is_an_order_or_a_frame_error(order: Order, data: st.DataObject) -> None:
    body = bytearray(parcel.pack(order))
    body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
    try:
        parcel.unpack(bytes(body))
    except wire.FrameError:
        pass


ORDER = Order((Source("solution.py", b"x"),), (Call("f", (np.arange(3.0),)),) * 2)
GOOD = Ran(
    executions=(
        Execution("returned", value=np.arange(3.0), arguments=(np.arange(3.0),)),
        Execution("raised", raised=Raised("ValueError", "no")),
    )
)


@settings(max_examples=200)
@given(st.data())
def test_a_damaged_answer_is_an_answer_or_a_frame_error(data: st.DataObject) -> None:
    body = bytearray(spell(GOOD))
    for _ in range(data.draw(st.integers(1, 3))):
        body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
    try:
        read(ORDER, bytes(body))
    except (wire.FrameError, SandboxFault):
        pass


def test_an_answer_cut_short_is_a_frame_error() -> None:
    body = spell(GOOD)
    for end in range(len(body)):
        with pytest.raises(wire.FrameError):
            read(ORDER, body[:end])


@settings(max_examples=200)
@given(st.binary(max_size=300))
def test_arbitrary_bytes_are_no_answer(data: bytes) -> None:
    with pytest.raises((wire.FrameError, SandboxFault)):
        read(ORDER, data)


def changed(**changes: Any) -> Ran:
    first, second = GOOD.executions
    return replace(GOOD, executions=(replace(first, **changes), second))


LINE = TracedLine(1, "f", "assign", 1, (), ())
LIES = {
    "too few executions": replace(GOOD, executions=GOOD.executions[:1]),
    "too many executions": replace(GOOD, executions=GOOD.executions * 2),
    "an end that does not exist": changed(ended="won", value=None, arguments=None),
    "a value of what did not return": changed(ended="not_run", arguments=None),
    "no arguments of what returned": changed(arguments=None),
    "arguments of what did not return": changed(ended="crashed", value=None),
    "nothing raised": changed(ended="raised", value=None, arguments=None),
    "an exception of what returned": changed(raised=Raised("E", "")),
    "a cause of another end": changed(cause=Cause.FORGED),
    "an infinite cost": changed(cpu_ms=float("inf")),
    "a cost that is no number": changed(wall_ms=float("nan")),
    "a negative cost": changed(cpu_ms=-1.0),
    "a peak no machine has": changed(peak_memory_bytes=2**60),
    "a limit of another order": changed(ended="time_limit", value=None, arguments=None, amount=9.0),
    "a signal that does not exist": changed(
        ended="crashed", value=None, arguments=None, signal="<b>"
    ),
    "more output than may leave": changed(stdout="x" * (ORDER.limits.stdout_bytes + 1)),
    "a larger value than may leave": changed(value=np.zeros(2**20)),
    "loading that gives a value": replace(GOOD, loading=Execution("returned", value=1)),
    "a trace that was not asked for": replace(GOOD, traces=(Trace(0, (LINE,)),)),
    "a lane that it was not in": replace(GOOD, left_fast_lane=True),
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES.keys())
def test_a_field_that_does_not_fit_the_order_is_not_believed(lie: Ran) -> None:
    order = replace(ORDER, lane=Lane.SLOW) if lie.left_fast_lane else ORDER
    with pytest.raises(wire.FrameError):
        read(order, spell(lie))


@pytest.mark.parametrize("calls", [(1, 0), (0, 0), (0, 1, 2)])
def test_traces_are_of_calls_that_were_made_each_once(calls: tuple[int, ...]) -> None:
    lie = replace(GOOD, traces=tuple(Trace(call, (LINE,)) for call in calls))
    with pytest.raises(wire.FrameError):
        read(replace(ORDER, trace=True), spell(lie))


def test_more_than_may_leave_is_refused_before_it_is_kept() -> None:
    answer = parcel_answer.RunnerAnswer(ORDER, len(parcel.pack(ORDER)))
    frame = wire.frame(b"E", b"\0" * 2**19)
    with pytest.raises(wire.FrameError, match="more"):
        for _ in range(1000):
            answer.feed(frame)


def test_nothing_may_follow_the_end() -> None:
    for more in (b"x", wire.frame(b"D"), spell(GOOD)):
        with pytest.raises(wire.FrameError):
            read(ORDER, spell(GOOD) + more)


def test_a_runners_fault_is_ours() -> None:
    with pytest.raises(SandboxFault, match="no CPU"):
        read(ORDER, parcel_ran.pack_fault(SandboxFault("no CPU")))


@pytest.mark.parametrize(
    ("name", "number"),
    [("cpu_s", 1e9), ("memory_bytes", 2**50), ("sleep_s", float("nan")), ("stdout_bytes", 0)],
)
def test_a_runner_lends_no_more_than_an_exercise_may_have(name: str, number: float) -> None:
    limits = Limits(**{**asdict(Limits()), name: number})
    order = replace(ORDER, limits=limits)
    with pytest.raises(wire.FrameError, match=name):
        parcel.unpack(parcel.pack(order))
