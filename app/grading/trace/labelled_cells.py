"""The labelled probe: where the cells of an argument end up when the learner's own code runs.

The right output of a probe is a known arrangement of cells, each told apart by its value: the token
and the column it came from. Layout mistakes scramble it. Mistakes of scale do not: weights are so
sharp that each output cell is one cell of the argument, whatever the scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from app.grading.checker import as_array
from app.grading.sentences.phrases import shown
from app.grading.trace.cell_words import Counts, words
from app.grading.trace.stage_index import StageIndex
from app.grading.trace.steps import Step, steps
from app.model import (
    Array,
    CellRows,
    EarlierCells,
    Execution,
    Exercise,
    Expectations,
    LabelledCell,
    ProbeResult,
    TestCase,
    Trace,
    Value,
)

Places: TypeAlias = "npt.NDArray[np.int64]"
"""For each cell the number of the labelled cell it holds; MIXED where it holds none of them."""

State: TypeAlias = Literal["in_place", "scaled", "shape", "moved", "mixed"]

MIXED = -1
NEAR = 1e-3
"""Which cell a value is, not how exactly: what is rounded is still in its place."""

SIDE = 16
MOST_SLICES = 4


@dataclass(frozen=True)
class Labels:
    """The labelled cells: their values, and token and column of each."""

    values: npt.NDArray[np.float64]
    tokens: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int64]

    def places(self, array: Array) -> Places:
        """Which labelled cell each cell of an array holds; flat in row-major order."""
        flat = array.astype(np.float64).ravel()
        with np.errstate(all="ignore"):
            near = np.abs(flat[:, None] - self.values[None, :]) <= NEAR
        return np.where(near.sum(axis=1) == 1, near.argmax(axis=1), MIXED)


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
    if labels is None or right is None or execution.ended != "returned" or mine is None:
        return None
    if mine.size == 0 or right.size == 0:
        return None
    right, mine = _table(right), _table(mine)
    if max(*right.shape, *mine.shape) > SIDE:
        return None
    due, found = labels.places(right), labels.places(mine)
    factor = _factor(mine, right)
    state = _state(due, found, mine.shape == right.shape, factor)
    if state == "scaled":
        found = due
    moved = _moved(due, found, mine.shape == right.shape)
    counts = Counts(
        state, int((moved & (found != MIXED)).sum()), int((found == MIXED).sum()), right.size
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
        right=_rows(due, np.zeros(right.size, bool), right.shape, labels),
        yours=_rows(found, moved, mine.shape, labels),
        factor=None if factor is None or state != "scaled" else f"{factor:.4g}",
        earlier=None
        if trace is None or state in ("in_place", "scaled")
        else _earlier(exercise, expectations, case, trace, labels),
    )


def choose(pictures: Sequence[ProbeResult]) -> ProbeResult | None:
    """The probe to show: the first that shows something moved, else the first."""
    off = [picture for picture in pictures if picture.shows_something]
    return off[0] if off else pictures[0] if pictures else None


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


def _table(array: Array) -> Array:
    return array.reshape(-1, array.shape[-1]) if array.ndim else array.reshape(1, 1)


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
        return np.ones(found.size, bool)
    moved: npt.NDArray[np.bool_] = due != found
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


def _rows(
    places: Places, moved: npt.NDArray[np.bool_], shape: tuple[int, ...], labels: Labels
) -> CellRows:
    cells = [_cell(int(p), bool(m), labels) for p, m in zip(places, moved, strict=True)]
    width = shape[-1]
    return tuple(tuple(cells[at : at + width]) for at in range(0, len(cells), width))


def _cell(place: int, moved: bool, labels: Labels) -> LabelledCell:
    if place == MIXED:
        return LabelledCell(None, None, "mix", moved)
    token, column = int(labels.tokens[place]), int(labels.columns[place])
    return LabelledCell(token, column, f"t{token}·c{column}", moved)


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
    name = "what it returns" if step.line.kind == "return" else shown(step.name, 40)
    return EarlierCells(
        line=step.line.line,
        name=name,
        slices=tuple(
            _rows(labels.places(part), np.zeros(part.size, bool), part.shape, labels)
            for part in array
        ),
    )


def _shows_heads(step: Step, labels: Labels) -> bool:
    array = step.whole
    if array is None or step.match is None or step.line.kind == "call" or array.ndim != 3:
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
