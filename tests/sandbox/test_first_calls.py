"""The first calls of an order are told of while the child still works on the rest."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from app.model import FAST_LANE_CPU_S, Call, Order, Ran
from app.ports import EagerSandbox
from app.sandbox.child_process import Child
from app.sandbox.conversation import Conversation
from app.sandbox.pool import LocalSandbox
from tests.sandbox.contract import source

DOUBLE = "def f(x):\n    print('on', x)\n    return 2 * x\n"
STICKS = "def f(x):\n    while x == 3:\n        pass\n    return 2 * x\n"
FAILS = "def f(x):\n    return 2 // x\n"


def order(text: str, *numbers: int) -> Order:
    return Order((source(text),), tuple(Call("f", (number,)) for number in numbers))


def with_the_rest(first: Ran, rest: Callable[[], Ran]) -> tuple[Ran, Ran]:
    return first, rest()


def values(ran: Ran) -> list[object]:
    return [execution.value for execution in ran.executions]


def test_the_sandbox_of_this_machine_tells_of_first_calls(sandbox: LocalSandbox) -> None:
    assert isinstance(sandbox, EagerSandbox)


def test_the_rest_is_given_with_what_came_before_it(sandbox: LocalSandbox) -> None:
    first, whole = sandbox.run_first(order(DOUBLE, 1, 2, 3), 2, with_the_rest)
    assert values(first) == [2, 4]
    assert values(whole) == [2, 4, 6]
    assert [execution.stdout for execution in whole.executions] == ["on 1\n", "on 2\n", "on 3\n"]
    assert first.executions[0].arguments == (1,)
    assert 0 < first.cpu_ms <= whole.cpu_ms
    assert first.peak_memory_bytes > 0


def test_a_rest_that_never_ends_is_not_waited_for(sandbox: LocalSandbox) -> None:
    first = sandbox.run_first(order(STICKS, 1, 2, 3), 2, lambda first, _: first)
    assert (values(first), first.left_fast_lane) == ([2, 4], False)


def test_first_calls_are_told_though_we_look_only_when_the_rest_has_used_up_its_time(
    sandbox: LocalSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a machine where others keep us from a CPU, and not the child."""
    listen = Conversation._listen

    def late(talk: Conversation) -> bool:
        began = talk._watch.start_cpu_s
        while talk._child.cpu_s() - began < 2 * FAST_LANE_CPU_S:
            time.sleep(0.01)
        return listen(talk)

    monkeypatch.setattr(Conversation, "_listen", late)
    first = sandbox.run_first(order(STICKS, 1, 2, 3), 2, lambda first, _: first)
    assert (values(first), first.left_fast_lane) == ([2, 4], False)


def test_a_rest_that_never_ends_leaves_the_fast_lane_where_it_is_asked_for(
    sandbox: LocalSandbox,
) -> None:
    first, whole = sandbox.run_first(order(STICKS, 1, 2, 3), 2, with_the_rest)
    assert (values(first), first.left_fast_lane) == ([2, 4], False)
    assert whole.left_fast_lane
    assert [execution.ended for execution in whole.executions[:2]] == ["returned", "returned"]


def test_first_calls_that_never_end_are_told_as_ever(sandbox: LocalSandbox) -> None:
    first, whole = sandbox.run_first(order(STICKS, 3, 1, 2), 2, with_the_rest)
    assert first.left_fast_lane
    assert whole.left_fast_lane
    assert first.executions[0].ended == "time_limit"


def test_what_fails_in_the_rest_is_told_of_the_rest(sandbox: LocalSandbox) -> None:
    first, whole = sandbox.run_first(order(FAILS, 1, 2, 0, 2), 2, with_the_rest)
    assert values(first) == [2, 1]
    assert [execution.ended for execution in whole.executions] == [
        "returned",
        "returned",
        "raised",
        "returned",
    ]


def test_problems_are_told_where_no_call_was_made(sandbox: LocalSandbox) -> None:
    first, whole = sandbox.run_first(order("def f(:\n", 1, 2), 1, with_the_rest)
    assert first.problems == whole.problems
    assert [problem.kind for problem in first.problems] == ["syntax"]
    assert [execution.ended for execution in first.executions] == ["not_run"]


def test_first_calls_are_told_whole_where_proc_shows_nothing(
    sandbox: LocalSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a machine whose /proc is mounted with hidepid."""
    monkeypatch.setattr(Child, "peak_memory_bytes", lambda _: None)
    first, whole = sandbox.run_first(order(DOUBLE, 1, 2, 3), 2, with_the_rest)
    assert (values(first), values(whole)) == ([2, 4], [2, 4, 6])
