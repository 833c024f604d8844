"""What the right ways of an exercise cost, measured here: the reference and its alternatives.

Each is run on the six tests as a submission is, a few times, of which the quickest counts. That
happens once for each version of an exercise, behind everything else, and no verdict waits for it.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

import structlog

from app.grading import judge
from app.model import Exercise, Expectations, Lane, Slug
from app.ports import Sandbox, SandboxFault
from app.service.exercises import Exercises

log = structlog.get_logger()

TIMES = 3
"""How often each way is run."""


@dataclass(frozen=True)
class SolutionTime:
    """A right way and its milliseconds of CPU in the six calls; `file` is "" for the reference."""

    file: str
    cpu_ms: float


class Timings:
    """Measured once, and remembered for as long as the exercise's files stay as they are."""

    def __init__(self, exercises: Exercises, house: Sandbox) -> None:
        self._exercises, self._house = exercises, house
        self._known: dict[Slug, tuple[str, Future[tuple[SolutionTime, ...]]]] = {}
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="timings")

    def get(self, slug: Slug, wait_s: float = 0.0) -> tuple[SolutionTime, ...]:
        """The times of an exercise's ways, the quickest first; none while they are not there.

        Waits up to `wait_s` seconds for what is being measured. Raises NoSuchExercise, and what
        the exercise's expectations raise.
        """
        exercise = self._exercises.get(slug)
        expectations = self._exercises.expectations(slug)
        with self._lock:
            known = self._known.get(slug)
            if known is None or known[0] != exercise.digest or _failed(known[1]):
                future = self._pool.submit(_measured, self._house, exercise, expectations)
                known = self._known[slug] = (exercise.digest, future)
        try:
            return known[1].result(wait_s)
        except (TimeoutError, SandboxFault):
            return ()

    def close(self) -> None:
        """Begin no more of them."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def _failed(future: Future[tuple[SolutionTime, ...]]) -> bool:
    """Whether it ended in a fault of ours, which may not happen again."""
    return future.done() and (future.cancelled() or future.exception() is not None)


def _measured(
    sandbox: Sandbox, exercise: Exercise, expectations: Expectations
) -> tuple[SolutionTime, ...]:
    files = {"": "reference.py"} | {f: f for f in exercise.python_files("accepted")}
    found = [
        SolutionTime(
            name.removeprefix("accepted/"),
            min(_once(sandbox, exercise, expectations, file) for _ in range(TIMES)),
        )
        for name, file in files.items()
    ]
    return tuple(sorted(found, key=lambda way: way.cpu_ms))


def _once(sandbox: Sandbox, exercise: Exercise, expectations: Expectations, file: str) -> float:
    """The time in the calls alone, in a child like a submission's: only so can they be compared."""
    source = exercise.files[file]
    order = judge.order(exercise, expectations, source, expectations.tests, Lane.FAST)
    ran = sandbox.run(order)
    if ran.left_fast_lane:
        ran = sandbox.run(replace(order, lane=Lane.AUTHOR))
    return sum(execution.cpu_ms for execution in ran.executions)
