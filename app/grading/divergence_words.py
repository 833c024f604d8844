"""The first divergence in words: what was still right, what is the first that is not, and how."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from app.grading.divergence import Divergence
from app.grading.sizes import labels
from app.grading.stages import Book
from app.grading.trace_steps import Flow, Step
from app.grading.words import shape, shown
from app.model import Array, Exercise, Tolerance

_NEAR = 1e-4
_ORDINARY = 1e-12


def message(
    divergence: Divergence,
    flow: Flow,
    book: Book,
    exercise: Exercise,
    sizes: dict[str, int],
) -> str:
    """One to three sentences; the first says where, the others how, as far as it is certain."""
    step, before = divergence.step, divergence.before
    how = _how(divergence, flow, book, exercise, sizes)
    if len(divergence.names) > 1 and how.startswith("It "):
        how = f"`{shown(step.name, 40)}` {how[3:]}"
    if before is None or before.match is None or before.line.line == step.line.line:
        lead = f"{_subject(step, divergence.names)} {_first(divergence)}."
    else:
        rest = _subject(step, divergence.names)
        lead = f"{_subject(before)} is right; {rest[0].lower() + rest[1:]} {_first(divergence)}."
    return f"{lead} {how}".strip()


def _first(divergence: Divergence) -> str:
    if len(divergence.names) > 1:
        return "are the first arrays that are off"
    return "is the first array that is off"


def _subject(step: Step, names: tuple[str, ...] = ()) -> str:
    told = ", ".join(f"`{shown(name, 40)}`" for name in names or (step.name,))
    if step.line.kind == "return":
        return f"What line {step.line.line} returns"
    if step.line.kind == "call":
        return f"What `{shown(step.line.function, 40)}` gets as {told}"
    return f"Your {told} on line {step.line.line}"


def _how(
    divergence: Divergence, flow: Flow, book: Book, exercise: Exercise, sizes: dict[str, int]
) -> str:
    step, index = divergence.step, divergence.stage
    if divergence.follows:
        return _follows(divergence, book)
    if step.match is not None and not step.match.given:
        return f"It equals the {shown(step.match.name, 60)}: the steps after it are missing."
    mine = step.whole
    if mine is None or index is None:
        return ""
    last = index == len(book.names) - 1
    due = [index] if last else list(book.fitting(mine))
    told = (
        *(_places(mine, book, at, exercise.tolerance) for at in due),
        *(_factor(mine, book, at) for at in reversed(due)),
        *_all_sums(step, flow, book, exercise, sizes),
        _other_shape(step, book, index, sizes),
    )
    return next(filter(None, told), "")


def _follows(divergence: Divergence, book: Book) -> str:
    before = divergence.before
    if before is None or before.match is None:
        return ""
    name = shown(before.match.name, 60)
    if before.match.turned:
        return (
            f"It is a softmax over the last axis of the {name}, but `{shown(before.name, 40)}` has "
            "its axes in another order: there the last axis is not the keys'."
        )
    due = min(before.match.index + 1, len(book.names) - 1)
    if book.forms(due)[0].size != book.forms(before.match.index)[0].size:
        return f"It is a softmax of the {name}, which went through one already."
    return (
        f"It is a softmax of the {name}: "
        f"the step from there to the {shown(book.names[due], 60)} is missing."
    )


def _all_sums(
    step: Step, flow: Flow, book: Book, exercise: Exercise, sizes: dict[str, int]
) -> list[str]:
    """What the weights sum to, made from this step on: the axis a softmax runs over."""
    later = [s for s in flow.steps if s.order >= step.order and s.unknown and s.line.kind != "call"]
    told = []
    for one in later:
        mine = one.whole
        if mine is None or np.squeeze(mine).ndim < 2:
            continue
        for at in book.fitting(mine):
            said = _sums(mine, book.names[at], book.forms(at)[0], exercise, sizes)
            if said and one is step:
                told.append(f"It {said}")
            elif said:
                told.append(f"{_subject(one)} {said}")
    return told


def _places(mine: Array, book: Book, index: int, tolerance: Tolerance) -> str:
    """The right numbers, elsewhere: sorted, both are equal."""
    name = book.names[index]
    for form in book.forms(index):
        if form.size == mine.size and np.allclose(
            np.sort(mine, axis=None), np.sort(form, axis=None), tolerance.rtol, tolerance.atol
        ):
            return f"It holds the right numbers of the {shown(name, 60)}, in other places."
    return ""


def _factor(mine: Array, book: Book, index: int) -> str:
    """One factor for all values."""
    got, name = np.squeeze(mine).astype(np.float64), book.names[index]
    for form in book.forms(index):
        want = form.astype(np.float64)
        if want.shape != got.shape or not np.isfinite(got).all() or not np.isfinite(want).all():
            continue
        norm = float((want * want).sum())
        if norm < _ORDINARY:
            continue
        factor = float((got * want).sum()) / norm
        if abs(factor) > _ORDINARY and np.allclose(got, factor * want, rtol=_NEAR, atol=_ORDINARY):
            return f"Every value is {factor:.4g} times that of the {shown(name, 60)}."
    return ""


def _sums(mine: Array, name: str, right: Array, exercise: Exercise, sizes: dict[str, int]) -> str:
    """Weights that sum to 1 over other axes than the right ones do."""
    got_array = np.squeeze(mine)
    want = _axes_of_one(right)
    if want is None or got_array.shape != right.shape or (got_array < 0).any():
        return ""
    got = _axes_of_one(got_array)
    if got == want:
        return ""
    names = exercise.stage_axes.get(name, ())
    names = names if len(names) == right.ndim else labels(right.shape, sizes) or ()
    due = _axis_words(want, names, right.ndim)
    if got is None:
        return ""
    return f"sums to 1 over {_axis_words(got, names, right.ndim)}; it should over {due}."


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


def _other_shape(step: Step, book: Book, index: int, sizes: dict[str, int]) -> str:
    array, right, name = step.array, book.forms(index)[0], book.names[index]
    if array is None or step.whole is not array or array.shape == right.shape:
        return ""
    if sorted(np.squeeze(array).shape) == sorted(right.shape):
        return ""
    named = labels(right.shape, sizes)
    meaning = f" ({', '.join(named)})" if named else ""
    return (
        f"Its shape is {shape(array.shape)}; "
        f"the {shown(name, 60)} has {shape(right.shape)}{meaning}."
    )
