"""Runners as processes of their own, on ports of this machine: started, killed, started again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from app.model import Call, Lane, Limits, Order, Source, Value
from app.sandbox.fleet import Fleet
from app.sandbox.runner_addresses import named
from tests.ports import free_port

ROOT = Path(__file__).parents[2]
PATIENCE_S = 120
TOKEN = "token-of-the-tests-own-runners"
COMMAND = ("-c", "import sys; from app.cli import main; sys.argv[0] = 'mlgrind'; main()", "runner")


@dataclass
class Machine:
    """A runner: its port stays the same over restarts."""

    folder: Path
    fast: int = 2
    command: Sequence[str] = COMMAND
    prefix: Sequence[str] = ()
    host: str = "127.0.0.1"
    port: int = field(default_factory=free_port)
    more: Mapping[str, str] = field(default_factory=dict)
    process: subprocess.Popen[str] | None = None
    log: IO[str] | None = None

    def start(self) -> Machine:
        """Start it, and wait until it says where it is."""
        self.folder.mkdir(parents=True, exist_ok=True)
        token = self.folder / "token"
        token.write_text(TOKEN)
        token.chmod(0o600)
        environment = {
            **os.environ,
            "MLGRIND_RUNNER_TOKEN_FILE": str(token),
            "MLGRIND_RUNNER_FAST": str(self.fast),
            "MLGRIND_LOG_FORMAT": "json",
            **self.more,
        }
        self.log = (self.folder / "log").open("a")
        where = ["--host", self.host, "--port", str(self.port)]
        self.process = subprocess.Popen(
            [*self.prefix, sys.executable, *self.command, *where],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        assert said.startswith("Runner at "), (said, (self.folder / "log").read_text())
        return self

    @property
    def name(self) -> str:
        """What MLGRIND_RUNNERS calls it."""
        return f"{self.host}:{self.port}"

    def kill(self) -> None:
        """SIGKILL, as a machine that loses its power."""
        assert self.process is not None
        self.process.kill()
        self.stop()

    def stop(self) -> None:
        """End it, if it runs."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(PATIENCE_S)
        if self.log is not None:
            self.log.close()
        if self.process is not None and self.process.stdout is not None:
            self.process.stdout.close()

    def events(self) -> str:
        """What it has logged."""
        return (self.folder / "log").read_text()


@contextmanager
def fleet_of(*machines: Machine) -> Iterator[Fleet]:
    """What asks these runners."""
    made = Fleet([named(machine.name, {"": TOKEN}) for machine in machines])
    try:
        yield made
    finally:
        made.close()


def order(text: str, *arguments: Value, lane: Lane = Lane.FAST, **limits: float) -> Order:
    """One call of `f`."""
    sources = (Source("solution.py", text.encode()),)
    return Order(sources, (Call("f", arguments),), Limits(**limits), lane)  # type: ignore[arg-type]
