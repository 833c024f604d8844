"""What each line assigned, for ten kinds of programs; `--update-goldens` writes them anew."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.model import Assigned, Call, Lane, Order, Source, Trace
from app.sandbox.pool import LocalSandbox
from tests.tracing.traced_exercise import Traced

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))


def _assigned(one: Assigned) -> str:
    shape = f"{one.shape} {one.dtype}" if one.shape is not None else f"{one.type_name} {one.text}"
    return f"{one.name}: {shape}".strip()


def _written(trace: Trace) -> str:
    """A trace as a person checks it: one line a line, in order of the first pass."""
    lines = []
    for line in trace.lines:
        first = "; ".join(map(_assigned, line.first))
        last = "; ".join(map(_assigned, line.last))
        more = f" ... {last}" if last != first else ""
        passes = f" [{line.passes} passes]" if line.passes > 1 else ""
        lines.append(f"{line.line} {line.function} {line.kind}: {first}{more}{passes}")
    return "\n".join([*lines, *([f"cut: {trace.cut}"] if trace.cut else [])]) + "\n"


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_the_trace_is_the_golden_one(
    heads: Traced, path: Path, request: pytest.FixtureRequest
) -> None:
    trace = heads.trace(path.read_bytes())
    golden = path.with_suffix(".txt")
    if request.config.getoption("--update-goldens"):
        golden.write_text(_written(trace), "utf-8")
    assert _written(trace) == golden.read_text("utf-8")


def test_a_call_that_takes_too_long_is_traced_up_to_there(heads: Traced) -> None:
    source = b"""
def multi_head_attention(Q, K, V, num_heads):
    n = 0
    while True:
        n += 1
"""
    ran = heads.run(source, lane=Lane.FAST)
    assert not ran.left_fast_lane
    (trace,) = ran.traces
    assert [line.passes for line in trace.lines][:2] == [1, 1]
    assert trace.lines[-1].line == 5
    assert trace.lines[-1].passes > 100
    assert trace.cut == "The trace ends here, after 60 ms."


def test_a_call_that_raises_is_traced_up_to_there(heads: Traced) -> None:
    source = (Path(__file__).parent / "programs/exception_half_way.py").read_bytes()
    told = heads.described(source)
    assert told["ended"] == "raised"
    assert [line["line"] for line in told["lines"]] == [4, 5, 6]


def test_large_arrays_are_described_and_not_copied(sandbox: LocalSandbox) -> None:
    source = b"import numpy as np\ndef f(n):\n    x = np.zeros((n, n))\n    return x[0]\n"
    order = Order((Source("solution.py", source),), (Call("f", (200,)),), trace=True)
    (trace,) = sandbox.run(order).traces
    x = trace.lines[1]
    assert x.first[0].shape == (200, 200)
    assert x.arrays == ((),)
    assert trace.cut == "Arrays beyond 64 KiB each, or 512 KiB in all, are not compared."


def test_no_more_than_four_hundred_places_are_traced(sandbox: LocalSandbox) -> None:
    body = "".join(f"    x{n} = {n}\n" for n in range(500))
    source = f"def f(n):\n{body}    return n\n".encode()
    order = Order((Source("solution.py", source),), (Call("f", (1,)),), trace=True)
    (trace,) = sandbox.run(order).traces
    assert len(trace.lines) == 400
    assert trace.cut == "Only the first lines of this long program are traced."


def test_copies_are_of_the_moment(sandbox: LocalSandbox) -> None:
    source = b"import numpy as np\ndef f(x):\n    y = x + 1\n    y[0] = 9\n    return y\n"
    arguments = (np.array([1.0, 2.0]),)
    order = Order((Source("solution.py", source),), (Call("f", arguments),), trace=True)
    (trace,) = sandbox.run(order).traces
    assert [line.arrays[0][0].tolist() for line in trace.lines] == [
        [1.0, 2.0], [2.0, 3.0], [9.0, 3.0], [9.0, 3.0],
    ]  # fmt: skip


def test_nothing_of_the_learners_own_classes_is_called(sandbox: LocalSandbox) -> None:
    source = b"""
class Loud:
    def __repr__(self):
        raise ValueError("asked")
    def __len__(self):
        raise ValueError("asked")
    def __eq__(self, other):
        raise ValueError("asked")

def f(n):
    x = Loud()
    y = [x, x]
    return n
"""
    order = Order((Source("solution.py", source),), (Call("f", (1,)),), trace=True)
    ran = sandbox.run(order)
    assert ran.executions[0].value == 1
    assert [line.first[0].type_name for line in ran.traces[0].lines] == [
        "int", "Loud", "list", "int",
    ]  # fmt: skip


def test_an_order_that_asks_for_no_trace_gets_none(sandbox: LocalSandbox) -> None:
    source = Source("solution.py", b"def f(n):\n    m = n\n    return m\n")
    assert sandbox.run(Order((source,), (Call("f", (1,)),))).traces == ()


def test_traces_are_numbered_as_the_calls(sandbox: LocalSandbox) -> None:
    source = Source("solution.py", b"def f(n):\n    return 1 // n\n")
    calls = tuple(Call("f", (n,)) for n in (1, 0, 2))
    ran = sandbox.run(Order((source,), calls, trace=True))
    assert [trace.call for trace in ran.traces] == [0, 1, 2]
    assert [execution.ended for execution in ran.executions] == ["returned", "raised", "returned"]


def test_tracing_the_reference_costs_at_most_ten_times(heads: Traced) -> None:
    """Counted in the processor time of the second call: the first one meets a cold memory."""
    source = heads.exercise.files["reference.py"]
    calls = (heads.case,) * 40
    traced = heads.run(source, *calls, lane=Lane.AUTHOR).executions
    plain = heads.sandbox.run(
        Order(
            (Source("solution.py", source),),
            tuple(Call(heads.exercise.entry_point, c.arguments) for c in calls),
            lane=Lane.AUTHOR,
        )
    ).executions
    least_traced, least_plain = (min(e.cpu_ms for e in ran[1:]) for ran in (traced, plain))
    assert least_traced <= 10 * least_plain
    assert least_traced <= 1.0
