"""A server as a host runs it, in a process of its own, and what a program asks of it."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MLGRIND = Path(sys.executable).with_name("mlgrind")
PATIENCE_S = 300
WAIT_S = 20
"""The most that one request may wait for a report."""

ROOMY = {
    f"MLGRIND_LIMIT_{name}": "100000"
    for name in (
        *("SUBMISSIONS", "ADDRESS_SUBMISSIONS", "ADDRESS_LEARNERS", "OUTSTANDING"),
        *("REQUESTS", "ADDRESS_REQUESTS"),
    )
}


@dataclass(frozen=True)
class Server:
    """Where it listens, its process, and the file its log goes to."""

    port: int
    pid: int
    log: Path

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """The status and the JSON (or text) of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        try:
            data = None if body is None else json.dumps(body)
            headers = {} if body is None else {"Content-Type": "application/json"}
            connection.request(method, path, data, headers)
            answer = connection.getresponse()
            text = answer.read().decode()
            is_json = "json" in answer.headers["Content-Type"]
            return answer.status, json.loads(text) if is_json else text
        finally:
            connection.close()

    def submit(self, slug: str, source: bytes) -> tuple[int, dict[str, Any]]:
        """Submit as somebody new; 201 with the report, or 202 with where it will be."""
        text = source.decode("utf-8", "surrogatepass")
        return self.ask("POST", f"/api/exercises/{slug}/submissions", {"source": text})

    def report(self, status: int, told: dict[str, Any]) -> dict[str, Any]:
        """The report of a submission, awaited where it is still in line."""
        asked = 0
        while status == 202:
            assert asked < PATIENCE_S / WAIT_S, told
            asked += 1
            query = f"read_token={told['read_token']}&wait={WAIT_S}"
            status, told = self.ask("GET", f"/api/submissions/{told['submission']}?{query}")
        assert status in (200, 201), told
        return told

    def keeper(self) -> int:
        """The process that the sandbox started; the keeper, or what stands before it."""
        return self._keepers()[0]

    def _keepers(self) -> list[int]:
        return [pid for pid in children(self.pid) if b"jail/__main__.py" in command(pid)]

    def jailed(self) -> list[int]:
        """The children of the keeper; none where it is not started yet."""
        below = children(first) if (first := next(iter(self._keepers()), 0)) else []
        inside = len(below) == 1 and children(below[0])
        return children(below[0]) if inside else below

    def logged(self, event: str) -> list[dict[str, Any]]:
        """The events of a name in the log."""
        lines = [line for line in self.log.read_text().splitlines() if line.startswith("{")]
        return [found for line in lines if (found := json.loads(line))["event"] == event]


def children(pid: int) -> list[int]:
    """The processes that a process started and that are still there, of all its threads."""
    tasks = Path(f"/proc/{pid}/task")
    try:
        texts = [(task / "children").read_text(encoding="ascii") for task in tasks.iterdir()]
    except OSError:
        return []
    return [int(word) for text in texts for word in text.split()]


def command(pid: int) -> bytes:
    """What a process was started as; nothing where it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@contextmanager
def serving(folder: Path, **settings: str) -> Iterator[Server]:
    """A server with its data in `folder`, until it is told to stop; it must end well."""
    log = folder / "log"
    environment = {**os.environ, **ROOMY, "MLGRIND_DATA": str(folder / "data"), **settings}
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [MLGRIND, "serve", "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=errors,
            env=environment,
            text=True,
        )
    try:
        assert process.stdout is not None
        first = process.stdout.readline().strip()
        assert first, log.read_text()
        while not process.stdout.readline().startswith("Ctrl-C"):
            assert process.poll() is None, log.read_text()
        yield Server(int(first.rsplit(":", 1)[1]), process.pid, log)
        process.terminate()
        assert process.wait(PATIENCE_S) == 0, log.read_text()
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
