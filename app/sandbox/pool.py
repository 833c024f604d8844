"""The sandbox on this machine: a keeper, kept alive, and its children, shared by all threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

import structlog

from app import metrics
from app.model import (
    Call,
    Formula,
    FunctionInfo,
    Lane,
    Layer,
    Limits,
    Mutant,
    Order,
    Problem,
    Ran,
    Source,
    Typeset,
)
from app.ports import KIND, Kind, SandboxFault
from app.sandbox import decode_reports, layers, self_test, typesetting
from app.sandbox.child_process import Child, KeeperGone
from app.sandbox.keeper import ALL_LAYERS, DEFAULT_LIMITS, Keeper, Layers
from app.sandbox.order_run import OrderRun
from app.sandbox.watch import PATIENCE

T = TypeVar("T")

log = structlog.get_logger()

SPARES = 3
MOST_KEEPERS = 3
MUTANT_LIMITS = Limits(cpu_s=10.0, budget_cpu_s=10.0, result_bytes=32 * 1024 * 1024)


class LocalSandbox:
    """Has calls executed in a jail on this machine; implements `ports.Sandbox`.

    `spares` children with `limits` wait locked and rehearsed; orders with other limits, those of
    the slow and the author's lane and second looks get a child forked for them. `parts` and
    `patience` are for the tests of the wall only: no setting reaches them.
    """

    def __init__(
        self,
        *,
        limits: Limits = DEFAULT_LIMITS,
        spares: int = SPARES,
        parts: Layers = ALL_LAYERS,
        patience: float = PATIENCE,
    ) -> None:
        """Start the keeper and test the wall; raises SandboxFault where it does not hold."""
        self._limits, self._spares, self._parts = limits, spares, parts
        self._lock = threading.Lock()
        self._patience = PATIENCE
        self._closed = self._down = False
        self.restarts = -1
        self._keeper = self._start()
        try:
            failures = self_test.failures(self._attempt)
        except SandboxFault:
            self.close()
            raise
        self._layers = layers.describe(self._keeper.report, failures)
        missing = [layer for layer in self._layers if layer.required and not layer.present]
        if missing and parts.seccomp:
            self.close()
            reasons = "; ".join(f"{m.name}: {m.detail} ({m.advice})" for m in missing)
            raise SandboxFault(f"learner code would not be safe here: {reasons}")
        self._patience = patience

    def run(self, order: Order) -> Ran:
        """Load the order's files in a fresh child and run its calls; blocks until all ended.

        Raises SandboxFault when the jail itself failed, after its own retries, or when this
        machine had no CPU for the child: trying again is up to who knows what else runs here.
        """
        return self._attempt(order)

    def run_first(self, order: Order, calls: int, then: Callable[[Ran, Callable[[], Ran]], T]) -> T:
        """What `then` makes of the first calls; see `ports.EagerSandbox`. Raises as `run`."""
        return self._with_keepers(lambda k: self._session(k, order, False).run_first(calls, then))

    def describe(self, source: Source) -> tuple[tuple[FunctionInfo, ...], tuple[Problem, ...]]:
        """Public functions of a file in order, or the problems that keep it from loading."""
        ran = self.run(Order((source,), (), self._limits, Lane.AUTHOR))
        loading, problems = ran.loading, ran.problems
        if not problems and loading.ended != "returned":
            raised = loading.raised if loading.ended == "raised" else None
            limit = loading.ended.replace("_", " ")
            why = f"{raised.type}: {raised.message}" if raised else limit
            line = raised.line if raised else None
            message, instead = f"Loading the file failed: {why}.", "Let it define functions only."
            problems = (Problem("policy", line, None, None, message, instead),)
        return (() if problems else ran.functions), problems

    def mutants(self, source: Source) -> tuple[Mutant, ...]:
        """Copies of a file with one small change each, made inside by the jail's own `mutants`.

        () where none can be made: no Python, nested too deeply, or nothing to change. Raises
        SandboxFault as `run`.
        """
        calls = (Call("mutants", (source.text.decode("utf-8", "replace"),)),)
        order = Order((), calls, MUTANT_LIMITS, Lane.AUTHOR)
        ran = self._attempt(order, own=True)
        made = ran.executions[0]
        return decode_reports.mutants(made.value) if made.ended == "returned" else ()

    def typeset(self, asked: Sequence[Formula]) -> tuple[Typeset, ...]:
        """What becomes of an author's formulas, in order, in a child and within a budget.

        Raises SandboxFault as `run`, and where the jail has no parser of formulas.
        """
        if not asked:
            return ()
        return typesetting.typeset(asked, self._attempt(typesetting.order(asked), own=True))

    def layers(self) -> tuple[Layer, ...]:
        """Which layers of the wall hold here, as found at the start, and how its keeper is.

        Where no keeper could be started the last time, another is tried first.
        """
        if self._down and not self._closed:
            with suppress(SandboxFault):
                self._replace(self._keeper)
        metrics.SPARE_CHILDREN.set(self._keeper.spares())
        keeper = layers.keeper(restarts=self.restarts, present=not self._down)
        return layers.counted((*self._layers, keeper))

    def close(self) -> None:
        """End the keeper and every child; no process is left."""
        with self._lock:
            self._closed = True
            self._keeper.close()

    @property
    def keeper_pid(self) -> int:
        """The keeper's process, for health pages and tests."""
        return self._keeper.pid

    def _attempt(self, order: Order, *, own: bool = False) -> Ran:
        return self._with_keepers(lambda keeper: self._session(keeper, order, own).run())

    def _with_keepers(self, run: Callable[[Keeper], T]) -> T:
        """Run something, with a new keeper and from the start where the keeper goes away."""
        for _ in range(MOST_KEEPERS):
            keeper = self._keeper
            try:
                return run(keeper)
            except KeeperGone as gone:
                last = gone
                self._replace(keeper)
        raise SandboxFault(f"the jail failed {MOST_KEEPERS} times: {last}")

    def _session(self, keeper: Keeper, order: Order, own: bool) -> OrderRun:
        def child() -> Child:
            hurries = order.lane is Lane.FAST and KIND.get() is not Kind.SECOND_LOOK
            if own or not hurries or order.limits != self._limits:
                return keeper.forked(order.limits, order.lane, own=own)
            return keeper.spare()

        return OrderRun(order, child, keeper.report["resident_bytes"], self._patience)

    def _start(self) -> Keeper:
        self.restarts += 1
        return Keeper(self._parts, self._limits, self._spares)

    def _replace(self, gone: Keeper) -> None:
        """A new keeper for one that went away, unless another thread has started it already."""
        with self._lock:
            if self._closed:
                raise SandboxFault("the sandbox is closed")
            if self._keeper is gone:
                gone.close()
                self._down = True
                self._keeper = self._start()
                self._down = False
                metrics.KEEPERS_REPLACED.inc()
                log.warning("keeper_replaced", restarts=self.restarts, pid=self._keeper.pid)
