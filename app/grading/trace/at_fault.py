"""Whether a line that is off is at fault: changing it could make the output right.

A line may be off and be right: it is on the way to something the reference has no name for, it
fills an array that others go on filling, or one of the things it reads is what is wrong. Where the
trace can't tell, no line is named.
"""

from __future__ import annotations

import numpy as np

from app.grading.trace.signs import Context, Sign
from app.grading.trace.stage_index import Match
from app.grading.trace.steps import DataFlow, Step
from app.model import Array

_WHOLE = ("int", "int64", "int32")


def is_at_fault(step: Step, found: Sign, context: Context) -> bool:
    """Whether the line of a step may be named as the one where the computation goes wrong."""
    flow = context.flow
    if not _reads_right(step, context) or _takes_one_for_another(step, flow):
        return False
    if step is flow.returned(flow.entry_point):
        return True
    if _is_filled_later(step, flow) or _becomes_right(step, context):
        return False
    arrays = _right_arrays(step, flow)
    if step.array is None or step.array.dtype.kind != "f" or not arrays:
        return False
    return found.proof or len(arrays) > 1 or _stands_for_weights(step, arrays, context)


def _stands_for_weights(step: Step, arrays: list[Step], context: Context) -> bool:
    """Whether a step is made of the scores alone, has their size, and is no part of a softmax.

    All that a softmax leads through is known; what is none of it, with the next step right of the
    scores, is where it goes wrong.
    """
    made_of = arrays[0].match
    if made_of is None or step.whole is None or not context.book.leads_to_weights(made_of.index):
        return False
    return step.whole.size == context.book.bases[made_of.index].size


def _reads_right(step: Step, context: Context) -> bool:
    """Whether all that a line reads is right: arrays equal a stage, whole numbers a size."""
    flow = context.flow
    known = _known_numbers(context)
    for read in flow.read_by(step):
        if read.opaque or read.unknown or read.partly:
            return False
        if read.array is None and not _is_known(read, known):
            return False
    return not any(s.opaque or s.unknown for s in flow.called_by(step))


def _known_numbers(context: Context) -> set[int]:
    """Sizes and arguments, their sums, differences and halves: what a line may count by."""
    sizes = {*context.sizes.values(), *context.numbers}
    pairs = {number for a in sizes for b in sizes for number in (a + b, a - b)}
    return {*sizes, *pairs, *(size // 2 for size in sizes)} - {0}


def _is_known(read: Step, known: set[int]) -> bool:
    told = next(a for a in read.line.last if a.name == read.name)
    if read.line.kind == "loop" or told.type_name not in _WHOLE:
        return told.type_name not in ("float", "float64") or read.line.kind == "call"
    return told.text.lstrip("-").isdecimal() and int(told.text) in known


def _takes_one_for_another(step: Step, flow: DataFlow) -> bool:
    """Whether two names that a line reads hold one and the same stage: one of them should not."""
    held: dict[tuple[int, str], str] = {}
    for read in flow.read_by(step):
        if read.match is None or read.match.way:
            continue
        key = (read.match.index, read.match.name)
        if held.setdefault(key, read.name) != read.name:
            return True
    return False


def _is_filled_later(step: Step, flow: DataFlow) -> bool:
    """Whether an array is filled by more than one line: none of them is off by itself."""
    stores = [
        s
        for s in flow.steps
        if s.line.kind == "store" and s.name == step.name and s.line.function == step.line.function
    ]
    return bool(stores) and (step not in stores or len(stores) > 1)


def _becomes_right(step: Step, context: Context) -> bool:
    """Whether something made from a step equals a stage again: then the step was on its way."""
    flow, made = context.flow, {step}
    for later in flow.steps:
        if later.order <= step.order:
            continue
        if made.isdisjoint((*flow.read_by(later), *flow.called_by(later))):
            continue
        if _is_stage(later.match):
            return True
        made.add(later)
    return False


def _is_stage(match: Match | None) -> bool:
    return match is not None and not match.given


def _right_arrays(step: Step, flow: DataFlow) -> list[Step]:
    made = (*flow.read_by(step), *flow.called_by(step))
    return [s for s in made if s.array is not None and s.match is not None]


def summed_wrong(step: Step, context: Context) -> Step | None:
    """The sums that right exponentials are divided by, where the quotient is off by them alone."""
    flow, book = context.flow, context.book
    read = [s for s in flow.read_by(step) if s.array is not None]
    sums = [s for s in read if s.unknown]
    powers = [s for s in read if s.match is not None and s.match.index >= 0]
    if len(sums) != 1 or len(powers) != 1 or not _reads_right(sums[0], context):
        return None
    top, below, got = powers[0].whole, sums[0].whole, step.whole
    match = powers[0].match
    if top is None or below is None or got is None or match is None:
        return None
    weights = book.weights_of(match.index)
    if weights is None or not _is_quotient(got, top, below):
        return None
    top = top.astype(np.float64)
    total = top.sum(axis=-1, keepdims=True)
    if np.squeeze(top).shape != np.squeeze(weights).shape:
        return None
    right = np.allclose(np.squeeze(top / total), np.squeeze(weights), rtol=1e-5, atol=1e-8)
    return sums[0] if right else None


def _is_quotient(got: Array, top: Array, below: Array) -> bool:
    try:
        with np.errstate(all="ignore"):
            made = top.astype(np.float64) / below.astype(np.float64)
    except ValueError:
        return False
    return made.shape == got.shape and bool(np.allclose(made, got, rtol=1e-9, equal_nan=True))
