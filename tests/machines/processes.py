"""Real processes of one installation on this machine, each under a supervisor that starts it again.

All share a database, a secret and the cache of expectations; each has a data directory of its own,
as on a machine of its own. What they print goes into files there.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from tests.known import BY_THE_JAIL
from tests.ports import free_port

MLGRIND = str(Path(sys.executable).with_name("mlgrind"))
PATIENCE_S = 300.0
AGAIN_S = 0.3


@dataclass
class Supervised:
    """One process, started again whenever it ends, until it is let go."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    folder: Path
    port: int
    deaths: int = 0
    _wanted: bool = True
    _process: subprocess.Popen[bytes] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _thread: threading.Thread | None = None

    def start(self) -> Supervised:
        """Start it, and watch over it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self._wanted = True
        self._begin()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    @property
    def pid(self) -> int:
        """Of the process that runs now."""
        assert self._process is not None
        return self._process.pid

    def kill(self, how: int = signal.SIGKILL) -> None:
        """End the process; its supervisor starts another."""
        with self._lock, suppress(ProcessLookupError):
            assert self._process is not None
            self._process.send_signal(how)

    def stop(self, how: int = signal.SIGKILL) -> None:
        """End it for good, until `start`."""
        self._wanted = False
        self.kill(how)
        if self._thread is not None:
            self._thread.join(PATIENCE_S)

    def ready(self) -> bool:
        """Whether it says that it is."""
        return asked(self.port, "/readyz")[0] == 200

    def wait_ready(self, ready: bool = True) -> None:
        """Until it says so."""
        wait_for(lambda: self.ready() is ready, f"{self.name} ready: {ready}")

    def printed(self) -> str:
        """Everything it has printed."""
        return (self.folder / "log").read_text()

    def _begin(self) -> None:
        with self._lock, (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self.command,
                env={**os.environ, **self.environment, "MLGRIND_DATA": str(self.folder)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def _watch(self) -> None:
        while self._process is not None:
            self._process.wait()
            if not self._wanted:
                return
            self.deaths += 1
            time.sleep(AGAIN_S)
            if self._wanted:
                self._begin()


@dataclass
class Machines:
    """The processes of one database."""

    url: str
    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    all: list[Supervised] = field(default_factory=list)

    def web(self, command: tuple[str, ...] = (), /, **environment: str) -> Supervised:
        """One more web process, the real one unless another command is given."""
        return self._one("web", command or (MLGRIND, "serve"), environment)

    def dispatcher(self, command: tuple[str, ...] = (), /, **environment: str) -> Supervised:
        """One more dispatcher, the real one unless another command is given."""
        return self._one("dispatcher", command or (MLGRIND, "dispatcher"), environment)

    def _one(
        self, kind: str, command: tuple[str, ...], environment: Mapping[str, str]
    ) -> Supervised:
        name, port = f"{kind}-{len(self.all)}", free_port()
        shared = {
            "MLGRIND_DATABASE": self.url,
            "MLGRIND_SECRET_FILE": str(self.folder / "secret"),
            "MLGRIND_CACHE": str(BY_THE_JAIL),
            "MLGRIND_TRIPLES": "0",
            "MLGRIND_LIMIT_ADDRESS_LEARNERS": "1000000",
            "MLGRIND_LIMIT_ADDRESS_SUBMISSIONS": "1000000",
            "MLGRIND_LIMIT_ADDRESS_REQUESTS": "1000000",
            "MLGRIND_LIMIT_ADDRESS_WRITES": "1000000",
        }
        made = Supervised(
            name,
            (*command, "--port", str(port)),
            {**shared, **self.environment, **environment},
            self.folder / name,
            port,
        )
        self.all.append(made)
        return made.start()

    def close(self) -> None:
        """End them all."""
        for one in self.all:
            one._wanted = False  # none is started again while the others end
            one.kill()
        for one in self.all:
            one.stop()


@contextmanager
def machines(url: str, folder: Path, **environment: str) -> Iterator[Machines]:
    """Processes on a database, gone afterwards."""
    made = Machines(url, folder, environment)
    try:
        yield made
    finally:
        made.close()


def asked(port: int, path: str, headers: Mapping[str, str] | None = None) -> tuple[int, str]:
    """The status and body of a GET, (0, "") where there is no answer."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", path, headers=headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    except (OSError, HTTPException):
        return 0, ""
    finally:
        connection.close()


def metric(port: int, name: str) -> float:
    """The sum of a metric's samples at /metrics."""
    _, text = asked(port, "/metrics")
    lines = [line for line in text.splitlines() if line.startswith((f"{name} ", f"{name}{{"))]
    return sum(float(line.rsplit(" ", 1)[1]) for line in lines)


def wait_for(there: object, what: str, seconds: float = PATIENCE_S) -> None:
    """Until a condition holds; it is asked ten times a second."""
    assert callable(there)
    until = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < until, f"not within {seconds} s: {what}"
        time.sleep(0.1)


def problem(body: bytes) -> dict[str, object]:
    """A refusal's fields."""
    found = json.loads(body)
    assert isinstance(found, dict)
    return found
