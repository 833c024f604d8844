"""Whatever is killed, whenever, every order ends, and nothing is left or grows."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from app import metrics
from app.model import Call, Cause, Lane, Limits, Order, Ran
from app.ports import SandboxFault
from app.sandbox.keeper import Layers
from app.sandbox.pool import LocalSandbox
from tests.sandbox.contract import source

PATIENCE_S = 300.0
BUSY = "def f(x):\n    t = 0\n    for i in range(15 * 10 ** 6):\n        t += i\n    return x\n"
GOOD = Order((source("def f(x):\n    return x + 1\n"),), (Call("f", (1,)),))


@pytest.fixture(params=[True, False], ids=["namespaces", "no namespaces"])
def mortal(request: pytest.FixtureRequest) -> Iterator[LocalSandbox]:
    """A sandbox of one's own, to be killed."""
    sandbox = LocalSandbox(parts=Layers(namespaces=request.param))
    yield sandbox
    sandbox.close()


def children(pid: int) -> list[int]:
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    except OSError:
        return []
    return [int(word) for word in text.split()]


def keeper(sandbox: LocalSandbox) -> int:
    """The keeper itself: with a process namespace, the one child of the process started."""
    first = children(sandbox.keeper_pid)
    inside = len(first) == 1 and children(first[0])
    return first[0] if inside else sandbox.keeper_pid


def jailed(sandbox: LocalSandbox) -> list[int]:
    return children(keeper(sandbox))


def running(pid: int) -> bool:
    """Whether the process is on a CPU, or wants to be."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] == "R"


def wait_for(what: object, condition: object) -> None:
    """Until `condition()` holds; fails where it never does."""
    assert callable(condition)
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, what
        os.sched_yield()


def kill_busy_child(sandbox: LocalSandbox) -> int:
    found: list[int] = []

    def busy() -> bool:
        found[:] = [pid for pid in jailed(sandbox) if running(pid) and cpu_s(pid) > 0.05]
        return bool(found)

    wait_for("a busy child", busy)
    os.kill(found[-1], signal.SIGKILL)
    return found[-1]


def kill_keeper(sandbox: LocalSandbox) -> None:
    """And wait until all its children are gone with it: one of them might still do an order."""
    ending = [keeper(sandbox), *jailed(sandbox)]
    os.kill(sandbox.keeper_pid, signal.SIGKILL)
    wait_for("their end", lambda: not any(map(alive, ending)))


def alive(pid: int) -> bool:
    """Whether the process is there and no zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def cpu_s(pid: int) -> float:
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return 0.0


def in_background(sandbox: LocalSandbox, order: Order) -> tuple[threading.Thread, list[Ran]]:
    results: list[Ran] = []
    thread = threading.Thread(target=lambda: results.append(sandbox.run(order)))
    thread.start()
    return thread, results


BUSY_ORDER = Order(
    (source(BUSY),), (Call("f", (7,)),), Limits(cpu_s=5.0, budget_cpu_s=20.0), Lane.AUTHOR
)


def test_killed_child_is_replaced_and_the_call_made_again(mortal: LocalSandbox) -> None:
    with capture_logs() as logs:
        thread, results = in_background(mortal, BUSY_ORDER)
        kill_busy_child(mortal)
        thread.join(PATIENCE_S)
    assert [(event["event"], event["again"]) for event in logs] == [("child_lost", True)]
    assert [(e.ended, e.value) for e in results[0].executions] == [("returned", 7)]
    assert mortal.restarts == 0


def test_child_killed_twice_is_memory_limit(mortal: LocalSandbox) -> None:
    thread, results = in_background(mortal, BUSY_ORDER)
    first = kill_busy_child(mortal)
    wait_for("its end", lambda: first not in jailed(mortal))
    kill_busy_child(mortal)
    thread.join(PATIENCE_S)
    (execution,) = results[0].executions
    assert (execution.ended, execution.cause) == ("memory_limit", Cause.BY_SYSTEM)


