"""Puts mistakes together: what the entry point gives with one, two or three of them in place.

The trusted side only fills in names; what runs is `composed.py`, in the jail, beside the author's
own files. A batch that does not come back is run in smaller ones, and what fails alone is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files

import numpy as np

from app.expectations.author_files import REFERENCE, Author
from app.grading.checker import as_array, equal_cells
from app.grading.decide import mismatch_of
from app.grading.outcomes import CHANGED, flat, outcome
from app.model import (
    Call,
    Execution,
    Exercise,
    Lane,
    Limits,
    Misconception,
    Order,
    Outcome,
    Parameter,
    Source,
    TestCase,
    Value,
)

BATCH = 1_600
"""Chains an order; a call brings as many as the wall lets through in one value."""

CALL_PARTS = 3_600
BATCH_CPU_S = 4.0
BATCH_BYTES = 24 * 1024 * 1024
MEMORY_BYTES = 1024 * 1024 * 1024
_COMPOSED = "composed.py"
_SMALLER = 20

Chain = tuple[int, ...]
"""Mistakes by their number among the modes; of two on one helper the first is the outermost."""


@dataclass(frozen=True)
class Mode:
    """One mistake: the file and the name of its function, and the function it stands in for."""

    file: str
    function: str
    target: str


def mode_of(one: Misconception) -> Mode:
    """The mode of a misconception of the library."""
    return Mode(f"mistakes/{one.area}.py", one.slug.replace("-", "_"), one.target)


def sources(
    exercise: Exercise,
    helpers: Sequence[str],
    parameters: Sequence[Parameter],
    modes: Sequence[Mode],
) -> tuple[Source, ...]:
    """The files to load: the reference, the modes' files, their names, and what composes them."""
    paths = dict.fromkeys(mode.file for mode in modes)
    own = [exercise.source(REFERENCE), *(exercise.source(path) for path in paths)]
    names = Source("names.py", _names(exercise.entry_point, helpers, parameters, modes).encode())
    text = files(__package__).joinpath(_COMPOSED).read_bytes()
    return (*own, names, Source(_COMPOSED, text))


def _names(
    entry: str, helpers: Sequence[str], parameters: Sequence[Parameter], modes: Sequence[Mode]
) -> str:
    """The module between an author's files and ours: what each is called, nothing else."""
    rights = ", ".join(f'"{name}": {name}' for name in helpers)
    known = ", ".join(f'("{mode.target}", {mode.function})' for mode in modes)
    named = [p.name for p in parameters if p.name not in helpers]
    defaults = "".join(f"{p.default or 'None'}, " for p in parameters)
    places = "".join(f"    {p} = given[{_at(parameters, p)}]\n" for p in named)
    return (
        "import numpy as np\n"
        f"_entry = {entry!r}\n_right = {{{rights}}}\n_modes = [{known}]\n"
        f"_defaults = ({defaults})\n\n\n"
        f"def _put_names(now):\n    global {', '.join(helpers)}\n"
        + "".join(f'    {name} = now["{name}"]\n' for name in helpers)
        + "\n\ndef _put_arguments(arguments):\n"
        + (f"    global {', '.join(named)}\n" if named else "")
        + f"    given = (*arguments, *_defaults[len(arguments):])\n{places}"
    )


def _at(parameters: Sequence[Parameter], name: str) -> int:
    return [p.name for p in parameters].index(name)


