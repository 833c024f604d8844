"""Over HTTP: how long a learner waits, alone, among many, and under attack."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

from app.catalog import load
from app.expectations import compute
from app.grading import judge
from app.model import Lane
from app.sandbox.pool import LocalSandbox
from bench.figures import Figure, at_least, at_most, median, percentile, timed
from bench.jail import private_mib
from bench.serving import ROOT, SLUG, Learner, Server, attackers, make_known, serving

PROGRAMS = ROOT / "bench" / "programs"
PAUSE_S = 0.05
"""Between two submissions of one learner: the machine is idle again."""

ROUNDS = 3
ROUND_S = 3.0
LOOKS_S = 2.0
"""Behind a rush, the second looks that waited for its end are made."""

LEARNERS = 4
MAKE = ("make", "--no-print-directory", "run", "ARGS=--port 0")
"""As a host types it, on a port of its own."""


def figures() -> Iterator[Figure]:
    """All of this room, in order."""
    with tempfile.TemporaryDirectory(prefix="mlgrind-bench-") as folder:
        yield from _start(Path(folder) / "start")
        with serving(Path(folder) / "data") as server:
            idle = yield from _alone(server)
            yield from _among_many(server)
            yield from _under_attack(server, idle)


def _start(data: Path) -> Iterator[Figure]:
    """From `make run` to an answer, once everything is set up."""

    def until_ready() -> None:
        server = stack.enter_context(serving(data, MAKE))
        Learner(server.port).ask("GET", "/readyz")

    make_known()
    spent = []
    for _ in range(1 + ROUNDS):
        with contextlib.ExitStack() as stack:
            spent.append(timed(until_ready))
    yield at_most("a second `make run` to ready", median(spent[1:]), "s", 0.9)


def _alone(server: Server) -> Generator[Figure, None, float]:
    """One learner on an idle machine, beside a Python that starts afresh; the median in seconds."""
    learner = Learner(server.port)
    for _ in range(10):
        learner.accepted()
    fresh, waited = [], []
    for _ in range(10):
        fresh.append(timed(fresh_python))
        waited += spaced(learner.accepted, 8)
    idle = median(waited)
    yield at_most("submission to report over HTTP, median", idle * 1e3, "ms", 10)
    yield Figure("submission to report over HTTP, p99", percentile(waited, 0.99) * 1e3, "ms")
    yield Figure("a fresh Python that imports NumPy, median", median(fresh) * 1e3, "ms")
    yield at_least("times faster than a fresh Python", median(fresh) / idle, "×", 8)
    return idle


def fresh_python() -> None:
    """What every submission would cost without children that wait: a Python with NumPy."""
    subprocess.run([sys.executable, "-c", "import numpy"], check=True)


def spaced(action: Callable[[], object], times: int) -> list[float]:
    """Seconds of each time, with a pause before it."""
    spent = []
    for _ in range(times):
        time.sleep(PAUSE_S)
        spent.append(timed(action))
    return spent


def _among_many(server: Server) -> Iterator[Figure]:
    """Four learners without pause, in turns with four threads on a sandbox of the same kind."""
    exercise = load(ROOT / "exercises" / SLUG)
    sandbox = LocalSandbox()
    try:
        known = compute(exercise, sandbox)
        source = exercise.files["reference.py"]
        order = judge.order(exercise, known, source, known.tests, Lane.FAST)
        learners = [Learner(server.port) for _ in range(LEARNERS)]
        bare: list[float] = []
        web: list[float] = []
        waits: list[float] = []
        for _ in range(ROUNDS):
            bare.append(len(at_once([lambda: sandbox.run(order)] * LEARNERS)) / ROUND_S)
            spent = at_once([learner.accepted for learner in learners])
            web.append(len(spent) / ROUND_S)
            waits += spent
            time.sleep(LOOKS_S)
    finally:
        sandbox.close()
    yield Figure("bare sandbox, four at once", median(bare), "/s")
    yield Figure("over HTTP, four at once", median(web), "/s")
    yield at_least("share of the bare sandbox's rate", median(web) / median(bare), "×", 0.85)
    yield Figure("wait over HTTP, four at once, p99", percentile(waits, 0.99) * 1e3, "ms")
    note = "private, after all of the above"
    yield Figure("server's memory", private_mib(server.process.pid), "MiB", note=note)


def at_once(actions: list[Callable[[], object]]) -> list[float]:
    """Each action again and again in a thread of its own, for one round: what each took."""
    until = time.perf_counter() + ROUND_S
    spent: list[float] = []

    def repeat(action: Callable[[], object]) -> None:
        while time.perf_counter() < until:
            spent.append(timed(action))

    threads = [threading.Thread(target=repeat, args=(action,)) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return spent


def _under_attack(server: Server, idle: float) -> Iterator[Figure]:
    """An honest learner beside bombs of three kinds that never pause, from another address."""
    learner = Learner(server.port)
    learner.accepted()
    bombs = [(PROGRAMS / f"bomb_{kind}.py").read_text() for kind in ("time", "memory", "output")]
    with attackers(server.port, bombs):
        time.sleep(1)
        waited = spaced(learner.accepted, 60)
    yield Figure("beside three bombs, median", median(waited) * 1e3, "ms")
    yield Figure("beside three bombs, p99", percentile(waited, 0.99) * 1e3, "ms")
    yield at_most("times idle, beside three bombs", median(waited) / idle, "×", 3)
    learner = Learner(server.port)  # the server closed the connection while the last bombs ended
    with attackers(server.port, bombs * 3):
        learner.accepted()
        waited = spaced(learner.accepted, 60)
    yield Figure("times idle, beside nine bombs", median(waited) / idle, "×")
