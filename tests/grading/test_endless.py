"""A loop that cannot end is told by its line, and no other is called endless."""

from __future__ import annotations

import pytest

from app.grading.endless import EndlessLoop, at_line, endless_loop, still_running
from app.model import Limits, TestResult, Verdict

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
