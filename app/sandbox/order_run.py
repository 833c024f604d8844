"""One order from its first child to its `Ran`, over as many children as its calls need.

A call counts once the next one started, or the child said as its last word that it has done all.
The call a child died in gets the death's reason, and a fresh child goes on behind it. Two deaths,
or an empty budget, and the rest is not run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import structlog

from app import metrics
from app.model import Cause, Execution, Limits, Order, Ran, Value
from app.ports import SandboxFault
from app.sandbox.child_process import Child, KeeperGone
from app.sandbox.conversation import Seen, converse
from app.sandbox.endings import Ending, ended_by_the_system, ending
from app.sandbox.transcript import Heard
from app.sandbox.watch import Budget

log = structlog.get_logger()

MOST_DEATHS = 2
MOST_UNBORN = 5
USUAL = Limits()
"""Shorter budgets than these are no reason to find a busy machine too busy."""

NOT_RUN = Execution("not_run")


class Starved(SandboxFault):
    """The machine had no CPU for a child that wanted to run: another time it may."""


class OrderRun:
    """The state of one order: what its calls came to so far, and what they cost."""

    def __init__(
        self, order: Order, child: Callable[[], Child], keeper_bytes: int, patience: float
    ) -> None:
        self._order, self._child, self._keeper_bytes = order, child, keeper_bytes
        self._patience = patience
        self._done: list[Execution] = []
        self._deaths = 0
        self._spared = False
        self._cpu_s = self._own_s = self._wall_s = 0.0
        self._ran = Ran(loading=NOT_RUN)
        self._first = True

    def run(self) -> Ran:
        """Run it whole. Raises KeeperGone, Starved, and SandboxFault where no lock holds."""
        while self._wanted():
            self._read(self._one_child())
        rest = len(self._order.calls) - len(self._done)
        return replace(
            self._ran,
            executions=(*self._done, *[NOT_RUN] * rest),
            cpu_ms=self._cpu_s * 1e3,
            wall_ms=self._own_s * 1e3,
        )

    def _wanted(self) -> bool:
        if self._first:
            return True
        more = len(self._done) < len(self._order.calls)
        fit = self._ran.loading.ended == "returned" and self._deaths < MOST_DEATHS
        budget = self._budget()
        left = budget.cpu_s > 0 and budget.wall_s > 0 and not self._ran.left_fast_lane
        return more and fit and left and not self._ran.problems

    def _budget(self) -> Budget:
        limits = self._order.limits
        left = limits.budget_cpu_s - self._cpu_s, limits.budget_wall_s - self._own_s
        promised_s = max(limits.budget_wall_s, USUAL.budget_wall_s)
        return Budget(*left, self._patience * promised_s - self._wall_s)

    def _one_child(self) -> Seen:
        """What the next child made of the calls that are left, once one lived to begin."""
        for _ in range(MOST_UNBORN):
            child = self._child()
            try:
                calls = self._order.calls[len(self._done) :]
                seen = converse(child, self._order, calls, self._budget())
            finally:
                child.close()
            if seen.transcript.fault is not None:
                raise SandboxFault(f"a child could not be locked: {seen.transcript.fault}")
            if seen.reason == "starved":
                raise Starved("this machine has no CPU to run submissions on")
            self._cpu_s += seen.cpu_s
            self._own_s += seen.own_s
            self._wall_s += seen.wall_s
            if seen.transcript.begun:
                return seen
        raise KeeperGone("children die before they begin")

    def _read(self, seen: Seen) -> None:
        """Take over what counts; on a death, say which call it was."""
        finished = seen.transcript.done and seen.exit.clean and seen.reason is None
        peak = max(self._ran.peak_memory_bytes, seen.exit.peak_memory_bytes)
        self._ran = replace(self._ran, peak_memory_bytes=peak)
        lost = not finished and ended_by_the_system(seen)
        if lost:
            metrics.CHILDREN_LOST.inc()
            log.warning("child_lost", calls=len(self._done), again=not self._spared)
        if lost and not self._spared:
            self._spared = True  # once may be chance: the same call again, in a fresh child
            self._keep(seen, len(seen.transcript.heard) - 1)
            return
        if self._first:
            self._take_loading(seen, finished)
        counted = len(seen.transcript.heard) - (0 if finished else 1)
        self._keep(seen, counted)
        if finished:
            self._first = False
            return
        self._deaths += 1
        self._first = False
        why = ending(seen, self._order.limits, self._keeper_bytes)
        if seen.reason == "fast":
            self._ran = replace(self._ran, left_fast_lane=True)
        if seen.transcript.heard:
            self._done.append(self._died(seen, why))
        elif self._ran.loading.ended == "returned" and not self._ran.problems:
            self._deaths = MOST_DEATHS  # it loaded before and now it does not

    def _keep(self, seen: Seen, count: int) -> None:
        before = len(self._done)
        traces = [t for t in seen.transcript.traces if t.call < count]
        numbered = (replace(trace, call=trace.call + before) for trace in traces)
        self._ran = replace(self._ran, traces=(*self._ran.traces, *numbered))
        calls = self._order.calls[before:]
        for index in range(max(0, count)):
            heard = seen.transcript.heard[index]
            stdout = bytes(seen.transcript.printed[index + 1])
            self._done.append(_execution(heard, stdout, calls[index].arguments, seen))

    def _take_loading(self, seen: Seen, finished: bool) -> None:
        heard, transcript = seen.transcript.loading, seen.transcript
        loading = Execution(
            "returned",
            stdout=_text(bytes(transcript.printed[0])),
            cpu_ms=heard.cpu_ms,
            wall_ms=heard.wall_ms,
            peak_memory_bytes=seen.exit.peak_memory_bytes,
        )
        if heard.raised is not None and finished:
            loading = replace(loading, ended="raised", raised=heard.raised)
        elif transcript.problems:
            loading = NOT_RUN
        elif not transcript.heard and not finished:
            why = ending(seen, self._order.limits, self._keeper_bytes)
            loading = _with_ending(loading, why, seen)
        self._ran = replace(
            self._ran,
            problems=transcript.problems,
            loading=loading,
            functions=transcript.functions,
            normalised=transcript.normalised,
        )

    def _died(self, seen: Seen, why: Ending) -> Execution:
        stdout = _text(bytes(seen.transcript.printed[-1]))
        return _with_ending(Execution("crashed", stdout=stdout), why, seen)


def _with_ending(execution: Execution, why: Ending, seen: Seen) -> Execution:
    return replace(
        execution,
        ended=why.ended,
        cause=why.cause,
        amount=why.amount,
        signal=why.signal,
        raised=seen.transcript.out_of_memory if why.ended == "memory_limit" else None,
        stdout_cut=seen.transcript.limit == "stdout",
        cpu_ms=execution.cpu_ms or seen.cpu_s * 1e3,
        wall_ms=execution.wall_ms or seen.own_s * 1e3,
        peak_memory_bytes=seen.exit.peak_memory_bytes,
    )


def _execution(heard: Heard, stdout: bytes, sent: tuple[Value, ...], seen: Seen) -> Execution:
    if heard.missing:
        return Execution("not_run", cause=Cause.NO_FUNCTION)
    execution = Execution(
        "returned",
        value=heard.value,
        stdout=_text(stdout),
        cpu_ms=min(heard.cpu_ms, seen.cpu_s * 1e3),
        wall_ms=min(heard.wall_ms, seen.own_s * 1e3),
        peak_memory_bytes=seen.exit.peak_memory_bytes,
    )
    if heard.raised is not None:
        return replace(execution, ended="raised", raised=heard.raised)
    return replace(execution, arguments=sent if heard.arguments is None else heard.arguments)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
