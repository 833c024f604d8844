"""Code that ends machines takes other code down with it: only the one that does it is told so."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.model import Cause, Lane, Order, Ran
from app.ports import Kind, SandboxFault
from app.sandbox import parcel_answer, parcel_ran
from app.sandbox.fleet import Fleet
from app.sandbox.pool import LocalSandbox
from app.sandbox.remote import NoRunner, RemoteSandbox
from app.sandbox.runner_addresses import named
from app.sandbox.slots import ALONE_S, Slots
from app.sandbox.standing import Standing
from tests.machines.deadly import DEADLY
from tests.machines.liar import Answering, Say, hangs_up, liar
from tests.machines.machines import TOKEN, Machine, fleet_of, order

PATIENCE_S = 300
DOUBLE = "def f(x):\n    return 2 * x\n"
LOOP = "def f(n):\n    for i in range(n):\n        pass\n    return n\n"
DEADLY_CODE = DEADLY.decode() + "\n" + DOUBLE


def slow(loops: int) -> Order:
    return order(LOOP, loops, lane=Lane.SLOW, cpu_s=60.0, budget_cpu_s=60.0, budget_wall_s=100.0)


def ends_with_two_orders_on_it() -> Say:
    """A machine that goes on until two orders run on it, and then ends under both."""
    both = threading.Barrier(2)

    def say(one: Answering) -> None:
        if "x-alone" in {name.lower() for name in one.headers}:
            one.send_response(503)  # as a runner does that has another order
            one.send_header("content-length", "0")
            one.end_headers()
            return
        both.wait(PATIENCE_S)
        hangs_up(one)

    return say


@contextmanager
def asking(*names: str, house: LocalSandbox) -> Iterator[RemoteSandbox]:
    fleet = Fleet([named(name, {"": TOKEN}) for name in names])
    try:
        yield RemoteSandbox(fleet, house, away_s=0.0)
    finally:
        fleet.close()


def test_a_machine_that_ended_under_two_orders_says_nothing_of_either(house: LocalSandbox) -> None:
    with (
        liar(ends_with_two_orders_on_it()) as (one, seen_by_one),
        liar(ends_with_two_orders_on_it()) as (two, seen_by_two),
        asking(one, two, house=house) as sandbox,
        ThreadPoolExecutor(2) as threads,
    ):
        second = next(k for k in sandbox.fleet._known.values() if k.peer.place.name == two)
        second.standing = Standing(until=math.inf)
        # so both go to the first machine, and from there both to the second
        ended = [threads.submit(sandbox.run, order(DOUBLE, x)) for x in (1, 2)]
        end = time.monotonic() + PATIENCE_S
        while len(seen_by_one) < 2:
            assert time.monotonic() < end
            threading.Event().wait(0.02)
        second.standing = Standing()
        for one_ended in ended:
            with pytest.raises(NoRunner):  # tried again later, as all that is our fault
                one_ended.result(PATIENCE_S)
        for seen in (seen_by_one, seen_by_two):
            bodies = [sent for headers, sent in seen if "x-alone" not in headers]
            assert len(bodies) == 2 and len(set(bodies)) == 2


def patiently(sandbox: RemoteSandbox, asked: Order) -> Ran:
    """As a dispatcher does: again, when it was our fault."""
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            return sandbox.run(asked)
        except SandboxFault:
            assert time.monotonic() < end
            threading.Event().wait(0.5)


def kept_up(machine: Machine, done: threading.Event) -> None:
    """Start it again whenever it has ended."""
    while not done.wait(0.1):
        if machine.process is not None and machine.process.poll() is not None:
            machine.stop()
            machine.start()


def test_only_the_code_that_ends_machines_is_judged_so_and_what_ran_beside_it_is_answered(
    tmp_path: Path, house: LocalSandbox
) -> None:
    deadly = ("-m", "tests.machines.deadly")
    machines = [Machine(tmp_path / str(at), command=deadly).start() for at in range(2)]
    done = threading.Event()
    try:
        with fleet_of(*machines) as fleet, ThreadPoolExecutor(8) as threads:
            sandbox = RemoteSandbox(fleet, house)
            keep = [threads.submit(kept_up, machine, done) for machine in machines]
            beside = [threads.submit(patiently, sandbox, slow(10**7 + n)) for n in range(2)]
            killing = threads.submit(patiently, sandbox, order(DEADLY_CODE, 21))
            try:
                assert killing.result(PATIENCE_S).loading.cause is Cause.MACHINES
                found = [one.result(PATIENCE_S) for one in beside]
            finally:
                done.set()
            assert [ran.executions[0].value for ran in found] == [10**7, 10**7 + 1]
            for each in keep:
                each.result(PATIENCE_S)
    finally:
        done.set()
        for machine in machines:
            machine.stop()


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> threading.Semaphore:
    """Released whenever a caller has heard that a runner was asked to stop."""
    heard, feed = threading.Semaphore(0), parcel_answer.RunnerAnswer.feed

    def listening(answer: parcel_answer.RunnerAnswer, data: bytes) -> None:
        before = answer.leaving
        feed(answer, data)
        if answer.leaving and not before:
            heard.release()

    monkeypatch.setattr(parcel_answer.RunnerAnswer, "feed", listening)
    return heard


def test_what_runs_while_machines_are_stopped_one_after_another_is_not_judged_for_it(
    tmp_path: Path, house: LocalSandbox, told: threading.Semaphore
) -> None:
    """Stopped as containers are: asked first, killed a while later."""
    machines = [Machine(tmp_path / str(at)).start() for at in range(2)]
    asked, stopped = slow(10**12), []
    try:
        with fleet_of(*machines) as fleet, ThreadPoolExecutor(1) as threads:
            sandbox = RemoteSandbox(fleet, house, away_s=0.0)
            running = threads.submit(sandbox.run, asked)
            for _ in machines:
                stopped.append(_stop_the_one_that_runs_it(fleet, machines, running, told))
            with pytest.raises(NoRunner):
                running.result(PATIENCE_S)
            assert sorted(stopped) == sorted(machine.name for machine in machines)
    finally:
        for machine in machines:
            machine.stop()


def _stop_the_one_that_runs_it(
    fleet: Fleet, machines: list[Machine], running: Future[Ran], told: threading.Semaphore
) -> str:
    end = time.monotonic() + PATIENCE_S
    alive = {m.name: m for m in machines if m.process is not None and m.process.poll() is None}
    while not (busy := [view for view in fleet.views() if view.busy and view.name in alive]):
        assert not running.done() and time.monotonic() < end
        threading.Event().wait(0.05)
    machine = alive[busy[0].name]
    assert machine.process is not None
    machine.process.terminate()
    assert told.acquire(timeout=PATIENCE_S)  # by its next byte a second
    machine.kill()
    return machine.name


def test_a_runner_that_was_asked_to_stop_says_so_between_its_bytes() -> None:
    answer = parcel_answer.RunnerAnswer(order(DOUBLE, 1), 100)
    answer.feed(parcel_ran.WORKING * 3)
    assert not answer.leaving
    answer.feed(parcel_ran.WORKING + parcel_ran.LEAVING)
    answer.feed(parcel_ran.WORKING)
    assert answer.leaving


def test_an_order_that_must_be_alone_begins_on_an_idle_machine_and_has_it_for_three_seconds() -> (
    None
):
    clock = [1000.0]
    slots = Slots(2, 1, steady=lambda: clock[0])
    assert slots.take("slow", Kind.SUBMISSION)
    assert not slots.take("fast", Kind.SUBMISSION, alone=True)
    slots.give_back("slow")
    assert slots.take("fast", Kind.SUBMISSION, alone=True)
    assert not slots.take("fast", Kind.SUBMISSION)
    assert not slots.take("slow", Kind.RUN)
    clock[0] += ALONE_S
    assert slots.take("slow", Kind.RUN)
    slots.give_back("slow")
    slots.give_back("fast")
    assert slots.take("fast", Kind.SUBMISSION, alone=True)
    slots.give_back("fast")
    assert slots.take("fast", Kind.SUBMISSION)  # it ended sooner: the machine is everybody's
