"""Beside a crowd: what a quick verdict and an honest second take while others do their worst.

Each row has a server of its own and can be asked for alone: `python -m bench beside-24-loops`. All
come from one address, as a class does. The honest ones open the page, submit once, and then are
measured; none is held to a rate but where the row is about one.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bench import processes
from bench.figures import Figure, at_most, median, timed
from bench.reading import readers_of_a_report, readers_of_changes
from bench.serving import HOME, REFERENCE, ROOT, SLUG, Learner, Server, serving
from bench.throng import Client, throng

PROGRAMS = ROOT / "bench" / "programs"
LOOP = "def multi_head_attention(Q, K, V, num_heads):\n    while True:\n        pass\n"
SECOND = REFERENCE + "\nfor _ in range(12_000_000):\n    pass\n"
"""Right, and used up to a second of CPU while it was loaded."""

TENTH = REFERENCE + "\nfor _ in range(1_200_000):\n    pass\n"
PAUSE_S = 0.2
SETTLED_S = 2.0
CPUS = 2
"""Those that the promise of six seconds is about."""

OPEN_RUNS = 1_000

QUICK, SECONDS = 15, 3
"""How often each is measured: of the quick ones the median counts, of the others the worst."""

Crowd = Callable[[Server], contextlib.AbstractContextManager[None]]


@dataclass(frozen=True)
class Row:
    """A crowd by name; `rated`: the limits that hold in it."""

    name: str
    crowd: Crowd
    rated: tuple[str, ...] = ()

    def figures(self) -> Iterator[Figure]:
        """Both figures of a row, each beside the same without the crowd."""
        with tempfile.TemporaryDirectory(prefix="mlgrind-bench-") as folder:
            with serving(Path(folder), rated=self.rated) as server:
                yield from self._measured(server)

    def _measured(self, server: Server) -> Iterator[Figure]:
        honest = _arrived(server)
        idle = median(_quick(honest))
        alone = _second(server)
        with self.crowd(server):
            time.sleep(SETTLED_S)
            beside = median(_quick(honest))
            seconds = [_second(server) for _ in range(SECONDS)]
        wall_s, cpu_s = (max(each) for each in zip(*seconds, strict=True))
        note = f"{alone[0]:.2f} s alone, load {os.getloadavg()[0]:.0f}"
        yield at_most(f"{self.name}: a quick verdict, times idle", beside / idle, "×", 3)
        yield at_most(f"{self.name}: an honest second", wall_s, "s", 6, note)
        yield at_most(f"{self.name}: CPU that we used meanwhile", cpu_s, "s", 6 * CPUS)


def _arrived(server: Server) -> Learner:
    """Somebody who opened the page and submitted once."""
    learner = Learner(server.port)
    learner.arrive()
    learner.accepted()
    return learner


def _quick(learner: Learner) -> list[float]:
    spent = []
    for _ in range(QUICK):
        time.sleep(PAUSE_S)
        spent.append(timed(learner.accepted))
    return spent


def _second(server: Server) -> tuple[float, float]:
    """Until a right program that computes for one is judged, of somebody new.

    In seconds, and in those of CPU that the server and its children used meanwhile: who else is on
    this machine makes the first longer, and not the second.
    """
    learner = _arrived(server)
    began, used_s = time.perf_counter(), processes.cpu_s(server.process.pid)
    if (verdict := learner.submit(SECOND)) != "accepted":
        raise RuntimeError(f"an honest second came to {verdict}")
    used_s = processes.cpu_s(server.process.pid) - used_s
    return time.perf_counter() - began, used_s


def _submitting(sources: list[str], *, cookies: bool) -> Crowd:
    """One learner a source, each submitting again once judged; or each time without a cookie."""

    def crowd(server: Server) -> contextlib.AbstractContextManager[None]:
        path = f"/api/exercises/{SLUG}/submissions"
        bodies = [json.dumps({"source": source}) for source in sources]
        return throng(
            server.port,
            [Client("POST", path, HOME, body, own=cookies, judged=True) for body in bodies],
        )

    return crowd


def _open_runs(server: Server) -> contextlib.AbstractContextManager[None]:
    """A thousand who ask for a run of a tenth of a second, without a cookie and without pause."""
    path, body = f"/api/exercises/{SLUG}/runs", json.dumps({"source": TENTH})
    return throng(server.port, [Client("POST", path, HOME, body)] * OPEN_RUNS)


def _bomb(kind: str) -> str:
    return (PROGRAMS / f"bomb_{kind}.py").read_text()


ROWS = (
    Row("beside-24-loops", _submitting([LOOP] * 24, cookies=False)),
    Row("beside-24-learners", _submitting([LOOP] * 24, cookies=True)),
    Row("beside-8-learners", _submitting([LOOP] * 8, cookies=True)),
    Row("beside-8-bombs", _submitting([_bomb("memory")] * 8, cookies=True)),
    Row("beside-1000-runs", _open_runs, rated=("RUNS", "ADDRESS_RUNS", "ADDRESS_LEARNERS")),
    Row("beside-45-diffs", readers_of_changes, rated=("REQUESTS",)),
    Row("beside-4-reads", readers_of_a_report, rated=("REQUESTS",)),
)
"""The crowds that the second round names; loops of learners run for two seconds when they are met.
"""
