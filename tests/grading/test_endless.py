"""A loop that cannot end is told by its line, and no other is called endless."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.catalog import load
from app.grading.endless import (
    EndlessLoop,
    at_line,
    endless_loop,
    slow_loop,
    still_running,
    with_slow_loop,
)
from app.model import Limits, Report, ShapeLine, ShapeTrace, Slug, TestResult, Verdict
from app.ports import Jails, Sandbox
from app.service.tracing import with_trace
from tests.grading.conftest import ROOT
from tests.known import expected

_HEAD = "def f(q, num_heads):\n    h = 0\n    xs = [1]\n"


@pytest.mark.parametrize(
    ("loop", "names", "why"),
    [
        ("while True: pass", (), "This loop never ends: there is no break or return in it."),
        (
            "while 1:\n        h += 1",
            (),
            "This loop never ends: there is no break or return in it.",
        ),
        (
            "while h < num_heads:\n        q = q * 2",
            ("h", "num_heads"),
            "This loop never ends: nothing in it changes `h` or `num_heads`.",
        ),
        (
            "while not h:\n        for i in range(3):\n            q = q + i",
            ("h",),
            "This loop never ends: nothing in it changes `h`.",
        ),
    ],
)
def test_a_loop_that_cannot_end_says_why(loop: str, names: tuple[str, ...], why: str) -> None:
    found = endless_loop((_HEAD + "    " + loop + "\n    return q\n").encode())
    assert found == EndlessLoop(4, names)
    assert found.why() == why


@pytest.mark.parametrize(
    "loop",
    [
        "while True:\n        break",
        "while True:\n        if h: return q",
        "while True:\n        assert h",
        "while h < num_heads:\n        h += 1",
        "while h < num_heads:\n        for h in range(9): pass",
        "while h < num_heads:\n        (h := h + 1)",
        "while xs:\n        xs.pop()",
        "while q.sum() > 1:\n        q /= 2",
        "while h < len(xs):\n        xs.append(1)",
        "while h in xs:\n        g(xs)",
        "while False: pass",
        "while q:\n        q[0] = 0",
        "for i in range(10 ** 9): q = q + 0",
    ],
)
def test_no_other_loop_is_called_endless(loop: str) -> None:
    assert endless_loop((_HEAD + "    " + loop + "\n    return q\n").encode()) is None


def test_another_function_may_change_the_name() -> None:
    source = "n = 0\ndef g():\n    global n\n    n += 1\ndef f(q):\n    while n < 3:\n        g()\n"
    assert endless_loop(source.encode()) is None


def test_of_two_endless_loops_none_is_accused() -> None:
    assert (
        endless_loop(b"def f(q):\n    while True: pass\ndef g(q):\n    while True: pass\n") is None
    )
    assert endless_loop(b"while True pass") is None


def test_only_the_test_that_took_too_long_gets_the_line() -> None:
    loop = EndlessLoop(4, ("h",))
    slow = TestResult("a", "", True, Verdict.TIME_LIMIT, "It took too long.")
    assert still_running(loop, Limits()) == "Line 4 was still running after 2 s."
    told = at_line(slow, loop, Limits())
    assert (told.line, told.message) == (4, "Line 4 was still running after 2 s.")
    passed = TestResult("b", "", True, Verdict.ACCEPTED)
    assert at_line(passed, loop, Limits()) is passed


def _seen(*lines: tuple[int, int], cut: str = "The trace ends here, after 60 ms.") -> ShapeTrace:
    noted = tuple(ShapeLine(line, "f", "assign", passes, (), ()) for line, passes in lines)
    return ShapeTrace("a", "", noted, cut, "raised")


_NESTED = (
    b"def f(q):\n    h = 0\n    for i in q:\n        for j in q:\n"
    b"            h += 1\n    return h\n"
)


@pytest.mark.parametrize(
    ("seen", "line"),
    [
        (_seen((2, 1), (3, 9), (4, 700), (5, 700)), 4),
        (_seen((2, 1), (3, 700), (4, 3)), 3),
        (_seen((2, 700), (3, 1)), None),
        (_seen((2, 1), (3, 9), (4, 31)), None),
        (_seen((4, 700), cut=""), None),
        (_seen(), None),
    ],
)
def test_a_slow_loop_is_the_innermost_that_was_seen_to_go_round(
    seen: ShapeTrace, line: int | None
) -> None:
    assert slow_loop(_NESTED, seen) == line


def test_the_test_that_took_too_long_names_the_slow_loop() -> None:
    slow = TestResult("a", "", True, Verdict.TIME_LIMIT, "This test took longer than 2 s.")
    report = Report(
        Slug("e"), "d" * 64, Verdict.TIME_LIMIT, 0, 1, "It took too long.", (slow,), subject="a"
    )
    told = with_slow_loop(report, _NESTED, _seen((4, 700)))
    words = "A second look found the time in the loop on line 4. Could a single matmul do it?"
    assert (told.tests[0].line, told.tests[0].help, told.help) == (4, words, words)
    endless = replace(report, tests=(replace(slow, line=3),))
    assert with_slow_loop(endless, _NESTED, _seen((4, 700))) is endless
    wrong = replace(report, tests=(replace(slow, verdict=Verdict.WRONG_ANSWER),))
    assert with_slow_loop(wrong, _NESTED, _seen((4, 700))) is wrong


_SLOW = (
    b"import numpy as np\n\ndef multi_head_attention(Q, K, V, num_heads):\n"
    b"    out = np.zeros(Q.shape)\n    for i in range(10 ** 9):\n        out += 0\n    return out\n"
)


def test_a_second_look_finds_the_loop_that_took_the_time(jail: Sandbox) -> None:
    exercise = load(ROOT / "exercises/multi-head-attention")
    known = expected(exercise, jail)
    first = known.tests[0]
    slow = TestResult(first.name, "", True, Verdict.TIME_LIMIT, "It took too long.")
    report = Report(
        exercise.slug, exercise.digest, Verdict.TIME_LIMIT, 0, 6, "It took too long.", (slow,),
        subject=first.name,
    )  # fmt: skip
    seen = with_trace(Jails.one(jail), exercise, known, _SLOW, report)
    assert (seen.tests[0].line, seen.help) == (
        5, "A second look found the time in the loop on line 5. Could a single matmul do it?",
    )  # fmt: skip
    assert seen.probe is None
