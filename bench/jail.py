"""The sandbox by itself: a spare child's path and memory, and what the grader adds."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from app.catalog import load
from app.expectations import compute
from app.grading import judge
from app.grading.diagnosis import diagnose
from app.model import Exercise, Expectations, Lane, Order
from app.sandbox.pool import LocalSandbox
from bench import processes
from bench.figures import Figure, at_most, median, percentile, timed
from bench.serving import ROOT, SLUG

PAUSE_S = 0.05
TIMES = 80


def figures() -> Iterator[Figure]:
    """All of this room, in order."""
    exercise = load(ROOT / "exercises" / SLUG)
    sandbox = LocalSandbox()
    try:
        known = compute(exercise, sandbox)
        source = exercise.files["reference.py"]
        order = judge.order(exercise, known, source, known.tests, Lane.FAST)
        yield from _spare_path(sandbox, order)
        yield from _memory(sandbox)
        yield from _judging(sandbox, exercise, known, order)
    finally:
        sandbox.close()


def _spare_path(sandbox: LocalSandbox, order: Order) -> Iterator[Figure]:
    spent = []
    for _ in range(TIMES):
        time.sleep(PAUSE_S)
        spent.append(timed(lambda: sandbox.run(order)))
    yield at_most("spare child's path in the sandbox, median", median(spent) * 1e3, "ms", 6)
    note = "what a busy machine adds, the others have"
    yield Figure(
        "spare child's path, quickest tenth", percentile(spent, 0.1) * 1e3, "ms", note=note
    )
    yield Figure("spare child's path in the sandbox, p99", percentile(spent, 0.99) * 1e3, "ms")


def _memory(sandbox: LocalSandbox) -> Iterator[Figure]:
    """Of the spares that wait, once the machine is quiet. A locked child is readable to root."""
    time.sleep(1)
    spares = [pid for pid in processes.below(sandbox.keeper_pid) if not processes.below(pid)]
    try:
        sizes = [private_mib(pid) for pid in spares]
    except PermissionError:
        yield Figure("spare child's private memory", float("nan"), "MiB", note="only root can tell")
        return
    note = f"of {len(sizes)} spares"
    yield at_most("spare child's private memory, largest", max(sizes), "MiB", 12, note)


def _judging(
    sandbox: LocalSandbox, exercise: Exercise, known: Expectations, order: Order
) -> Iterator[Figure]:
    """Naming each known mistake, and the whole report of a right solution."""
    library = [seen for seen in known.outcomes.values() for _ in range(5)]
    spent = [timed(lambda: diagnose(known, seen, exercise.tolerance)) for seen in library]  # noqa: B023
    yield at_most("diagnosis, median over the library", median(spent) * 1e3, "ms", 1)
    yield Figure("diagnosis, p99", percentile(spent, 0.99) * 1e3, "ms")
    ran, source = sandbox.run(order), order.sources[0].text
    judging = [
        timed(lambda: judge.judge(exercise, known, ran, source=source, submission=None))
        for _ in range(100)
    ]
    yield Figure("judging a right solution", median(judging) * 1e3, "ms")


def private_mib(pid: int) -> float:
    """Memory that a process has to itself. Raises PermissionError for a locked one."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    fields = (line.split() for line in rollup.splitlines()[1:])
    return sum(int(line[1]) for line in fields if line[0].startswith("Private_")) / 1024
