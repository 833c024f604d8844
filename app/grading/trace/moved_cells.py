"""The first array of a traced call that holds the labelled cells, but in other places.

A bare reshape that splits the heads leaves an output in which every cell is a mix. The array that
it made still holds one labelled cell each, and shows where they went.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.grading.trace.cell_labels import MIXED, SIDE, Labels, Places
from app.grading.trace.stage_index import StageIndex
from app.grading.trace.steps import Step, steps
from app.model import Array, Tolerance, Trace

MOST_AXES = 3
Stages = Sequence[tuple[str, tuple[Array, ...]]]


@dataclass(frozen=True, eq=False)
class MovedCells:
    """A step whose cells are not in their places, and the stage that has them there."""

    step: Step
    right: Array
    mine: Array
    due: Places
    found: Places


def first_moved(
    trace: Trace, stages: Stages, tolerance: Tolerance, labels: Labels
) -> MovedCells | None:
    """The first such step; None where every array of labelled cells is as it should be."""
    book = StageIndex(stages, {}, tolerance)
    for step in sorted(steps(trace, book), key=lambda one: one.order):
        if step.match is not None or step.line.kind == "call" or step.whole is None:
            continue
        found = _moved(step, step.whole, stages, labels)
        if found is not None:
            return found
    return None


def _moved(step: Step, mine: Array, stages: Stages, labels: Labels) -> MovedCells | None:
    if mine.ndim not in (2, MOST_AXES) or mine.size != labels.values.size:
        return None
    if mine.dtype.kind not in "fiu" or mine.reshape(-1, mine.shape[-1]).shape[0] > SIDE:
        return None
    found = labels.places(mine)
    if (found == MIXED).any() or (mine.ndim < MOST_AXES and labels.in_order(found)):
        return None
    for _, forms in stages:
        right = forms[0]
        if right.shape != mine.shape or right.dtype.kind not in "fiu":
            continue
        due = labels.places(right)
        if np.array_equal(np.sort(due), np.sort(found)) and (due != found).any():
            return MovedCells(step, right, mine, due, found)
    return None
