"""Signs of how a step is off: the right numbers elsewhere, one factor, sums over another axis."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from app.grading.axes import labels
from app.grading.sentences.phrases import shape, shown
from app.grading.trace.stage_index import StageIndex, softmax_steps
from app.grading.trace.steps import DataFlow, Step
from app.model import Array, Exercise, Tolerance

_NEAR = 1e-4
_ORDINARY = 1e-12


def place(step: Step, names: tuple[str, ...] = ()) -> str:
    """How a sentence calls a step: "`q` (line 7)", "what line 9 returns"."""
    told = ", ".join(f"`{shown(name, 40)}`" for name in names or (step.name,))
    if step.line.kind == "return":
        return f"what line {step.line.line} returns"
    if step.line.kind == "call":
        return f"what `{shown(step.line.function, 40)}` gets as {told}"
    return f"{told} (line {step.line.line})"


@dataclass(frozen=True)
class Sign:
    """A sentence about how a step is off; `proof`: it shows that the fault is in its own line."""

    text: str = ""
    proof: bool = False


@dataclass(frozen=True)
class Context:
    """What signs are looked for on: the steps, the stages, the exercise and the case's sizes.

    `numbers` are the whole numbers among the call's arguments.
    """

    flow: DataFlow
    book: StageIndex
    exercise: Exercise
    sizes: dict[str, int]
    numbers: frozenset[int] = frozenset()


def sign(step: Step, index: int | None, ground: Context) -> Sign:
    """How a step is off where a stage is due; an empty sign where nothing is certain."""
    book, exercise = ground.book, ground.exercise
    last = len(book.names) - 1
    if step.match is not None and 0 <= step.match.index < last and not step.match.way:
        return Sign(f"It is still the {shown(step.match.name, 60)}: the later steps are missing.")
    mine = step.whole
    if mine is None or index is None:
        return Sign()
    due = [index] if index == last else list(book.fitting(mine))
    proofs = (
        *(_places(mine, book, at, exercise.tolerance) for at in due),
        *(_factor(mine, book, at) for at in reversed(due)),
        *_all_sums(step, ground),
    )
    proof = next(filter(None, proofs), "")
    return Sign(proof, True) if proof else Sign(_other_shape(step, book, index, ground.sizes))


def follows(root: Step, before: Step | None, tolerance: Tolerance) -> bool:
    """Whether the root is what a softmax, or a step of it, makes of the array before it."""
    if before is None or before.match is None or before.match.way:
        return False
    mine, theirs = root.whole, before.whole
    if mine is None or theirs is None or mine.shape != theirs.shape or mine.dtype.kind != "f":
        return False
    near = (tolerance.rtol, tolerance.atol)
    return any(
        made.shape == mine.shape and np.allclose(mine, made, *near, equal_nan=True)
        for made in softmax_steps(theirs)
    )


def softmax_of(before: Step, book: StageIndex) -> Sign:
    """What is off about the scores a right softmax got."""
    if before.match is None:
        return Sign()
    name = shown(before.match.name, 60)
    if before.match.turned:
        return Sign(
            f"The softmax runs over the last axis of the {name}, but here that axis isn't the "
            f"keys: their axes are in another order."
        )
    due = min(before.match.index + 1, len(book.names) - 1)
    if book.forms(due)[0].size != book.forms(before.match.index)[0].size:
        return Sign(f"The softmax gets the {name}, which already went through one.")
    missing = shown(book.names[due], 60)
    return Sign(f"The {name} go straight into the softmax: the step to the {missing} is missing.")


def _all_sums(step: Step, ground: Context) -> list[str]:
    """What the weights sum to, made from this step on: the axis a softmax runs over."""
    book = ground.book
    later = [
        s
        for s in ground.flow.steps
        if s.order >= step.order and s.unknown and s.line.function == step.line.function
    ]
    told = []
    for one in later:
        mine = one.whole
        if mine is None or np.squeeze(mine).ndim < 2:
            continue
        for at in book.fitting(mine):
            said = _sums(mine, book.names[at], book.forms(at)[0], ground)
            if said and one is step:
                told.append(f"It {said}")
            elif said:
                where = place(one)
                told.append(f"{where[:1].upper()}{where[1:]} {said}")
    return told


def _places(mine: Array, book: StageIndex, index: int, tolerance: Tolerance) -> str:
    """The right numbers, elsewhere: sorted, both are equal."""
    name = book.names[index]
    for form in book.forms(index):
        if form.size == mine.size and np.allclose(
            np.sort(mine, axis=None), np.sort(form, axis=None), tolerance.rtol, tolerance.atol
        ):
            return f"It holds the right numbers for the {shown(name, 60)}, in the wrong order."
    return ""


def _factor(mine: Array, book: StageIndex, index: int) -> str:
    """One factor for all values."""
    got = np.squeeze(mine).astype(np.float64)
    for form in book.forms(index):
        want = form.astype(np.float64)
        if want.shape != got.shape or not np.isfinite(got).all() or not np.isfinite(want).all():
            continue
        norm = float((want * want).sum())
        if norm < _ORDINARY:
            continue
        factor = float((got * want).sum()) / norm
        if (
            abs(factor) > _ORDINARY
            and abs(factor - 1) > _NEAR
            and np.allclose(got, factor * want, rtol=_NEAR, atol=_ORDINARY)
        ):
            return f"Every value is {factor:.4g} times what it should be."
    return ""


def _sums(mine: Array, name: str, right: Array, ground: Context) -> str:
    """Weights that sum to 1 over other axes than the right ones do."""
    got_array = np.squeeze(mine).astype(np.float64)
    want = _axes_of_one(right)
    if want is None or got_array.shape != right.shape or (got_array < 0).any():
        return ""
    got = _axes_of_one(got_array)
    if got == want:
        return ""
    names = ground.exercise.stage_axes.get(name, ())
    names = names if len(names) == right.ndim else labels(right.shape, ground.sizes) or ()
    due = _axis_words(want, names, right.ndim)
    if got is None:
        return ""
    return f"sums to 1 over {_axis_words(got, names, right.ndim)}, but should over {due}."


def _axes_of_one(array: Array) -> tuple[int, ...] | None:
    """The fewest axes over which every sum is 1, or None."""
    if array.dtype.kind != "f" or not np.isfinite(array).all():
        return None
    for count in range(1, array.ndim + 1):
        for axes in combinations(range(array.ndim), count):
            if np.allclose(array.sum(axis=axes), 1.0, rtol=_NEAR, atol=_NEAR):
                return axes
    return None


def _axis_words(axes: tuple[int, ...], names: tuple[str, ...], ndim: int) -> str:
    if len(axes) == ndim:
        return "the whole array"
    told = [
        ("the last axis" if axis == ndim - 1 else f"axis {axis}")
        + (f" ({names[axis]})" if axis < len(names) else "")
        for axis in axes
    ]
    return " and ".join(told)


def _other_shape(step: Step, book: StageIndex, index: int, sizes: dict[str, int]) -> str:
    array, right, name = step.array, book.forms(index)[0], book.names[index]
    if array is None or step.whole is not array or array.shape == right.shape:
        return ""
    if sorted(np.squeeze(array).shape) == sorted(right.shape):
        return ""
    named = labels(right.shape, sizes)
    meaning = f": {' × '.join(named)}" if named else ""
    return (
        f"Its shape is {shape(array.shape)}, but the {shown(name, 60)} should be "
        f"{shape(right.shape)}{meaning}."
    )
