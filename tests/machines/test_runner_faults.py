"""Runners that die, are cut off or are half there: every order is answered, and soon."""

from __future__ import annotations

import functools
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from app.catalog import load
from app.grading import judge
from app.model import Call, Order, Ran, Report, Source, Verdict
from app.sandbox.pool import LocalSandbox
from app.sandbox.remote import RemoteSandbox
from tests.fakes import FakeSandbox
from tests.known import expected
from tests.machines.deadly import DEADLY
from tests.machines.machines import ROOT, Machine, fleet_of, order
from tests.machines.namespaces import ip, may_make_them, networks

PACE_S = 1 / 45
ORDERS = 60
UNDER_WAY = 4
DOUBLE = "def f(x):\n    return 2 * x\n"


@pytest.fixture
def own(tmp_path: Path) -> Iterator[list[Machine]]:
    """Two runners that a test may kill."""
    made = [Machine(tmp_path / str(at)).start() for at in range(2)]
    yield made
    for machine in made:
        machine.stop()


def paced(
    sandbox: RemoteSandbox, orders: int = ORDERS
) -> Iterator[tuple[int, Future[tuple[Ran, float]]]]:
    """Orders at 45 a second, each with what came of it and how long that took."""

    def ask(number: int) -> tuple[Ran, float]:
        began = time.monotonic()
        return sandbox.run(order(DOUBLE, number)), time.monotonic() - began

    with ThreadPoolExecutor(64) as threads:
        for number in range(orders):
            yield number, threads.submit(ask, number)
            threading.Event().wait(PACE_S)


def answers(sandbox: RemoteSandbox, during: Mapping[int, Callable[[], object]]) -> list[float]:
    """The seconds each order took; at these numbers these things happen. All are answered right.

    Each thing finds the last few orders under way, and none that an earlier one still holds up.
    """
    waiting: list[Future[tuple[Ran, float]]] = []
    for number, future in paced(sandbox):
        waiting.append(future)
        if number in during:
            wait(waiting[:-UNDER_WAY], 120)
            during[number]()
    found = [future.result(120) for future in waiting]
    assert [ran.executions[0].value for ran, _ in found] == [2 * n for n in range(len(found))]
    return [seconds for _, seconds in found]


def test_a_runner_is_killed_again_and_again(own: list[Machine], house: LocalSandbox) -> None:
    one, _ = own
    with fleet_of(*own) as fleet:
        sandbox = RemoteSandbox(fleet, house)
        during: dict[int, Callable[[], object]] = {}
        for at in (5, 19, 33, 47):
            during[at] = one.kill
            during[at + 7] = one.start
        took = answers(sandbox, during)
    assert max(took) <= 3 * 1.0, sorted(took)[-5:]


def test_a_runners_keeper_is_killed_again_and_again(
    own: list[Machine], house: LocalSandbox
) -> None:
    with fleet_of(*own) as fleet:
        sandbox = RemoteSandbox(fleet, house)
        kills = {
            at: functools.partial(_kill_keeper, own[0], before)
            for before, at in enumerate((5, 19, 33, 47))
        }
        took = answers(sandbox, kills)
    assert max(took) <= 2 * 3 * 2.0, sorted(took)[-5:]  # one may be there for two of the kills
    assert own[0].events().count("keeper_replaced") >= 3