def test_killed_keeper_is_started_again_and_the_order_run(mortal: LocalSandbox) -> None:
    thread, results = in_background(mortal, BUSY_ORDER)
    wait_for("a busy child", lambda: any(map(running, jailed(mortal))))
    before = mortal.keeper_pid
    os.kill(before, signal.SIGKILL)
    thread.join(PATIENCE_S)
    assert [(e.ended, e.value) for e in results[0].executions] == [("returned", 7)]
    assert mortal.keeper_pid != before
    assert mortal.restarts == 1


def test_keeper_killed_while_idle_is_not_noticed(mortal: LocalSandbox) -> None:
    """But told of: by its layer, in the log, and as a number."""
    before = metrics.KEEPERS_REPLACED._value.get()
    kill_keeper(mortal)
    with capture_logs() as logs:
        assert mortal.run(GOOD).executions[0].value == 2
    assert [event["event"] for event in logs] == ["keeper_replaced"]
    assert metrics.KEEPERS_REPLACED._value.get() == before + 1
    (layer,) = (layer for layer in mortal.layers() if layer.name == "keeper")
    assert (layer.present, layer.detail) == (True, "died and was started again once")


def test_keeper_that_cannot_be_started_again_is_tried_again_by_whoever_asks(
    mortal: LocalSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    kill_keeper(mortal)
    with monkeypatch.context() as broken:
        broken.setattr("sys.executable", "/bin/false")
        with pytest.raises(SandboxFault, match="did not start"):
            mortal.run(GOOD)
        (layer,) = (layer for layer in mortal.layers() if layer.name == "keeper")
        assert not layer.present
        assert layer.required
    (layer,) = (layer for layer in mortal.layers() if layer.name == "keeper")
    assert layer.present
    assert mortal.run(GOOD).executions[0].value == 2


def test_spares_killed_while_waiting_are_not_noticed(mortal: LocalSandbox) -> None:
    """A death before an order is read says nothing about the order."""
    mortal.run(GOOD)
    for pid in jailed(mortal):
        with suppress(ProcessLookupError):  # that of the order has ended by now
            os.kill(pid, signal.SIGKILL)
    assert [mortal.run(GOOD).executions[0].value for _ in range(5)] == [2] * 5
    assert mortal.restarts == 0


def test_nothing_outlives_a_killed_keeper(mortal: LocalSandbox) -> None:
    thread, _ = in_background(mortal, BUSY_ORDER)
    wait_for("a busy child", lambda: any(map(running, jailed(mortal))))
    ending = jailed(mortal)
    assert ending
    os.kill(mortal.keeper_pid, signal.SIGKILL)
    wait_for("their end", lambda: not any(Path(f"/proc/{pid}").exists() for pid in ending))
    thread.join(PATIENCE_S)


ORPHAN = """
import os
from app.jail.locks import confine

locks = confine.find_locks(with_seccomp=False, with_landlock=False, with_user=False)


def status(pid):
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def lock():
    confine.lock(locks, confine.ChildLimits(10, 2**30))
    os._exit(7)


if (child := os.fork()) == 0:
    lock()
print(status(child), flush=True)
if (between := os.fork()) == 0:
    if (orphan := os.fork()) == 0:  # as after its keeper's end: its parent is another
        lock()
    os._exit(status(orphan))
print(status(between))
"""


def test_child_whose_keeper_went_away_before_it_was_locked_leaves() -> None:
    """The kernel ends a child with its keeper only once the child has asked for it."""
    done = subprocess.run([sys.executable, "-c", ORPHAN], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("7\n0\n", "")


def test_close_leaves_no_process_and_no_descriptor(mortal: LocalSandbox) -> None:
    mortal.run(GOOD)
    processes = [mortal.keeper_pid, keeper(mortal), *jailed(mortal)]
    mortal.close()
    wait_for("their end", lambda: not any(Path(f"/proc/{pid}").exists() for pid in processes))
    with pytest.raises(SandboxFault):
        mortal.run(GOOD)


def test_spares_are_replaced_and_nothing_grows(mortal: LocalSandbox) -> None:
    raising = Order((source("def f(x):\n    return 1 / 0\n"),), (Call("f", (1,)),))
    refused = Order((source("import os\n"),), (Call("f", (1,)),))
    memory = Order((source("def f(x):\n    return bytearray(2 ** 30)\n"),), (Call("f", (1,)),))
    for order in (GOOD, raising, refused, memory):
        mortal.run(order)

    def usage() -> tuple[int, int]:
        pid = keeper(mortal)
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
        kib = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
        return kib, len(os.listdir(f"/proc/{pid}/fd"))

    gc.collect()  # or what earlier tests left would be let go meanwhile
    ours, (kib, descriptors) = len(os.listdir("/proc/self/fd")), usage()
    for order in (GOOD, raising, refused, memory) * 25:
        mortal.run(order)
    assert len(os.listdir("/proc/self/fd")) == ours
    # Spares being made have six each; the last children's two go when the kernel has cleared them.
    wait_for("descriptors", lambda: usage()[1] <= descriptors + 18)
    assert usage()[0] <= kib + 1024


def test_many_threads_share_one_sandbox(sandbox: LocalSandbox) -> None:
    """Each gets the answers to its own order."""
    results: dict[int, list[object]] = {}

    def work(number: int) -> None:
        order = Order((source(f"def f(x):\n    return x * {number}\n"),), (Call("f", (10,)),))
        results[number] = [sandbox.run(order).executions[0].value for _ in range(10)]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert results == {number: [10 * number] * 10 for number in range(8)}


def test_honest_second_of_work_is_accepted_beside_eight_loops(sandbox: LocalSandbox) -> None:
    """What waits for a CPU is not sleeping, and does not use its own time up."""
    second = source(BUSY.replace("15 *", "30 *"))
    roomy = Limits(cpu_s=10.0, budget_cpu_s=10.0)  # as to work itself; waiting is what is meant
    honest = Order((second,), (Call("f", (5,)),), roomy, Lane.AUTHOR)
    loop = Order(
        (source("def f(x):\n    while True: pass\n"),), (Call("f", (1,)),), lane=Lane.AUTHOR
    )
    loops = [in_background(sandbox, loop) for _ in range(8)]
    thread, results = in_background(sandbox, honest)
    for each, _ in [*loops, (thread, results)]:
        each.join(PATIENCE_S)
    assert [(e.ended, e.value) for e in results[0].executions] == [("returned", 5)]
    assert {ran[0].executions[0].ended for _, ran in loops} == {"time_limit"}


def test_slow_lane_goes_on_while_others_want_every_cpu(sandbox: LocalSandbox) -> None:
    """Two of its children at a time, in the order they came, beside busy programs on all CPUs."""
    roomy = Limits(cpu_s=10.0, budget_cpu_s=10.0)  # as to work itself; waiting is what is meant
    honest = Order((source(BUSY),), (Call("f", (5,)),), roomy, Lane.SLOW)
    loop = Order(
        (source("def f(x):\n    while True: pass\n"),),
        (Call("f", (1,)),),
        Limits(cpu_s=0.2, budget_cpu_s=0.4),
        Lane.SLOW,
    )
    burn = [sys.executable, "-c", "while True: pass"]
    others = [subprocess.Popen(burn) for _ in range(os.cpu_count() or 1)]
    try:
        with ThreadPoolExecutor(2) as lane:
            loops = [lane.submit(sandbox.run, loop) for _ in range(8)]
            ran = lane.submit(sandbox.run, honest).result(PATIENCE_S)
            ended = {each.result(PATIENCE_S).executions[0].ended for each in loops}
    finally:
        for other in others:
            other.kill()
            other.wait()
    assert [(e.ended, e.value) for e in ran.executions] == [("returned", 5)]
    assert ended == {"time_limit"}


def test_child_without_any_cpu_is_our_fault() -> None:
    """With no patience at all, whoever runs for a millisecond is starved."""
    sandbox = LocalSandbox(patience=0.0)
    try:
        with pytest.raises(SandboxFault, match="no CPU"):
            sandbox.run(BUSY_ORDER)
    finally:
        sandbox.close()
