"""On which line of a learner's code a named mistake stands, told by what the wrong helpers gave.

A traced line whose array is what the mistake's own helper gave, and does not occur without that
mistake, is its line, where all that the line reads occurs without it. Else the first line whose
array occurs with it and not without shows it. Where neither is there, no line is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from app.grading.checker import as_array, equal_cells
from app.grading.trace.stage_index import StageIndex
from app.grading.trace.steps import DataFlow, Step, steps
from app.model import (
    Array,
    Exercise,
    Misconception,
    NamedMistake,
    TestCase,
    Tolerance,
    Trace,
    Value,
)

Heard = Sequence[tuple[str, Value]]
"""What each helper gave in one call, in order."""

LEAST_CELLS = 2
"""An array of fewer numbers equals others by chance."""


def with_lines(
    exercise: Exercise,
    case: TestCase,
    trace: Trace,
    named: Sequence[NamedMistake],
    known: Sequence[Misconception],
    heard: Sequence[Heard],
) -> tuple[NamedMistake, ...]:
    """The named mistakes with their lines.

    `known` are their misconceptions; `heard[0]` is what the helpers gave with all in place,
    `heard[1 + i]` without the i-th.
    """
    if len(heard) != 1 + len(named):
        return tuple(named)
    return tuple(
        _with_line(exercise, case, trace, one, mistake, heard[0], without)
        for one, mistake, without in zip(named, known, heard[1:], strict=True)
    )


def _with_line(
    exercise: Exercise,
    case: TestCase,
    trace: Trace,
    named: NamedMistake,
    mistake: Misconception,
    all_: Heard,
    without: Heard,
) -> NamedMistake:
    tolerance = exercise.tolerance
    before = [array for _, value in without for array in _arrays(value)]
    before += [array for value in case.arguments for array in _arrays(value)]
    only = [
        (name, array)
        for name, value in all_
        for array in _arrays(value)
        if array.size >= LEAST_CELLS and not _is_among(array, before, tolerance)
    ]
    own = [array for name, array in only if name == mistake.target]
    if mistake.target == exercise.entry_point and len(own) < len(only):
        own = []  # it changes what comes before the output: where that shows is told
    step = _first(exercise, trace, own)
    if step is not None:
        is_own = _reads_right(exercise, trace, step, before)
        return replace(named, line=step.line.line, line_kind="own" if is_own else "shows")
    step = _first(exercise, trace, [array for _, array in only])
    return named if step is None else replace(named, line=step.line.line, line_kind="shows")


def _reads_right(exercise: Exercise, trace: Trace, step: Step, before: Sequence[Array]) -> bool:
    """Whether all arrays that a line reads occur without the mistake as well."""
    stages = [(f"{number}", (array,)) for number, array in enumerate(before)]
    found = steps(trace, StageIndex(stages, {}, exercise.tolerance))
    flow = DataFlow(found, exercise.entry_point)
    same = [s for s in found if (s.order, s.name) == (step.order, step.name)]
    reads = [read for one in same for read in (*flow.read_by(one), *flow.called_by(one))]
    return not any(read.unknown or read.opaque for read in reads)


def _first(exercise: Exercise, trace: Trace, arrays: Sequence[Array]) -> Step | None:
    """The first line that assigned one of these arrays, whatever the order of its axes."""
    if not arrays:
        return None
    stages = [(f"{number}", (array,)) for number, array in enumerate(arrays)]
    found = [s for s in steps(trace, StageIndex(stages, {}, exercise.tolerance)) if _equals(s)]
    return min(found, key=lambda step: step.order) if found else None


def _equals(step: Step) -> bool:
    match = step.match
    return match is not None and not match.given and not match.way and step.line.kind != "call"


def _is_among(array: Array, others: Sequence[Array], tolerance: Tolerance) -> bool:
    return any(
        array.size == other.size
        and np.squeeze(array).shape == np.squeeze(other).shape
        and bool(equal_cells(np.squeeze(array), np.squeeze(other), tolerance).all())
        for other in others
    )


def _arrays(value: Value) -> list[Array]:
    if isinstance(value, tuple):
        return [array for part in value for array in _arrays(part)]
    if isinstance(value, dict):
        return [array for part in value.values() for array in _arrays(part)]
    array = as_array(value)
    return [] if array is None else [array]
