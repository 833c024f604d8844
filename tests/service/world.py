"""A service on a real line, with a sandbox that does as it is told."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from app.admission import Allowance
from app.catalog import Catalog
from app.jobs.embedded import EmbeddedLine
from app.model import Execution, Exercise, Expectations, Lane, Layer, Order, Ran, Slug
from app.ports import Judge, Sandbox, SandboxFault, Store
from app.ports.campuses import Campus
from app.service import Parts, Service
from app.service.expecting import Expecting
from app.storage.store import SqlStore
from tests.databases import sqlite
from tests.fakes import FakeSandbox
from tests.known import expected

PATIENCE_S = 300
"""How long a test waits for what must come: a machine in use is slow, and that is no failure."""

SOFTMAX = Slug("stable-softmax")
EXERCISES = Path(__file__).parents[2] / "exercises"
REFERENCE = (EXERCISES / SOFTMAX / "reference.py").read_bytes()
WRONG = b"import numpy as np\ndef softmax(x, axis=-1):\n    return np.ones(np.shape(x))\n"
LOOP = b"# loops\n" + WRONG


_known: dict[str, Expectations] = {}


def expectations(exercise: Exercise) -> Expectations:
    """Those of an exercise, computed once a test run."""
    if exercise.digest not in _known:
        _known[exercise.digest] = expected(exercise, FakeSandbox())
    return _known[exercise.digest]


class ScriptedSandbox(FakeSandbox):
    """Executes, but for sources that begin with a comment that says what to do instead.

    `# loops`: leaves the fast lane, then runs into the time limit. `# faults`: our own fault as
    often as `faults` says. `# waits`: only when `let` is set; `begun` counts those that arrived.
    """

    def __init__(self) -> None:
        self.let = threading.Event()
        self.begun = threading.Semaphore(0)
        self.faults = 0
        self.lanes: list[Lane] = []
        self.orders: list[Order] = []
        self.holds = True

    def layers(self) -> tuple[Layer, ...]:
        return (Layer("seccomp", required=True, present=self.holds),)

    def run(self, order: Order) -> Ran:
        text = order.sources[-1].text
        self.lanes.append(order.lane)
        self.orders.append(order)
        if text.startswith(b"# waits"):
            self.begun.release()
            assert self.let.wait(PATIENCE_S)
        if text.startswith(b"# faults") and self.faults > 0:
            self.faults -= 1
            raise SandboxFault("the keeper is gone")
        if text.startswith(b"# loops"):
            if order.lane is Lane.FAST:
                return Ran(left_fast_lane=True)
            return Ran(executions=tuple(Execution("time_limit") for _ in order.calls))
        return super().run(order)


@dataclass
class World:
    """Everything a service stands on, within a test's reach; time moves only by `wait`.

    Without a `store` of its own each service opens the database in `data`.
    """

    data: Path
    allowance: Allowance = Allowance()
    compute: Callable[[Exercise], Expectations] = expectations
    folders: tuple[Path, ...] = (EXERCISES,)
    free_bytes: int = 10**12
    capacity: int = 1_000
    store: Store | None = None
    campus: Callable[[], Campus] | None = None
    judge: Judge | None = None
    chance: float = 0.0
    sandbox: ScriptedSandbox = field(default_factory=ScriptedSandbox)
    house: Sandbox | None = None
    now: datetime = datetime(2026, 11, 29, 12, tzinfo=UTC)
    opened: list[Service] = field(default_factory=list)

    def service(self, *, started: bool = True) -> Service:
        """A service on this world's database, as a server's start would make it."""
        store = self.store or SqlStore(sqlite(self.data / "mlgrind.db"))
        made = Service(
            Parts(
                catalog=Catalog(self.folders),
                expecting=Expecting(self.compute),
                store=store,
                school=store.school if isinstance(store, SqlStore) else None,
                line=EmbeddedLine(capacity=self.capacity),
                sandbox=self.sandbox,
                house=self.house or self.sandbox,
                campus=self.campus,
                judge=self.judge,
                secret=b"s" * 32,
                data=self.data,
                allowance=self.allowance,
                now=lambda: self.now,
                steady=lambda: self.now.timestamp(),
                chance=lambda: self.chance,
                free_bytes=lambda _: self.free_bytes,
            )
        )
        self.opened.append(made)
        if started:
            made.start()
        return made

    def wait(self, **duration: float) -> None:
        """Let time pass."""
        self.now += timedelta(**duration)

    def close(self) -> None:
        """End what is still open."""
        self.sandbox.let.set()
        for service in self.opened:
            service.close()
