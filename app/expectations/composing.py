"""Puts mistakes together: what the entry point gives with one, two or three of them in place.

The trusted side only fills in names; what runs is `composed.py`, in the jail, beside the author's
own files. A batch that does not come back is run in smaller ones, and what fails alone is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import replace

from app.expectations.author_files import Author
from app.expectations.modes import Mode, sources_of
from app.grading.decide import mismatch_of
from app.grading.outcomes import flat, outcome, plain_outcome
from app.model import (
    Call,
    Execution,
    Lane,
    Limits,
    Order,
    Outcome,
    Parameter,
    TestCase,
    Value,
)

BATCH = 500
"""Chains an order; a call brings as many as the wall lets through in one value."""

CALL_PARTS = 3_600
BATCH_CPU_S = 4.0
BATCH_BYTES = 8 * 1024 * 1024
RESULT_BYTES = 48 * 1024 * 1024
MEMORY_BYTES = 1024 * 1024 * 1024
_SMALLER = 20

Chain = tuple[int, ...]
"""Mistakes by their number among the modes; of two on one helper the first is the outermost."""

Cells = tuple[Outcome | None, ...]
"""What a chain gives on each case; None where that raised."""


class Composer:
    """Composes the modes of one exercise on some of its cases."""

    def __init__(
        self,
        author: Author,
        helpers: Sequence[str],
        parameters: Sequence[Parameter],
        modes: Sequence[Mode],
        cases: Sequence[TestCase],
        *,
        lane: Lane = Lane.AUTHOR,
    ) -> None:
        self._author, self._cases, self._lane = author, tuple(cases), lane
        self._sources = sources_of(author.exercise, helpers, parameters, modes)
        self._batch = _batch_size(cases)
        self._call = max(1, CALL_PARTS // _parts(cases))

    def outcomes(self, chains: Sequence[Chain]) -> Iterator[tuple[Outcome, ...] | None]:
        """The outcomes of each chain on the cases; None where a case raised or never ended."""
        for cells in self._all(chains):
            yield None if cells is None else _without_gaps(cells)

    def by_case(self, chains: Sequence[Chain]) -> Iterator[Cells]:
        """The outcome of each chain on each case by itself; None where that raised or never ended.

        A chain that does not come back from all cases at once is run on one after another.
        """
        for chain, cells in zip(chains, self._all(chains), strict=True):
            yield tuple(self._on(case, chain) for case in self._cases) if cells is None else cells

    def _all(self, chains: Sequence[Chain]) -> Iterator[Cells | None]:
        """In batches: while one is compared here, the jail is at work on the next."""
        batches = [chains[at : at + self._batch] for at in range(0, len(chains), self._batch)]
        if len(batches) < 2:
            for batch in batches:
                yield from self._outcomes(batch, BATCH_CPU_S)
            return
        with ThreadPoolExecutor(1, "composing") as ahead:
            asked = ahead.submit(self._asked, batches[0], BATCH_CPU_S)
            for batch, following in zip(batches, [*batches[1:], None], strict=True):
                executions = asked.result()
                if following is not None:
                    asked = ahead.submit(self._asked, following, BATCH_CPU_S)
                yield from self._read(batch, executions, BATCH_CPU_S)

    def _on(self, case: TestCase, chain: Chain) -> Outcome | None:
        one = copy(self)
        one._cases = (case,)
        (cells,) = one._outcomes([chain], self._author.exercise.limits.cpu_s)
        return None if cells is None else cells[0]

    def predicted(self, chains: Sequence[Chain], case: TestCase) -> tuple[Value, ...]:
        """What the helpers give on one case under each chain: name, value, name, value …"""
        call = Call("predicted", (tuple(chains), case.arguments))
        (execution,) = self._run([call], BATCH_CPU_S)
        value = execution.value
        return value if isinstance(value, tuple) and len(value) == len(chains) else ()

    def _outcomes(self, chains: Sequence[Chain], cpu_s: float) -> Iterator[Cells | None]:
        yield from self._read(chains, self._asked(chains, cpu_s), cpu_s)

    def _parts_of(self, chains: Sequence[Chain]) -> list[Sequence[Chain]]:
        return [chains[at : at + self._call] for at in range(0, len(chains), self._call)]

    def _asked(self, chains: Sequence[Chain], cpu_s: float) -> tuple[Execution, ...]:
        arguments = tuple(case.arguments for case in self._cases)
        parts = self._parts_of(chains)
        return self._run([Call("composed", (tuple(part), arguments)) for part in parts], cpu_s)

    def _read(
        self, chains: Sequence[Chain], executions: Sequence[Execution], cpu_s: float
    ) -> Iterator[Cells | None]:
        for part, execution in zip(self._parts_of(chains), executions, strict=True):
            rows = execution.value
            if isinstance(rows, tuple) and len(rows) == len(part):
                yield from map(self._row, rows)
            elif len(part) == 1:
                yield None
            else:
                yield from self._in_smaller(part, cpu_s)

    def _in_smaller(self, chains: Sequence[Chain], cpu_s: float) -> Iterator[Cells | None]:
        size = max(1, len(chains) // _SMALLER)
        for start in range(0, len(chains), size):
            part = chains[start : start + size]
            yield from self._outcomes(part, max(cpu_s / 8, self._author.exercise.limits.cpu_s))

    def _run(self, calls: Sequence[Call], cpu_s: float) -> tuple[Execution, ...]:
        limits = _limits(self._author.exercise.limits, cpu_s)
        ran = self._author.attempt(Order(self._sources, tuple(calls), limits, self._lane))
        return ran.executions or (Execution("not_run"),) * len(calls)

    def _row(self, row: Value) -> Cells | None:
        if not isinstance(row, tuple) or len(row) != 2 * len(self._cases):
            return None
        cells = zip(self._cases, row[::2], row[1::2], strict=True)
        return tuple(
            self._outcome(case, value, changed) if isinstance(changed, int) else None
            for case, value, changed in cells
        )

    def _outcome(self, case: TestCase, value: Value, first_changed: int) -> Outcome:
        """`first_changed` is the position of an argument, -1 where all are as before."""
        exercise = self._author.exercise
        changed = None if first_changed < 0 else first_changed
        rules = exercise.tolerance, exercise.arguments_unchanged
        plain = plain_outcome(value, case.expected, changed, *rules)
        if plain is not None:
            return plain
        after = tuple(None if at == changed else one for at, one in enumerate(case.arguments))
        execution = Execution("returned", value=value, arguments=after)
        return outcome(execution, mismatch_of(execution, case, *rules), case)


def _without_gaps(cells: Cells) -> tuple[Outcome, ...] | None:
    whole = tuple(outcome for outcome in cells if outcome is not None)
    return whole if len(whole) == len(cells) else None


def _limits(own: Limits, cpu_s: float) -> Limits:
    return replace(
        own,
        cpu_s=cpu_s,
        sleep_s=2 * cpu_s,
        budget_cpu_s=10 * cpu_s,
        budget_wall_s=30 * cpu_s,
        memory_bytes=max(own.memory_bytes, MEMORY_BYTES),
        result_bytes=RESULT_BYTES,
    )


def _batch_size(cases: Sequence[TestCase]) -> int:
    """As many chains a call as their results' bytes allow."""
    found = (flat(case.expected) for case in cases)
    size = sum(each[1].nbytes for each in found if each is not None)
    return max(1, min(BATCH, BATCH_BYTES // max(1, size)))


def _parts(cases: Sequence[TestCase]) -> int:
    """How many parts a chain's row is made of, as the wall counts them."""
    outputs = (case.expected for case in cases)
    return 1 + sum(2 + (len(o) if isinstance(o, tuple) else 0) for o in outputs)
