"""Where the time of one submission goes, from its first byte at the server to its last.

The server runs in this process, so that the steps can be watched; its learner is another process.
Each step is told from the moment the one before it was over: the rows add up to the whole.
"""

from __future__ import annotations

import functools
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import uvicorn

from app import logs
from app.cli.serve import _settle
from app.config import Settings
from app.jobs.embedded import EmbeddedLine
from app.main import build, create_app
from app.sandbox.conversation import Conversation
from app.sandbox.order_run import OrderRun
from app.service.grading import Grading
from app.service.submissions import Submissions
from app.storage.submissions import SqlSubmissions
from app.web.api import submissions as answers
from app.web.connection import BoundedHttp, config
from bench.figures import Figure, median
from bench.serving import ROOT, Learner, make_known
from tests.known import BY_THE_JAIL

TIMES = 150
PAUSE_S = 0.05
SOURCE = (Path(__file__).parents[1] / "exercises/multi-head-attention/reference.py").read_text()


@dataclass(frozen=True)
class Step:
    """A moment on the way: the begin or the end of a call, the first such of a submission."""

    name: str
    owner: Any
    call: str
    edge: Literal["begin", "end"]


STEPS = (
    Step("", BoundedHttp, "data_received", "begin"),
    Step("HTTP, wall, limits, body; to a thread", Submissions, "submit", "begin"),
    Step("who, what, how many: the door", SqlSubmissions, "add", "begin"),
    Step("the submission is stored", SqlSubmissions, "add", "end"),
    Step("through the line, to its worker", EmbeddedLine, "_try", "begin"),
    Step("the order, a spare child", Conversation, "listen", "begin"),
    Step("the child at work, its answers read", OrderRun, "_so_far", "end"),
    Step("judged, and told as JSON", Grading, "record", "begin"),
    Step("the report is recorded", Grading, "record", "end"),
    Step("the disk has the submission; to the loop", answers, "_as_answer", "begin"),
    Step("the answer as bytes", answers, "answer", "end"),
)


def figures() -> Iterator[Figure]:
    """Each step's median, and what is left of the learner's wait."""
    make_known()
    marks: list[tuple[int, float]] = []
    for number, step in enumerate(STEPS):
        _watch(step, lambda number=number: marks.append((number, time.perf_counter())))  # type: ignore[misc]
    with tempfile.TemporaryDirectory(prefix="mlgrind-bench-") as folder, _serving(folder) as port:
        asked = subprocess.run(
            (sys.executable, "-m", "bench.journey", str(port)),
            cwd=ROOT, check=True, stdout=subprocess.PIPE,
        )  # fmt: skip
    waits: list[float] = json.loads(asked.stdout)
    journeys = _journeys(marks)[-len(waits) :]
    told = 0.0
    for number, step in enumerate(STEPS[1:], 1):
        spent = median([times[number] - times[number - 1] for times in journeys])
        told += spent
        yield Figure(f"{number}. {step.name}", spent * 1e3, "ms")
    yield Figure(
        "what is left: sockets, the learner's own process", (median(waits) - told) * 1e3, "ms"
    )
    yield Figure("the learner's wait, median", median(waits) * 1e3, "ms")


def _watch(step: Step, mark: Callable[[], None]) -> None:
    """Have a call leave a mark; nothing else of it changes."""
    real = getattr(step.owner, step.call)

    @functools.wraps(real)
    def watched(*arguments: Any, **named: Any) -> Any:
        if step.edge == "begin":
            mark()
            return real(*arguments, **named)
        try:
            return real(*arguments, **named)
        finally:
            mark()

    setattr(step.owner, step.call, watched)


def _journeys(marks: list[tuple[int, float]]) -> list[list[float]]:
    """The whole journeys: of each step the first mark behind the one before."""
    found: list[list[float]] = []
    for number, at in sorted(marks, key=lambda mark: mark[1]):
        if number == 0:
            found.append([at])
        elif found and number == len(found[-1]):
            found[-1].append(at)
    return [times for times in found if len(times) == len(STEPS)]


@contextmanager
def _serving(folder: str) -> Iterator[int]:
    os.environ |= {f"MLGRIND_LIMIT_{name}": "1000000" for name in ("SUBMISSIONS", "REQUESTS")}
    logs.configure("json", Path(os.devnull).open("w"))
    settings = Settings(data=Path(folder), cache=BY_THE_JAIL, triples=False)
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(config(create_app(build(settings))))
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.01)
    _settle()
    try:
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


def main() -> None:
    """The learner: submit again and again, with a pause, and print what each took."""
    learner, spent = Learner(int(sys.argv[1])), []
    for number in range(10 + TIMES):
        time.sleep(PAUSE_S)
        began = time.perf_counter()
        if learner.submit(f"{SOURCE}\n# {number}") != "accepted":
            raise RuntimeError("the reference solution is not accepted")
        spent.append(time.perf_counter() - began)
    print(json.dumps(spent[10:]))


if __name__ == "__main__":
    main()
