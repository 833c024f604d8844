"""What lies between a learner and the sandbox, in ratios of one run: rows that may be run alone."""

from __future__ import annotations

import gzip
import json
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

from app.catalog import load
from app.expectations import compute
from app.grading import judge
from app.model import Lane
from app.report.shared_values import spell
from app.sandbox.pool import LocalSandbox
from app.storage.report_bodies import pack
from bench import processes
from bench.figures import Figure, at_least, at_most, median, timed
from bench.jail import private_mib
from bench.serving import REFERENCE, ROOT, SLUG, Learner, Server, serving
from bench.web import fresh_python, spaced

ROUNDS = 12
PAGES, LIVE_RUNS = 300, 60
MEMORY_AFTER = 4_000


def latency() -> Iterator[Figure]:
    """One learner, a new visitor and the bare sandbox in turns, beside a Python that starts."""
    with tempfile.TemporaryDirectory(prefix="mlgrind-bench-") as folder:
        with serving(Path(folder)) as server:
            yield from _latency(server)


def _latency(server: Server) -> Iterator[Figure]:
    exercise = load(ROOT / "exercises" / SLUG)
    sandbox = LocalSandbox()
    try:
        known = compute(exercise, sandbox)
        source = exercise.files["reference.py"]
        order = judge.order(exercise, known, source, known.tests, Lane.FAST)
        learner = Learner(server.port)
        for _ in range(10):
            learner.accepted()
        fresh: list[float] = []
        bare: list[float] = []
        web: list[float] = []
        new: list[float] = []
        for _ in range(ROUNDS):
            fresh.append(timed(fresh_python))
            for _ in range(8):
                bare += spaced(lambda: sandbox.run(order), 1)
                web += spaced(learner.accepted, 1)
                new += spaced(lambda: Learner(server.port).accepted(), 1)
    finally:
        sandbox.close()
    python, alone, http = median(fresh), median(bare), median(web)
    yield Figure("a fresh Python that imports NumPy, median", python * 1e3, "ms")
    yield Figure("sandbox alone, median", alone * 1e3, "ms", note=f"least {min(bare) * 1e3:.1f}")
    yield Figure("over HTTP, median", http * 1e3, "ms", note=f"least {min(web) * 1e3:.1f}")
    yield at_most("(over HTTP − sandbox alone) / fresh Python", (http - alone) / python, "×", 0.024)
    yield at_most("new visitor / known visitor over HTTP", median(new) / http, "×", 1.15)
    yield at_least("fresh Python / over HTTP", python / http, "×", 13)
    yield at_most("sandbox alone / fresh Python", alone / python, "×", 0.042)


def pages() -> Iterator[Figure]:
    """What a page costs the server, and how long a run takes while one types."""
    with tempfile.TemporaryDirectory(prefix="mlgrind-bench-") as folder:
        with serving(Path(folder)) as server:
            learner = Learner(server.port)
            draft = {"source": "# mine", "device": "bench"}
            learner.ask("PUT", f"/api/exercises/{SLUG}/draft", draft)
            for _ in range(20):
                _page(learner)
            began_s = processes.cpu_s(server.process.pid)
            waits = [timed(lambda: _page(learner)) for _ in range(PAGES)]
            spent_s = processes.cpu_s(server.process.pid) - began_s
            note = f"{median(waits) * 1e3:.1f} ms until it is there"
            spent_ms = spent_s / PAGES * 1e3
            yield at_most("an exercise's page, CPU of the server", spent_ms, "ms", 3, note)
            body = {"source": REFERENCE, "live": True, "html": True}
            path = f"/api/exercises/{SLUG}/runs"
            live = spaced(lambda: learner.ask("POST", path, body), LIVE_RUNS)
    yield at_most("a live run with its trace, median", median(live) * 1e3, "ms", 12)


def _page(learner: Learner) -> None:
    """The page as a browser fetches it: compressed."""
    headers = {"Cookie": learner.cookie, "Accept-Encoding": "gzip"}
    learner.connection.request("GET", f"/exercises/{SLUG}", headers=headers)
    answer = learner.connection.getresponse()
    answer.read()
    if answer.status != 200:
        raise RuntimeError(f"the page came to {answer.status}")


def kept() -> Iterator[Figure]:
    """What a submission keeps beside its source, and what the page is sent of one."""
    golden = ROOT / "tests" / "golden"
    sizes = {
        path.parent.name: len(pack(json.loads(path.read_text())).text)
        for path in golden.glob("*/report.json")
    }
    whole = json.loads((golden / "accepted" / "report.json").read_text())
    wrong = [size for name, size in sizes.items() if name != "accepted"]
    note = f"{len(spell(whole)):,} as it is told"
    yield at_most("bytes kept, accepted", float(sizes["accepted"]), "B", 2_000, note)
    yield at_most("bytes kept, median of the wrong cases", median(wrong), "B", 8_000)
    with tempfile.TemporaryDirectory(prefix="mlgrind-bench-") as folder:
        with serving(Path(folder)) as server:
            sent = _sent(Learner(server.port))
    yield at_most("bytes sent to the page, accepted, compressed", float(len(sent)), "B", 2_500)


def _sent(learner: Learner) -> bytes:
    """The body of an answer to a page's accepted submission, as it crosses the wire."""
    body = json.dumps({"source": REFERENCE, "html": True, "apart": True})
    kind = {"Content-Type": "application/json", "Accept-Encoding": "gzip"}
    learner.connection.request("POST", f"/api/exercises/{SLUG}/submissions", body, kind)
    sent = learner.connection.getresponse().read()
    report = json.loads(gzip.decompress(sent))
    if report.get("verdict") != "accepted":
        raise RuntimeError(f"the reference solution came to {report}")
    return sent


def memory() -> Iterator[Figure]:
    """The server's own memory after thousands of submissions."""
    with tempfile.TemporaryDirectory(prefix="mlgrind-bench-") as folder:
        with serving(Path(folder)) as server:
            learners = [Learner(server.port) for _ in range(4)]

            def submit(learner: Learner, first: int) -> None:
                for number in range(first, MEMORY_AFTER, len(learners)):
                    learner.submit(f"{REFERENCE}\n# {number}")

            threads = [
                threading.Thread(target=submit, args=(one, n)) for n, one in enumerate(learners)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            used = private_mib(server.process.pid)
    yield at_most(f"server's memory after {MEMORY_AFTER:,} submissions", used, "MiB", 120)
