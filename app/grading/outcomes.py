"""What a program gives on one case, as far as misconceptions are told apart by it.

The same function makes the outcomes of the mistakes (kept in `Expectations`) and those of a
submission, so the two can be compared kind by kind (design.md section 6, "Diagnosis").
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from app.grading.checker import Cells, as_array, changed_argument, equal_cells, type_name
from app.model import (
    Execution,
    Mismatch,
    OddArray,
    Outcome,
    Raised,
    TestCase,
    Tolerance,
    Value,
)

_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")
EXCEPTION_CHARACTERS = 500

Signature = tuple[object, ...]
Vector = npt.NDArray[np.float64]


def outcome(execution: Execution, mismatch: Mismatch | None, case: TestCase) -> Outcome:
    """The outcome of one case, given how its value differs from the expected one.

    The first argument that was changed stands in `text`, also besides something else, so that a
    program with two mistakes is not taken for one. An execution that ran into a limit, was killed
    or was not run is "other": it never equals anything, so nothing is named by it.
    """
    if execution.ended == "raised" and execution.raised is not None:
        return Outcome("exception", text=_exception(execution.raised))
    if execution.ended != "returned":
        return Outcome("other")
    if mismatch is None:
        return Outcome("right")
    if mismatch.kind == "arguments_changed":
        return Outcome("changed", text=changed_text(mismatch.argument))
    also = changed_text(changed_argument(case.arguments, execution.arguments))
    if execution.value is None:
        return Outcome("none", text=also)
    if mismatch.kind == "dtype":
        return Outcome("dtype", value=execution.value, text=also)
    if mismatch.kind == "type" and not _numeric_parts(execution.value, mismatch):
        return Outcome("type", text=_types(execution.value, mismatch) + also)
    return Outcome("array", value=execution.value, text=also)


def plain_outcome(
    value: Value, expected: Value, changed: int | None, tolerance: Tolerance, unchanged: bool
) -> Outcome | None:
    """What `outcome` gives, without the words for where and by how much it is off.

    For float arrays of one shape, which nearly all are; None for others. `changed` is the position
    of the first argument that was changed, which `unchanged` forbids.
    """
    if not (isinstance(value, np.ndarray) and isinstance(expected, np.ndarray)):
        return None
    if value.shape != expected.shape or not value.dtype.kind == expected.dtype.kind == "f":
        return None
    if not equal_cells(value, expected, tolerance).all():
        return Outcome("array", value=value, text=changed_text(changed))
    if changed is None or not unchanged:
        return Outcome("right")
    return Outcome("changed", text=changed_text(changed))


def changed_text(position: int | None) -> str:
    """What an outcome says of the first argument that was changed; "" where none was."""
    return "" if position is None else f", argument {position} changed"


def _exception(raised: Raised) -> str:
    """Type and message, addresses cut. What a learner's own `raise` says is anybody's wording."""
    if raised.own:
        return f"{raised.type}, raised by the code itself"
    return f"{raised.type}: {_ADDRESS.sub('0x…', raised.message)}"[:EXCEPTION_CHARACTERS]


def _numeric_parts(value: Value, mismatch: Mismatch) -> bool:
    """Whether a tuple was expected and given, its parts all arrays or numbers."""
    return (
        mismatch.part is not None
        and isinstance(value, tuple)
        and all(as_array(part) is not None for part in value)
    )


def _types(value: Value, mismatch: Mismatch) -> str:
    if mismatch.part is not None and isinstance(value, tuple):
        return f"tuple of {', '.join(map(type_name, value))}"
    return type_name(value)


def flat(value: Value) -> tuple[Signature, Vector] | None:
    """An array outcome as one vector, and all that must be equal exactly: shapes and odd dtypes.

    None where the value holds anything but arrays and numbers.
    """
    parts = value if isinstance(value, tuple) else (value,)
    signature: list[object] = []
    vectors: list[Vector] = []
    for part in parts:
        if isinstance(part, OddArray):
            signature.append((part.dtype, part.shape))
            continue
        array = as_array(part)
        if array is None:
            return None
        signature.append((array.shape, array.dtype.kind))
        vectors.append(array.astype(np.float64, copy=False).ravel())
    joined = vectors[0] if len(vectors) == 1 else np.concatenate([np.empty(0), *vectors])
    return tuple(signature), joined


def all_equal(seen: Sequence[Outcome], known: Sequence[Outcome], tolerance: Tolerance) -> bool:
    """Whether two programs' outcomes are the same on every case, all numbers in one compare."""
    both = list(zip(seen, known, strict=True))
    if any(mine != theirs or mine.kind == "other" for mine, theirs in both):
        return False
    arrays = [(flat(a.value), flat(b.value)) for a, b in both if a.kind in ("array", "dtype")]
    mine, theirs = [np.empty(0)], [np.empty(0)]
    for one, other in arrays:
        if one is None or other is None or one[0] != other[0]:
            return False
        mine.append(one[1])
        theirs.append(other[1])
    return bool(equal_cells(np.concatenate(mine), np.concatenate(theirs), tolerance).all())


def equal_outcomes(seen: Outcome, others: list[Outcome], tolerance: Tolerance) -> list[bool]:
    """Which of `others` are the same outcome as `seen`, arrays in one stacked compare.

    Of one kind, and: exceptions of one type and message, arrays of one shape equal at the
    tolerance with NaN = NaN and inf = inf. "other" equals nothing.
    """
    if seen.kind == "other":
        return [False] * len(others)
    if seen.kind not in ("array", "dtype"):
        return [other == seen for other in others]
    mine = flat(seen.value)
    equal = [False] * len(others)
    if mine is None:
        return equal
    stack: list[Vector] = []
    rows: list[int] = []
    for index, other in enumerate(others):
        theirs = flat(other.value) if other == seen else None  # value takes no part in ==
        if theirs is not None and theirs[0] == mine[0]:
            rows.append(index)
            stack.append(theirs[1])
    if stack:
        cells: Cells = equal_cells(mine[1][np.newaxis], np.stack(stack), tolerance)
        for index, row in zip(rows, cells, strict=True):
            equal[index] = bool(row.all())
    return equal
