"""A server as a host starts it, on a free port and data of its own, and a client that submits."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from app.catalog import load
from app.sandbox.pool import LocalSandbox
from tests.known import BY_THE_JAIL, expected

ROOT = Path(__file__).parents[1]
SLUG = "multi-head-attention"
REFERENCE = (ROOT / "exercises" / SLUG / "reference.py").read_text()
MLGRIND = Path(sys.executable).with_name("mlgrind")
SERVE = (str(MLGRIND), "serve", "--port", "0")
HERE = "127.0.0.1"
HOME, ELSEWHERE = "192.0.2.1", "192.0.2.66"
"""Two addresses that are in no use (RFC 5737): an honest learner's and the attackers'."""

MANY = "1000000"
LIMITS = (
    *("OUTSTANDING", "SUBMISSIONS", "RUNS", "WRITES", "REQUESTS", "LINE"),
    *("ADDRESS_SUBMISSIONS", "ADDRESS_RUNS", "ADDRESS_WRITES", "ADDRESS_LEARNERS"),
    "ADDRESS_REQUESTS",
)


@dataclass(frozen=True)
class Server:
    """A running server: its process, and where it listens."""

    process: subprocess.Popen[str]
    port: int


@contextlib.contextmanager
def serving(
    data: Path,
    command: tuple[str, ...] = SERVE,
    rated: tuple[str, ...] = (),
    cache: Path = BY_THE_JAIL,
    **settings: str,
) -> Iterator[Server]:
    """A server over a data directory, ready to serve; none is held to a rate but to `rated`.

    `cache` holds what is expected of exercises; `settings` are more of its environment.
    """
    make_known()
    limits = {f"MLGRIND_LIMIT_{name}": MANY for name in LIMITS if name not in rated}
    places = {"MLGRIND_DATA": str(data), "MLGRIND_CACHE": str(cache)}
    places |= {"MLGRIND_TRUSTED_PROXIES": HERE, "MLGRIND_TRIPLES": "0"} | settings
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | limits | places,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    try:
        yield Server(process, _port(process))
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        if process.stdout is not None:
            process.stdout.close()
        process.wait()


def _port(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None  # noqa: S101 - it was asked for
    for line in process.stdout:
        if line.startswith("ML Grind is at "):
            return int(line.strip().rstrip("/").rpartition(":")[2])
    raise RuntimeError(f"the server ended with {process.wait()}")


@functools.cache
def make_known() -> None:
    """Compute what every shipped exercise expects, where no earlier run has; takes minutes once."""
    sandbox = LocalSandbox()
    try:
        for folder in sorted((ROOT / "exercises").glob("*/exercise.toml")):
            expected(load(folder.parent), sandbox)
    finally:
        sandbox.close()


@dataclass
class Learner:
    """A browser's worth of state: one connection, one cookie, as from an address."""

    port: int
    address: str = HOME
    cookie: str = ""
    connection: HTTPConnection = field(init=False)

    def __post_init__(self) -> None:
        self.connection = HTTPConnection(HERE, self.port, timeout=120)

    def ask(self, method: str, path: str, content: object = None) -> Any:
        """The JSON answer to a request; raises RuntimeError for an error status."""
        headers = {"Content-Type": "application/json", "X-Forwarded-For": self.address}
        if self.cookie:
            headers["Cookie"] = self.cookie
        body = None if content is None else json.dumps(content)
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        data = answer.read()
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status} {data[:300]!r}")
        self.cookie = (answer.getheader("Set-Cookie") or self.cookie).partition(";")[0]
        return json.loads(data)

    def arrive(self) -> None:
        """Save a draft, as a page does: who brings its cookie back has a turn of their own."""
        self.ask("PUT", f"/api/exercises/{SLUG}/draft", {"source": "# mine", "device": "bench"})

    def submit(self, source: str) -> str:
        """The verdict on a submission, waited for."""
        return str(self.report(source)["verdict"])

    def report(self, source: str) -> Any:
        """The report of a submission, waited for."""
        report = self.ask("POST", f"/api/exercises/{SLUG}/submissions", {"source": source})
        while "verdict" not in report:
            report = self.ask("GET", f"/api/submissions/{report['submission']}?wait=20")
        return report

    def accepted(self) -> None:
        """Submit the reference solution; raises RuntimeError where it is not accepted."""
        if (verdict := self.submit(REFERENCE)) != "accepted":
            raise RuntimeError(f"the reference solution came to {verdict}")


@contextlib.contextmanager
def attackers(port: int, sources: list[str]) -> Iterator[None]:
    """One learner a source, each submitting it again as soon as it was judged."""
    over = threading.Event()

    def attack(source: str) -> None:
        learner = Learner(port, ELSEWHERE)
        while not over.is_set():
            learner.submit(source)

    threads = [threading.Thread(target=attack, args=(source,)) for source in sources]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()
