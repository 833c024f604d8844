"""The labelled probe: where the cells of an argument end up when the learner's own code runs.

The right output of a probe is a known arrangement of cells, each told apart by its value: the token
and the column it came from. Layout mistakes scramble it. Mistakes of scale do not: weights are so
sharp that each output cell is one cell of the argument, whatever the scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from app.grading.checker import as_array
from app.grading.sentences.phrases import shown
from app.grading.trace.cell_labels import MIXED, SIDE, Labels, Places, rows, table
from app.grading.trace.cell_words import Counts, words
from app.grading.trace.moved_cells import MOST_AXES, first_moved
from app.grading.trace.stage_index import StageIndex
from app.grading.trace.steps import Step, steps
from app.model import (
    Array,
    EarlierCells,
    Execution,
    Exercise,
    Expectations,
    ProbeResult,
    TestCase,
    Trace,
    Value,
)

State: TypeAlias = Literal["in_place", "scaled", "shape", "moved", "mixed"]

MOST_SLICES = 4


def describe_cells(
    exercise: Exercise,
    expectations: Expectations,
    case: TestCase,
    execution: Execution,
    trace: Trace | None = None,
) -> ProbeResult | None:
    """The picture of one probe: right and yours cell by cell, and what is to be said of it.

    None where the call did not come back, or brought nothing that could be drawn.
    """
    labels = _labels(exercise, expectations, case)
    right, mine = _first(case.expected), _first(execution.value)
    if isinstance(case.expected, tuple) != isinstance(execution.value, tuple):
        return None
    if labels is None or right is None or execution.ended != "returned" or mine is None:
        return None
    if mine.size == 0 or right.size == 0:
        return None
    right, mine = table(right), table(mine)
    if max(*right.shape, *mine.shape) > SIDE:
        return None
    told = _earlier_moved(exercise, expectations, case, trace, labels)
    return told or _output(exercise, expectations, case, trace, labels, right, mine)


def _output(
    exercise: Exercise,
    expectations: Expectations,
    case: TestCase,
    trace: Trace | None,
    labels: Labels,
    right: Array,
    mine: Array,
) -> ProbeResult:
    due, found = labels.places(right), labels.places(mine)
    factor = _factor(mine, right)
    state = _state(due, found, mine.shape == right.shape, factor)
    if state == "scaled":
        found = due
    moved = _moved(due, found, mine.shape == right.shape)
    values = mine.astype(np.float64).ravel()[found == MIXED]
    counts = Counts(
        state,
        int(moved.sum()),
        int((found == MIXED).sum()),
        right.size,
        nan=int((~np.isfinite(values)).sum()),
        unfilled=int((values == 0).sum()),
    )
    said = words(counts, mine.shape, right.shape, factor)
    return ProbeResult(
        case=case.name,
        purpose=case.purpose,
        headline=said[0],
        message=said[1],
        state=state,
        moved=counts.moved,
        mixed=counts.mixed,
        size=counts.size,
        heads=_heads(exercise, expectations, case, right.shape[1]),
        right=rows(right, due, np.zeros(right.size, bool), labels),
        yours=rows(mine, found, moved, labels),
        factor=None if factor is None or state != "scaled" else f"{factor:.4g}",
        earlier=None
        if trace is None or state in ("in_place", "scaled")
        else _earlier(exercise, expectations, case, trace, labels),
    )


def _earlier_moved(
    exercise: Exercise,
    expectations: Expectations,
    case: TestCase,
    trace: Trace | None,
    labels: Labels,
) -> ProbeResult | None:
    """The picture of the array that goes wrong first, where that is not the output itself."""
    stages = expectations.stages.get(case.name, ())
    one = None if trace is None else first_moved(trace, stages, exercise.tolerance, labels)
    if one is None or one.step.line.kind == "return" or one.mine.ndim < MOST_AXES:
        return None
    right, mine, moved = table(one.right), table(one.mine), one.due != one.found
    line, name = one.step.line.line, shown(one.step.name, 40)
    return ProbeResult(
        case=case.name,
        purpose=case.purpose,
        headline=f"On line {line}, {moved.sum()} of {moved.size} cells of `{name}` are misplaced.",
        message="Its rows stand head by head.",
        state="moved",
        moved=int(moved.sum()),
        mixed=0,
        size=moved.size,
        heads=None,
        right=rows(right, one.due, np.zeros(moved.size, bool), labels),
        yours=rows(mine, one.found, moved, labels),
    )


def choose(pictures: Sequence[ProbeResult]) -> ProbeResult | None:
    """The probe to show: the first that shows something moved; None where nothing did."""
    return next((picture for picture in pictures if picture.shows_something), None)


def _labels(exercise: Exercise, expectations: Expectations, case: TestCase) -> Labels | None:
    if exercise.probe is None:
        return None
    names = [parameter.name for parameter in expectations.parameters]
    arguments = dict(zip(names, case.arguments, strict=False))
    parts = [arguments.get(name) for name in exercise.probe.labels]
    arrays = [part for part in parts if isinstance(part, np.ndarray) and part.ndim == 2]
    if not arrays or len(arrays) != len(parts):
        return None
    cells = np.concatenate(arrays)
    tokens, columns = np.indices(cells.shape)
    return Labels(cells.astype(np.float64).ravel(), tokens.ravel(), columns.ravel())


def _first(value: Value) -> Array | None:
    """The output, or the first part of a tuple."""
    if isinstance(value, tuple):
        value = value[0] if value else None
    return as_array(value)


def _factor(mine: Array, right: Array) -> float | None:
    """The one factor between two arrays of a shape; None where there is none."""
    if mine.shape != right.shape or not np.isfinite(mine.astype(np.float64)).all():
        return None
    got, want = mine.astype(np.float64), right.astype(np.float64)
    factor = float((got * want).sum() / (want * want).sum())
    near = abs(factor) > 1e-6 and np.allclose(got, factor * want, rtol=1e-4, atol=1e-8)
    return factor if near else None


def _state(due: Places, found: Places, same_shape: bool, factor: float | None) -> State:
    if not same_shape:
        return "shape"
    if (due == found).all():
        return "in_place"
    if factor is not None:
        return "scaled"
    return "moved" if (found != MIXED).any() else "mixed"


def _moved(due: Places, found: Places, same_shape: bool) -> npt.NDArray[np.bool_]:
    if not same_shape:
        return np.zeros(found.size, bool)
    moved: npt.NDArray[np.bool_] = (due != found) & (found != MIXED)
    return moved


def _heads(
    exercise: Exercise, expectations: Expectations, case: TestCase, columns: int
) -> int | None:
    """How many heads stand side by side in the output, where they divide its columns."""
    if exercise.heads is None:
        return None
    names = [parameter.name for parameter in expectations.parameters]
    count = dict(zip(names, case.arguments, strict=False)).get(exercise.heads.count)
    whole = isinstance(count, int) and not isinstance(count, bool) and count > 1
    return int(count) if whole and isinstance(count, int) and columns % count == 0 else None


def _earlier(
    exercise: Exercise, expectations: Expectations, case: TestCase, trace: Trace, labels: Labels
) -> EarlierCells | None:
    """The last array of heads before the end in which every cell still is in its place."""
    stages = expectations.stages.get(case.name, ())
    book = StageIndex(stages, {}, exercise.tolerance)
    fits = [s for s in steps(trace, book) if _shows_heads(s, labels) and not _is_last(s, book)]
    if not fits:
        return None
    step = max(fits, key=lambda s: s.order)
    array = step.whole
    assert array is not None  # noqa: S101 (_shows_heads looked)
    return EarlierCells(
        line=step.line.line,
        name=shown(step.name, 40),
        slices=tuple(
            rows(part, labels.places(part), np.zeros(part.size, bool), labels) for part in array
        ),
    )


def _shows_heads(step: Step, labels: Labels) -> bool:
    array = step.whole
    if array is None or step.match is None or array.ndim != MOST_AXES:
        return False
    if step.line.kind in ("call", "return"):
        return False
    if (
        array.shape[0] > MOST_SLICES
        or max(array.shape) > SIDE
        or array.size > labels.values.size * 4
    ):
        return False
    return bool((labels.places(array) != MIXED).all())


def _is_last(step: Step, book: StageIndex) -> bool:
    return step.match is not None and step.match.index == len(book.names) - 1