def without_mode(execution: Execution) -> Execution:
    """An execution of `wrong` with the entry point's own arguments: without the mode's number."""
    after = execution.arguments
    return execution if after is None else replace(execution, arguments=after[1:])


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
        self._sources = sources(author.exercise, helpers, parameters, modes)
        self._batch = _batch_size(cases)
        self._call = max(1, CALL_PARTS // _parts(cases))

    def outcomes(self, chains: Sequence[Chain]) -> Iterator[tuple[Outcome, ...] | None]:
        """The outcomes of each chain on the cases; None where a case raised or never ended."""
        for start in range(0, len(chains), self._batch):
            yield from self._outcomes(chains[start : start + self._batch], BATCH_CPU_S)

    def predicted(self, chains: Sequence[Chain], case: TestCase) -> tuple[Value, ...]:
        """What the helpers give on one case under each chain: name, value, name, value …"""
        call = Call("predicted", (tuple(chains), case.arguments))
        (execution,) = self._run([call], BATCH_CPU_S)
        value = execution.value
        return value if isinstance(value, tuple) and len(value) == len(chains) else ()

    def _outcomes(
        self, chains: Sequence[Chain], cpu_s: float
    ) -> Iterator[tuple[Outcome, ...] | None]:
        arguments = tuple(case.arguments for case in self._cases)
        parts = [chains[at : at + self._call] for at in range(0, len(chains), self._call)]
        calls = [Call("composed", (tuple(part), arguments)) for part in parts]
        for part, execution in zip(parts, self._run(calls, cpu_s), strict=True):
            rows = execution.value
            if isinstance(rows, tuple) and len(rows) == len(part):
                yield from map(self._row, rows)
            elif len(part) == 1:
                yield None
            else:
                yield from self._in_smaller(part, cpu_s)

    def _in_smaller(
        self, chains: Sequence[Chain], cpu_s: float
    ) -> Iterator[tuple[Outcome, ...] | None]:
        size = max(1, len(chains) // _SMALLER)
        for start in range(0, len(chains), size):
            part = chains[start : start + size]
            yield from self._outcomes(part, max(cpu_s / 8, self._author.exercise.limits.cpu_s))

    def _run(self, calls: Sequence[Call], cpu_s: float) -> tuple[Execution, ...]:
        limits = _limits(self._author.exercise.limits, cpu_s)
        ran = self._author.attempt(Order(self._sources, tuple(calls), limits, self._lane))
        return ran.executions or (Execution("not_run"),) * len(calls)

    def _row(self, row: Value) -> tuple[Outcome, ...] | None:
        if not isinstance(row, tuple) or len(row) != 2 * len(self._cases) or None in row[1::2]:
            return None
        cells = zip(self._cases, row[::2], row[1::2], strict=True)
        return tuple(
            self._outcome(case, value, untouched is True) for case, value, untouched in cells
        )

    def _plain(self, case: TestCase, value: Value, untouched: bool) -> Outcome:
        """What `outcome` gives, without the words for where and by how much it is off."""
        exercise = self._author.exercise
        mine, expected = as_array(value), as_array(case.expected)
        if mine is None or expected is None:
            raise TypeError("plain outcomes are arrays")
        if not equal_cells(mine, expected, exercise.tolerance).all():
            return Outcome("array", value=value, text="" if untouched else CHANGED)
        changed = exercise.arguments_unchanged and not untouched
        return Outcome("changed" if changed else "right")

    def _outcome(self, case: TestCase, value: Value, untouched: bool) -> Outcome:
        exercise = self._author.exercise
        if _is_plain(value, case.expected):
            return self._plain(case, value, untouched)
        after = case.arguments if untouched else (None,) * len(case.arguments)
        execution = Execution("returned", value=value, arguments=after)
        mismatch = mismatch_of(execution, case, exercise.tolerance, exercise.arguments_unchanged)
        return outcome(execution, mismatch, case)


def _is_plain(value: Value, expected: Value) -> bool:
    """Whether two are float arrays of one shape: nearly all are, and nothing is to be told."""
    return (
        isinstance(value, np.ndarray)
        and isinstance(expected, np.ndarray)
        and value.shape == expected.shape
        and value.dtype.kind == expected.dtype.kind == "f"
    )


def _limits(own: Limits, cpu_s: float) -> Limits:
    return replace(
        own,
        cpu_s=cpu_s,
        sleep_s=2 * cpu_s,
        budget_cpu_s=10 * cpu_s,
        budget_wall_s=30 * cpu_s,
        memory_bytes=max(own.memory_bytes, MEMORY_BYTES),
        result_bytes=2 * BATCH_BYTES,
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
