"""Five hundred learners at once, who think between two submissions."""

from __future__ import annotations

import random
import tempfile
import threading
import time
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path

from bench.figures import Figure, at_most, median, percentile
from bench.serving import REFERENCE, Learner, Server, serving

CROWD, THINK_S, CROWD_S = 500, 5.0, 60.0
LATE_S = 30.0
ARRIVING_S = 15.0
"""They open the page over so long, as a class does, before the first of them submits."""


def crowd() -> Iterator[Figure]:
    """500 learners who think 5 s between submissions, for a minute, from threads of this process.

    The generator shares the machine: it says how late it was itself.
    """
    with tempfile.TemporaryDirectory(prefix="mlgrind-bench-") as folder:
        with serving(Path(folder)) as server:
            spent, late, errors = _crowd(server)
    yield Figure("500 learners thinking 5 s: verdicts", float(len(spent)), "")
    yield Figure("their wait, median", median(spent) * 1e3, "ms")
    yield at_most("their wait, p99", percentile(spent, 0.99) * 1e3, "ms", 200)
    yield at_most("their errors of any kind", float(errors), "", 0)
    yield Figure("the generator's own lag, p99", percentile(late, 0.99) * 1e3, "ms")


def _crowd(server: Server) -> tuple[list[float], list[float], int]:
    begun = time.monotonic()
    until = begun + ARRIVING_S + CROWD_S
    spent: list[float] = []
    late: list[float] = []
    errors: list[str] = []

    def learn(number: int) -> None:
        chance = random.Random(number)
        time.sleep(chance.uniform(0, ARRIVING_S))
        learner = Learner(server.port)
        learner.arrive()
        due = begun + ARRIVING_S + chance.uniform(0, THINK_S)
        while due < until:
            time.sleep(max(0.0, due - time.monotonic()))
            late.append(time.monotonic() - due)
            try:
                began = time.monotonic()
                learner.submit(f"{REFERENCE}\n# {number}")
                spent.append(time.monotonic() - began)
            except (OSError, HTTPException, RuntimeError) as error:
                errors.append(str(error))
                learner = Learner(server.port)
            due = time.monotonic() + chance.uniform(0.5, 1.5) * THINK_S

    threads = [threading.Thread(target=learn, args=(n,)) for n in range(CROWD)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(ARRIVING_S + CROWD_S + LATE_S)
    return spent, late, len(errors)
