"""The right ways are timed once for each version of an exercise, and nothing waits for it."""

from __future__ import annotations

import threading
from dataclasses import replace

from app.model import Order, Ran, Slug
from app.ports import SandboxFault
from app.service.timings import TIMES, SolutionTime, Timings
from tests.fakes import FakeSandbox
from tests.service.world import World

SOFTMAX = Slug("stable-softmax")
PATIENCE_S = 60


class Stopwatch(FakeSandbox):
    """Says that each program takes 1 ms a line, and 10 ms more when it is run first."""

    def __init__(self) -> None:
        self.seen: list[bytes] = []
        self.open = threading.Event()
        self.faulty = False

    def run(self, order: Order) -> Ran:
        assert self.open.wait(PATIENCE_S)
        if self.faulty:
            raise SandboxFault("no keeper")
        text = order.sources[0].text
        first = text not in self.seen
        self.seen.append(text)
        ran = super().run(order)
        each = (text.count(b"\n") + 10.0 * first) / len(ran.executions)
        return replace(ran, executions=tuple(replace(e, cpu_ms=each) for e in ran.executions))


def test_each_way_is_timed_once_and_the_quickest_run_counts(world: World) -> None:
    exercises, watch = world.service().exercises, Stopwatch()
    timings = Timings(exercises, watch)
    assert timings.get(SOFTMAX) == ()  # it is still being measured
    watch.open.set()
    found = timings.get(SOFTMAX, PATIENCE_S)
    files = exercises.get(SOFTMAX).files
    names = {"": "reference.py"} | {
        name: f"accepted/{name}" for name in ("slice_by_slice.py", "through_log_sum_exp.py")
    }
    expected = [SolutionTime(name, files[file].count(b"\n")) for name, file in names.items()]
    assert [(one.file, round(one.cpu_ms, 6)) for one in found] == sorted(
        ((one.file, one.cpu_ms) for one in expected), key=lambda each: each[1]
    )
    assert timings.get(SOFTMAX) == found
    assert len(watch.seen) == len(names) * TIMES
    timings.close()


def test_a_fault_of_ours_is_tried_again(world: World) -> None:
    exercises, watch = world.service().exercises, Stopwatch()
    watch.open.set()
    watch.faulty = True
    timings = Timings(exercises, watch)
    assert timings.get(SOFTMAX, PATIENCE_S) == ()
    watch.faulty = False
    assert len(timings.get(SOFTMAX, PATIENCE_S)) == 3
    timings.close()
