"""The shape trace of a run as the report tells it, line by line, held against the stages.

Marks and the first divergence only on cases where nothing can be mixed up by chance: all sizes
differ, no stage is symmetric, no two arguments are equal, and it is none of the tests.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.grading.axes import labels, named_sizes
from app.grading.checker import check
from app.grading.sentences.phrases import shown
from app.grading.trace import divergence as divergences
from app.grading.trace import guided
from app.grading.trace.divergence import Divergence
from app.grading.trace.signs import Context
from app.grading.trace.stage_index import StageIndex
from app.grading.trace.steps import DataFlow, Step, steps
from app.model import (
    Array,
    Assigned,
    EqualBefore,
    Execution,
    Exercise,
    Expectations,
    NamedShape,
    ShapeDivergence,
    ShapeLine,
    ShapeTrace,
    TestCase,
    Trace,
    TracedLine,
    Value,
)

_TEXT = 60


def describe_trace(
    exercise: Exercise,
    expectations: Expectations,
    case: TestCase,
    execution: Execution,
    trace: Trace,
    guide: ShapeTrace | None = None,
) -> ShapeTrace:
    """The trace of one call on one case; axis names and marks only where certain.

    `guide` is the same program's trace on a case where nothing can be mixed up. It says which lines
    are right and which is the first that is not; what is said of them is looked up on this case.
    """
    certain = telling(exercise, expectations, case)
    named = named_sizes(exercise, expectations.parameters, case.arguments)
    sizes = named if certain else {}
    stages = expectations.stages.get(case.name, ()) if certain or guide else ()
    names = [parameter.name for parameter in expectations.parameters]
    arguments = dict(zip(names, case.arguments, strict=False))
    book = StageIndex(stages, arguments, exercise.tolerance)
    found = steps(trace, book)
    flow, off = DataFlow(found, exercise.entry_point), None
    is_off = _is_off(exercise, case, execution)
    whole = frozenset(v for v in case.arguments if isinstance(v, int))
    context = Context(flow, book, exercise, named, whole)
    if certain and stages and is_off:
        off = divergences.first(context, case.arguments)
    divergence = None if off is None else _divergence(off, book)
    lines = _lines(trace, found, sizes, off)
    if not certain:
        divergence = guided.divergence(guide, context) if guide and is_off else None
        lines = guided.marked(lines, guide, None if divergence is None else divergence.line)
    return ShapeTrace(
        case=case.name,
        purpose=case.purpose,
        lines=lines,
        cut=shown(trace.cut, 400),
        ended="returned" if execution.ended == "returned" else "raised",
        first_difference=None if divergence is None else divergence.line,
        divergence=divergence,
        start=_start(found, exercise) if is_off else None,
    )


def _start(found: Sequence[Step], exercise: Exercise) -> int | None:
    """Where to begin to look: the first array of the function itself that equals no stage."""
    own = [s for s in found if s.line.function == exercise.entry_point and s.line.kind != "call"]
    unknown = next((s for s in own if s.unknown), None)
    last = next((s for s in reversed(own) if s.line.kind == "return"), None)
    chosen = unknown or last
    return None if chosen is None else chosen.line.line


def telling(exercise: Exercise, expectations: Expectations, case: TestCase) -> bool:
    """Whether on this case an array that equals a stage does so for no other reason."""
    if case.name not in {example.name for example in expectations.examples}:
        return False
    sizes = named_sizes(exercise, expectations.parameters, case.arguments)
    known = list(sizes.values())
    arrays = [array for value in case.arguments for array in _arrays(value)]
    if not known:
        return all(len(set(a.shape)) == a.ndim for a in arrays)
    twins = any(_equal(a, b) for n, a in enumerate(arrays) for b in arrays[:n])
    stages = expectations.stages.get(case.name, ())
    mirrored = any(_symmetric(forms[0]) for _, forms in stages)
    return len(set(known)) == len(known) and not twins and not mirrored


def _arrays(value: Value) -> list[Array]:
    if isinstance(value, dict):
        return [array for part in value.values() for array in _arrays(part)]
    return [value] if isinstance(value, np.ndarray) else []


def _equal(one: Array, other: Array) -> bool:
    return one.shape == other.shape and one.size > 1 and bool((one == other).all())


def _symmetric(array: Array) -> bool:
    """Whether a computed array equals itself with its last two axes exchanged."""
    if array.ndim < 2 or array.dtype.kind != "f" or array.shape[-1] != array.shape[-2]:
        return False
    return array.shape[-1] > 1 and np.allclose(array, np.swapaxes(array, -1, -2), equal_nan=True)


def _is_off(exercise: Exercise, case: TestCase, execution: Execution) -> bool:
    if execution.ended != "returned":
        return False
    return check(execution.value, case.expected, exercise.tolerance) is not None


# ------------------------------------------------------------------ lines


def _lines(
    trace: Trace, found: Sequence[Step], sizes: dict[str, int], off: Divergence | None
) -> tuple[ShapeLine, ...]:
    """The lines that assign something, by number; parameters are left out."""
    found_lines = []
    own: dict[int, list[Step]] = {}
    for step in found:
        own.setdefault(step.order, []).append(step)
    for order, line in enumerate(trace.lines):
        if line.kind == "call":
            continue
        differs = off is not None and off.step.order == order
        found_lines.append(_line(line, own.get(order, ()), sizes, differs))
    return tuple(sorted(found_lines, key=lambda each: each.line))


def _line(line: TracedLine, own: Sequence[Step], sizes: dict[str, int], differs: bool) -> ShapeLine:
    arrays = [step for step in own if step.array is not None and not step.settled]
    known = [step.match for step in arrays if step.match and not step.match.given]
    stages = [match.name for match in known if not match.way]
    equal = bool(arrays) and len(stages) == len(arrays) and not differs
    return ShapeLine(
        line=line.line,
        function=shown(line.function, _TEXT),
        kind=line.kind,
        passes=line.passes,
        first=tuple(_assigned(a, sizes) for a in line.first),
        last=tuple(_assigned(a, sizes) for a in line.last),
        state="differs" if differs else "equal" if equal else None,
        stage=", ".join(dict.fromkeys(stages)) if equal else None,
    )


def _assigned(assigned: Assigned, sizes: dict[str, int]) -> NamedShape:
    axes = None if assigned.shape is None else labels(assigned.shape, sizes)
    return NamedShape(
        name=shown(assigned.name, _TEXT),
        type_name=shown(assigned.type_name, _TEXT),
        shape=assigned.shape,
        dtype=assigned.dtype,
        text=shown(assigned.text, _TEXT),
        axes=tuple(axes) if axes else None,
    )


def _divergence(off: Divergence, book: StageIndex) -> ShapeDivergence:
    before = off.before
    return ShapeDivergence(
        line=off.step.line.line,
        name=shown(", ".join(off.names), _TEXT),
        stage=None if off.stage is None else book.names[off.stage],
        message=off.message,
        how=off.sign.text,
        before=None
        if before is None or before.match is None
        else EqualBefore(before.line.line, shown(before.name, _TEXT), before.match.name),
    )
