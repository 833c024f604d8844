"""How a child is left: what it said counts, and one that can say no more is not waited for."""

from __future__ import annotations

import math

import pytest

from app.model import Call, Cause, Lane, Order
from app.sandbox import watch
from app.sandbox.child_process import Child
from app.sandbox.pool import LocalSandbox
from tests.sandbox.contract import only, run, source
from tests.sandbox.test_healing import BUSY_ORDER, PATIENCE_S, in_background, kill_busy_child

CLOSED = """
import os, threading

def f(x):
    os.close(3)
    {then}
"""
WAIT = "lock = threading.Lock(); lock.acquire(); lock.acquire()"


def _unknown(_: Child) -> float:
    raise OSError


@pytest.mark.parametrize(
    ("name", "found"), [("peak_memory_bytes", lambda _: None), ("cpu_s", _unknown)]
)
def test_child_that_proc_does_not_show_is_left_all_the_same(
    sandbox: LocalSandbox, monkeypatch: pytest.MonkeyPatch, name: str, found: object
) -> None:
    """As on a machine whose /proc is mounted with hidepid, and where it ended meanwhile."""
    monkeypatch.setattr(Child, name, found)
    ran = run(sandbox, "def f(x):\n    return len(bytearray(x * 50 * 2 ** 20))\n", 2)
    assert only(ran).value == 100 * 2**20
    assert ran.peak_memory_bytes > 100 * 2**20
    assert ran.cpu_ms > 0


def test_child_that_closed_its_answers_is_not_waited_for(unrestricted: LocalSandbox) -> None:
    before = unrestricted.restarts
    execution = only(run(unrestricted, CLOSED.format(then=WAIT), 1))
    assert (execution.ended, execution.cause) == ("killed", Cause.CLOSED)
    assert unrestricted.restarts == before


def test_child_that_closed_its_answers_has_the_same_limits(unrestricted: LocalSandbox) -> None:
    text = CLOSED.format(then="while True: pass")
    fast = run(unrestricted, text, 1)
    assert fast.left_fast_lane
    slow = unrestricted.run(Order((source(text),), (Call("f", (1,)),), lane=Lane.SLOW))
    assert only(slow).ended == "time_limit"


def test_child_that_ends_by_itself_is_not_hurried(
    sandbox: LocalSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its answers end before the kernel has cleared it: that is no closing of them."""
    monkeypatch.setattr(watch, "IDLE_S", -math.inf)
    execution = only(run(sandbox, "def f(x):\n    print('y' * 10 ** 6)\n", 1))
    assert (execution.ended, execution.cause) == ("output_limit", Cause.PRINTS)
    assert execution.amount == 64 * 1024


def test_child_the_system_ended_did_not_close_its_answers(
    sandbox: LocalSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "IDLE_S", -math.inf)
    thread, results = in_background(sandbox, BUSY_ORDER)
    kill_busy_child(sandbox)
    thread.join(PATIENCE_S)
    assert only(results[0]).value == 7