def _kill_keeper(machine: Machine, before: int) -> None:
    """Kill it once those that were killed before have been replaced."""
    assert machine.process is not None
    while machine.events().count("keeper_replaced") < before:
        threading.Event().wait(0.02)
    for task in Path(f"/proc/{machine.process.pid}/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread of its pool that ends
            for pid in map(int, (task / "children").read_text().split()):
                os.kill(pid, signal.SIGKILL)


def test_a_runner_that_stands_still_is_left_after_three_seconds(
    own: list[Machine], house: LocalSandbox
) -> None:
    """Half open: its connections stand, and nothing comes."""
    one = own[0].process
    assert one is not None
    with fleet_of(*own) as fleet:
        sandbox = RemoteSandbox(fleet, house)
        for number in range(6):
            sandbox.run(order(DOUBLE, number))  # lines that are kept open
        os.kill(one.pid, signal.SIGSTOP)
        try:
            began = time.monotonic()
            with ThreadPoolExecutor(4) as threads:
                ran = list(threads.map(lambda n: sandbox.run(order(DOUBLE, n)), range(4)))
            took = time.monotonic() - began
            assert [r.executions[0].value for r in ran] == [0, 2, 4, 6]
            assert 2.0 < took <= 3 * 4.0
            began = time.monotonic()
            sandbox.run(order(DOUBLE, 1))
            assert time.monotonic() - began < took  # it is asked no more
        finally:
            os.kill(one.pid, signal.SIGCONT)


def test_code_that_kills_its_child_gets_its_verdict_once(
    sandbox: RemoteSandbox, house: LocalSandbox
) -> None:
    text = "def f():\n    x = bytearray(10 ** 6)\n    return f() + 1\n"
    deep = "import numpy as np\ndef f():\n    return np.zeros((10 ** 6, 10 ** 4)).sum()\n"
    for source in (text, deep):
        asked = Order((Source("solution.py", source.encode()),), (Call("f", ()),) * 3)
        here, there = house.run(asked), sandbox.run(asked)
        assert [e.ended for e in there.executions] == [e.ended for e in here.executions]
        assert "returned" not in {e.ended for e in there.executions}


def test_code_that_kills_whole_runners_ends_two_of_them_and_no_more(
    tmp_path: Path, house: LocalSandbox
) -> None:
    deadly = ("-m", "tests.machines.deadly")
    mortal = [Machine(tmp_path / str(at), command=deadly).start() for at in range(3)]
    try:
        with fleet_of(*mortal) as fleet:
            sandbox = RemoteSandbox(fleet, house)
            killing = order(DEADLY.decode() + "\n" + DOUBLE, 21)
            ran = sandbox.run(killing)
            assert (ran.loading.ended, str(ran.loading.cause)) == ("killed", "machines")
            assert _report(killing, ran).verdict is Verdict.SANDBOX_KILLED
            ends = [machine.process.poll() for machine in mortal if machine.process is not None]
            for machine in mortal:
                if machine.process is not None and machine.process.poll() is not None:
                    machine.process.wait(60)
            assert sum(end is None for end in ends) >= 1
            assert sandbox.run(order(DOUBLE, 21)).executions[0].value == 42  # the others go on
            assert "Traceback" not in "".join(machine.events() for machine in mortal)
    finally:
        for machine in mortal:
            machine.stop()


def _report(asked: Order, ran: Ran) -> Report:
    """What a learner reads of it, where all six tests were to be run."""
    exercise = load(ROOT / "tests" / "exercises" / "weighted-mean")
    known = expected(exercise, FakeSandbox())
    six = replace(ran, executions=ran.executions * len(known.tests))
    source = asked.sources[0].text
    report = judge.judge(exercise, known, six, source=source, submission=None)
    assert report.message == "Your code ended two machines that ran it, and was stopped."
    assert "not tried on a third" in report.help
    return report


@pytest.mark.skipif(not may_make_them(), reason="this machine gives no namespaces to this user")
def test_a_runner_whose_cable_is_cut_is_left_and_asked_again_once_it_is_mended(
    tmp_path: Path, house: LocalSandbox
) -> None:
    with networks() as made:
        far = made.machine("far")
        near, address = f"cable{os.getpid()}"[:15], f"10.203.{os.getpid() % 250}"
        ip("link", "add", near, "type", "veth", "peer", "cable", "netns", far)
        ip("address", "add", f"{address}.1/30", "dev", near)
        ip("link", "set", near, "up")
        ip("-n", far, "address", "add", f"{address}.2/30", "dev", "cable")
        ip("-n", far, "link", "set", "cable", "up")
        beyond = Machine(
            tmp_path / "far", prefix=("ip", "netns", "exec", far), host=f"{address}.2", port=8100
        ).start()
        here = Machine(tmp_path / "near").start()
        try:
            with fleet_of(beyond, here) as fleet:
                _cut_and_mend(RemoteSandbox(fleet, house), far, beyond)
        finally:
            beyond.stop()
            here.stop()


def _cut_and_mend(sandbox: RemoteSandbox, far: str, beyond: Machine) -> None:
    def ask(number: int) -> float:
        began = time.monotonic()
        assert sandbox.run(order(DOUBLE, number)).executions[0].value == 2 * number
        return time.monotonic() - began

    def answered() -> int:
        return beyond.events().count("order_answered")

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(ask, range(12)))
        before = answered()
        assert before > 0
        ip("-n", far, "link", "set", "cable", "down")
        assert max(threads.map(ask, range(8))) <= 3 * 4.0
        assert answered() == before
        ip("-n", far, "link", "set", "cable", "up")
        end = time.monotonic() + 120
        while answered() == before and time.monotonic() < end:
            list(threads.map(ask, range(8)))
            threading.Event().wait(0.2)
    assert answered() > before
