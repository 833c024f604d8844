"""One order from its first child to its `Ran`, over as many children as its calls need.

A call counts once the next one started, or the child said as its last word that it has done all.
The call a child died in gets the death's reason, and a fresh child goes on behind it. Two deaths,
or an empty budget, and the rest is not run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from typing import TypeVar

import structlog

from app import metrics
from app.model import Cause, Ended, Execution, Limits, Order, Raised, Ran, Value
from app.ports import SandboxFault
from app.sandbox.child_process import Child, KeeperGone
from app.sandbox.conversation import Conversation, Seen
from app.sandbox.endings import Ending, ended_by_the_system, ending
from app.sandbox.transcript import Heard, Transcript
from app.sandbox.watch import Budget

T = TypeVar("T")

log = structlog.get_logger()

MOST_DEATHS = 2
MOST_UNBORN = 5
USUAL = Limits()
"""Shorter budgets than these are no reason to find a busy machine too busy."""

NOT_RUN = Execution("not_run")
LAST_LINES: Mapping[Ended, Callable[[Transcript], Raised | None]] = {
    "memory_limit": lambda heard: heard.out_of_memory,
    "output_limit": lambda heard: heard.printing,
}
"""Ends of which the child may have said on which line they came."""


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
        return self._result(len(self._order.calls))

    def run_first(self, calls: int, then: Callable[[Ran, Callable[[], Ran]], T]) -> T:
        """What `then` makes of the first calls; see `ports.EagerSandbox`. Raises as `run`."""
        with self._talk() as talk:
            seen = talk.listen(calls)
            if seen.goes_on:
                return then(self._so_far(seen, calls), lambda: self._to_the_end(talk))
        if self._count(seen):
            self._read(seen)
        whole = self.run()
        return then(replace(whole, executions=whole.executions[:calls]), lambda: whole)

    def _to_the_end(self, talk: Conversation) -> Ran:
        try:
            seen = talk.listen()
            self._count(seen)
            self._read(seen)
            return self.run()
        except KeeperGone as gone:
            raise SandboxFault("the keeper went away behind the first calls") from gone

    def _so_far(self, seen: Seen, calls: int) -> Ran:
        """The first calls of a child that goes on, which is heard again from its beginning."""
        now = copy(self)
        now._done = []
        now._count(seen)
        now._take_loading(seen, finished=True)
        now._keep(seen, calls)
        return now._result(calls)

    def _result(self, calls: int) -> Ran:
        done = self._done[:calls]
        return replace(
            self._ran,
            executions=(*done, *[NOT_RUN] * (calls - len(done))),
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
            with self._talk() as talk:
                seen = talk.listen()
            if self._count(seen):
                return seen
        raise KeeperGone("children die before they begin")

    @contextmanager
    def _talk(self) -> Iterator[Conversation]:
        """A child at work on the calls that are left; ended at the latest behind this."""
        child = self._child()
        try:
            calls = self._order.calls[len(self._done) :]
            yield Conversation(child, self._order, calls, self._budget())
        finally:
            child.close()

    def _count(self, seen: Seen) -> bool:
        """Add up what a child cost; whether it lived to begin."""
        if seen.transcript.fault is not None:
            raise SandboxFault(f"a child could not be locked: {seen.transcript.fault}")
        if seen.reason == "starved":
            raise Starved("this machine has no CPU to run submissions on")
        self._cpu_s += seen.cpu_s
        self._own_s += seen.own_s
        self._wall_s += seen.wall_s
        peak = max(self._ran.peak_memory_bytes, seen.exit.peak_memory_bytes)
        self._ran = replace(self._ran, peak_memory_bytes=peak)
        return seen.transcript.begun

    def _read(self, seen: Seen) -> None:
        """Take over what counts; on a death, say which call it was."""
        finished = seen.transcript.done and seen.exit.clean and seen.reason is None
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
            self._done += [NOT_RUN] * self._rest_of_test()
        elif self._ran.loading.ended == "returned" and not self._ran.problems:
            self._deaths = MOST_DEATHS  # it loaded before and now it does not

    def _rest_of_test(self) -> int:
        """How many of the next calls are of the same test as the one before them."""
        left = self._order.calls[len(self._done) :]
        return next((n for n, call in enumerate(left) if not call.goes_on), len(left))

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
        raised=_last_line(why, seen),
        stdout_cut=seen.transcript.limit == "stdout",
        cpu_ms=execution.cpu_ms or seen.cpu_s * 1e3,
        wall_ms=execution.wall_ms or seen.own_s * 1e3,
        peak_memory_bytes=seen.exit.peak_memory_bytes,
    )


def _last_line(why: Ending, seen: Seen) -> Raised | None:
    """Where it was when it reached a limit, if it could say so."""
    line = LAST_LINES.get(why.ended)
    return None if line is None else line(seen.transcript)


def _execution(heard: Heard, stdout: bytes, sent: tuple[Value, ...], seen: Seen) -> Execution:
    if heard.missing:
        return Execution("not_run", cause=Cause.NO_FUNCTION)
    after = sent if heard.arguments is None else heard.arguments
    return Execution(
        "returned" if heard.raised is None else "raised",
        value=heard.value,
        raised=heard.raised,
        arguments=after if heard.raised is None else None,
        stdout=_text(stdout),
        cpu_ms=min(heard.cpu_ms, seen.cpu_s * 1e3),
        wall_ms=min(heard.wall_ms, seen.own_s * 1e3),
        peak_memory_bytes=seen.exit.peak_memory_bytes,
    )


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
