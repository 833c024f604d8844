"""The slow line with real children: they are stopped, go on and are ended, and nothing shows."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future

import pytest

from app.jobs.embedded import EmbeddedLine
from app.model import Call, Lane, Limits, Order, Source
from app.ports import Job, Kind
from app.records import Json
from app.sandbox.keeper import Layers
from app.sandbox.pool import LocalSandbox

PATIENCE_S = 300
BOUND_S = 6.0
"""An honest second beside any number of loops, on two cores; waited for up to three times."""

LOOP = "def f(x):\n    while True:\n        pass\n"
SECOND = (
    "import time\ndef f(x):\n    until = time.process_time() + x\n"
    "    while time.process_time() < until:\n        pass\n    return x\n"
)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[LocalSandbox]:
    made = LocalSandbox(parts=Layers(policy=False))  # programs that measure their own time
    yield made
    made.close()


@pytest.fixture
def line() -> Iterator[EmbeddedLine]:
    made = EmbeddedLine()
    made.start()
    yield made
    made.close(PATIENCE_S)


class Learner:
    """Sends programs into the line under one name."""

    def __init__(self, name: str, line: EmbeddedLine, sandbox: LocalSandbox) -> None:
        self.name, self._line, self._sandbox = name, line, sandbox
        self.lanes: list[Lane] = []
        self.slow = threading.Event()

    def send(self, text: str, argument: float = 1.0, kind: Kind = Kind.SUBMISSION) -> Future[Json]:
        def work(lane: Lane) -> Json | None:
            self.lanes.append(lane)
            if lane is not Lane.FAST:
                self.slow.set()
            calls = (Call("f", (argument,)),)
            ran = self._sandbox.run(Order((Source("s.py", text.encode()),), calls, Limits(), lane))
            if ran.left_fast_lane:
                return None
            return {"ended": ran.executions[0].ended, "value": ran.executions[0].value}

        key = f"{self.name} {time.monotonic_ns()}"
        return self._line.put(Job(key, self.name, kind, work), bounded=False)


@pytest.mark.parametrize(("loops", "owners"), [(24, 1), (8, 8), (24, 24)])
def test_an_honest_second_beside_endless_loops(
    line: EmbeddedLine, sandbox: LocalSandbox, loops: int, owners: int
) -> None:
    """Loops without a cookie share one turn; learners have one each and began 2 s before."""
    loopers = [Learner(f"looper {n}", line, sandbox) for n in range(owners)]
    futures = [loopers[n % owners].send(LOOP) for n in range(loops)]
    assert loopers[0].slow.wait(PATIENCE_S)
    threading.Event().wait(2.0)
    ann = Learner("ann", line, sandbox)
    began = time.monotonic()
    assert ann.send(SECOND).result(PATIENCE_S) == {"ended": "returned", "value": 1.0}
    assert time.monotonic() - began < 3 * BOUND_S
    for future in futures:
        future.cancel()


def test_standing_still_is_no_sleep_and_costs_no_verdict(
    line: EmbeddedLine, sandbox: LocalSandbox
) -> None:
    """Six programs of 1.4 s: each stands still, or is ended and run again; each returns."""
    learners = [Learner(f"learner {n}", line, sandbox) for n in range(6)]
    futures = [learner.send(SECOND, 1.4) for learner in learners]
    told = [future.result(PATIENCE_S) for future in futures]
    assert told == [{"ended": "returned", "value": 1.4}] * 6
    again = [learner for learner in learners if learner.lanes.count(Lane.SLOW) > 1]
    assert again, "four places hold no six of them"
    assert all(learner.lanes.count(Lane.SLOW) <= 2 for learner in learners)


def test_a_slow_run_that_nobody_waits_for_is_ended(
    line: EmbeddedLine, sandbox: LocalSandbox
) -> None:
    """All that may run are given up; the next does not wait until they hit their limits."""
    loopers = [Learner(f"looper {n}", line, sandbox) for n in range(2)]
    futures = [looper.send(LOOP, kind=Kind.RUN) for looper in loopers]
    assert all(looper.slow.wait(PATIENCE_S) for looper in loopers)
    for future in futures:
        future.cancel()
    began = time.monotonic()
    while line.load().running:
        threading.Event().wait(0.01)
        assert time.monotonic() - began < 3 * 0.3, "they run on for nobody"


def test_closing_leaves_what_stands_still_for_the_next_start(sandbox: LocalSandbox) -> None:
    line = EmbeddedLine(slow=1, places=3)
    line.start()
    learners = [Learner(f"learner {n}", line, sandbox) for n in range(3)]
    futures = [learner.send(LOOP) for learner in learners]
    assert all(learner.slow.wait(PATIENCE_S) for learner in learners[:2])
    line.close(PATIENCE_S)
    assert sum(future.cancelled() for future in futures) >= 1
    assert all(future.done() for future in futures)
