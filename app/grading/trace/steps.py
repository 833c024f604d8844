"""The steps of a traced call: each name of each line, what it read, and which stage it equals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from app.grading.trace.stage_index import Match, StageIndex
from app.model import Array, Trace, TracedLine

MOST_AXES = 32
"""An array of more is no stage of anything, and NumPy itself ends at 64."""

_SIMPLE = frozenset(["int", "float", "bool", "str", "slice", "range", "dtype", "float64", "int64"])


@dataclass(frozen=True, eq=False)
class Step:
    """One name that one line assigned, over all passes; `order` counts lines by their first pass.

    `array` is the array of the last pass; `whole` is what is compared: all passes as one array,
    first axis the passes, where a stage has those sizes, else the last. `match` is the stage they
    equal, together or each by itself; `partly`: only some passes equal one. `settled`: it is a mere
    constant.
    """

    order: int
    line: TracedLine
    name: str
    array: Array | None
    whole: Array | None
    match: Match | None
    settled: bool = False
    partly: bool = False

    @property
    def opaque(self) -> bool:
        """Whether it is neither an array nor a plain value: a tuple of arrays, an object, None."""
        told = next(a for a in self.line.last if a.name == self.name)
        return self.array is None and told.type_name not in _SIMPLE

    @property
    def unknown(self) -> bool:
        """Whether it is an array that equals no stage and is no mere constant."""
        return self.array is not None and self.match is None and not self.settled


def steps(trace: Trace, book: StageIndex) -> tuple[Step, ...]:
    """All steps of a call, in the order of their first pass."""
    return tuple(
        _step(order, line, at, book)
        for order, line in enumerate(trace.lines)
        for at in range(len(line.first))
    )


def _step(order: int, line: TracedLine, at: int, book: StageIndex) -> Step:
    arrays = line.arrays[at] if at < len(line.arrays) else ()
    stack = _stacked(arrays) if len(arrays) > 1 else None
    last = arrays[-1] if arrays else None
    match = _match(arrays, stack, book)
    together = stack is not None and bool(book.fitting(stack))
    return Step(
        order=order,
        line=line,
        name=line.first[at].name,
        array=last,
        whole=stack if together else last,
        match=match,
        partly=match is None and any(book.match(array) for array in arrays),
        settled=last is not None and _constant(last),
    )


def _match(arrays: tuple[Array, ...], stack: Array | None, book: StageIndex) -> Match | None:
    if not arrays:
        return None
    if stack is not None:
        together = book.match(stack)
        if together is not None:
            return together
    found = [book.match(array) for array in arrays]
    if any(match is None for match in found):
        return None
    return max((match for match in found if match), key=lambda match: match.index)


def _stacked(arrays: tuple[Array, ...]) -> Array | None:
    first = arrays[0]
    if any(a.shape != first.shape or a.dtype != first.dtype for a in arrays):
        return None
    if first.ndim >= MOST_AXES:
        return None
    return np.stack(arrays)


def _constant(array: Array) -> bool:
    """Zeros to be filled, or a number as an array: nothing that was computed from the arguments."""
    return array.size == 0 or array.ndim == 0 or bool((array == array.ravel()[0]).all())


class DataFlow:
    """Where the values come from that a step reads."""

    def __init__(self, all_steps: Iterable[Step], entry_point: str) -> None:
        self.steps = tuple(all_steps)
        self.entry_point = entry_point

    def returned(self, function: str) -> Step | None:
        """What a function returned last."""
        found = (s for s in self.steps if s.line.function == function and s.line.kind == "return")
        return max(found, key=lambda step: step.order, default=None)

    def read_by(self, step: Step) -> tuple[Step, ...]:
        """The steps whose values this one reads, as far as they can be told."""
        found = (self._latest(name, step) for name in step.line.reads)
        return tuple(one for one in found if one is not None)

    def called_by(self, step: Step) -> tuple[Step, ...]:
        """What the learner's own functions returned that this step's line calls."""
        names = (name for name in step.line.calls if name != step.line.function)
        found = (self.returned(name) for name in names)
        return tuple(one for one in found if one is not None and one.order < step.order)

    def callers(self, function: str) -> tuple[Step, ...]:
        """The steps whose lines call a function, in order."""
        return tuple(
            s for s in self.steps if function in s.line.calls and s.line.function != function
        )

    def _latest(self, name: str, before: Step) -> Step | None:
        named = [s for s in self.steps if s.name == name and s.order < before.order]
        own = [s for s in named if s.line.function == before.line.function or "." in name]
        known = any(s.name == name and s.line.function == before.line.function for s in self.steps)
        outer = [s for s in named if s.line.function == self.entry_point] if not known else []
        return max(own or outer, key=lambda step: step.order, default=None)
