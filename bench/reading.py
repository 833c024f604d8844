"""Others who read: crowds that ask for a page without pause, for the rows of `bench.beside`.

Each visitor is held to the usual rate of requests, as on any server.

The pages are the costliest that one learner can make of little: what changed between two long
tries, and reports as long as a report may be.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from bench.serving import ELSEWHERE, SLUG, Learner, Server
from bench.throng import Client, throng

DIFFS, READS = 45, 4
HEAD = "import numpy as np\ndef multi_head_attention(Q, K, V, num_heads):\n"
TRIES = tuple("# x\n" * odd + "# y\n# x\n" * 799 + HEAD + "    return Q\n" for odd in (0, 1))
LARGE = (
    HEAD + "    print('\\x07' * 60_000)\n    return tuple((None,) * 4_000 for _ in range(500))\n"
)


@contextlib.contextmanager
def readers_of_changes(server: Server) -> Iterator[None]:
    """So many who read what changed between two long tries."""
    with _readers(server.port, *_changes(server), DIFFS):
        yield


@contextlib.contextmanager
def readers_of_a_report(server: Server) -> Iterator[None]:
    """So many who read a report as long as one may be."""
    with _readers(server.port, *_report(server), READS):
        yield


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


def _readers(
    port: int, path: str, cookie: str, count: int
) -> contextlib.AbstractContextManager[None]:
    """So many who ask for a page again as soon as it came."""
    one = Client("GET", path, ELSEWHERE, cookie=cookie, lasting=False)
    return throng(port, [one] * count)
