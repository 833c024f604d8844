"""Beside others who read: how long an honest verdict takes while pages are asked for without pause.

Each visitor is held to the usual rate of requests, as on any server.

The pages are the costliest that one learner can make of little: what changed between two long
tries, and reports as long as a report may be.
"""

from __future__ import annotations

import contextlib
import tempfile
import threading
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

from bench.figures import Figure, at_most, median
from bench.serving import ELSEWHERE, HERE, SLUG, Learner, Server, serving, until_known
from bench.web import spaced

DIFFS, READS = 45, 4
HEAD = "import numpy as np\ndef multi_head_attention(Q, K, V, num_heads):\n"
TRIES = tuple("# x\n" * odd + "# y\n# x\n" * 799 + HEAD + "    return Q\n" for odd in (0, 1))
LARGE = (
    HEAD + "    print('\\x07' * 60_000)\n    return tuple((None,) * 4_000 for _ in range(500))\n"
)


def figures() -> Iterator[Figure]:
    """An honest verdict alone, beside 45 readers of changes, and beside 4 of large reports."""
    with tempfile.TemporaryDirectory(prefix="mlgrind-bench-") as folder:
        data = Path(folder)
        with serving(data, rated=("REQUESTS",)) as server:
            until_known(data)
            honest = Learner(server.port)
            honest.accepted()
            idle = median(spaced(honest.accepted, 20))
            yield _beside(server, honest, idle, "45 readers of changes", _changes(server), DIFFS)
            yield _beside(
                server, honest, idle, "4 readers of a large report", _report(server), READS
            )


def _changes(server: Server) -> tuple[str, str]:
    """The address of what changed between two tries, and the cookie that may read it."""
    theirs = Learner(server.port, ELSEWHERE)
    pair = [_sent(theirs, source) for source in TRIES]
    return f"/exercises/{SLUG}/changes/{'/'.join(pair)}", theirs.cookie


def _report(server: Server) -> tuple[str, str]:
    theirs = Learner(server.port, ELSEWHERE)
    return f"/api/submissions/{_sent(theirs, LARGE)}?html=true", theirs.cookie


def _sent(learner: Learner, source: str) -> str:
    path = f"/api/exercises/{SLUG}/submissions"
    return str(learner.ask("POST", path, {"source": source})["submission"])


def _beside(
    server: Server, honest: Learner, idle: float, whom: str, what: tuple[str, str], count: int
) -> Figure:
    with _readers(server.port, *what, count):
        waited = median(spaced(honest.accepted, 20))
    return at_most(f"times idle, beside {whom}", waited / idle, "×", 3)


@contextlib.contextmanager
def _readers(port: int, path: str, cookie: str, count: int) -> Iterator[None]:
    """So many who ask for a page again as soon as it came."""
    over = threading.Event()
    headers = {"Cookie": cookie, "X-Forwarded-For": ELSEWHERE}

    def read() -> None:
        while not over.is_set():
            connection = HTTPConnection(HERE, port, timeout=120)
            connection.request("GET", path, headers=headers)
            connection.getresponse().read()
            connection.close()

    threads = [threading.Thread(target=read) for _ in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()
