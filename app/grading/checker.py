"""The checker: compares one output with the expected one, on the trusted side only.

Type, then shape (exact, no broadcasting), then dtype kind, then finite where the reference is
finite, then values at the tolerance. What the learner returned is data here, never an object that
could answer for itself: arrays were rebuilt from bytes by the sandbox.
"""

from __future__ import annotations

import base64
from dataclasses import replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from app.grading.sentences.phrases import class_name, dtype_name
from app.model import Array, Mismatch, OddArray, Opaque, Tolerance, Value, Where

Cells = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

MASK_CELLS = 4_096

_KIND = {"b": "bool", "i": "int", "u": "int", "f": "float"}


def check(got: Value, expected: Value, tolerance: Tolerance) -> Mismatch | None:
    """How `got` differs from `expected`; None where it is right.

    `expected` is an array, a number or a tuple of them; a tuple is compared part by part and the
    first part that is off is told. Never raises, whatever `got` is.

    >>> wanted = np.array([1.0, 2.0])
    >>> check(np.array([1.0, 2.0 + 1e-12]), wanted, Tolerance()) is None
    True
    >>> mismatch = check(np.array([1.0, 2.5]), wanted, Tolerance())
    >>> (mismatch.kind, mismatch.wrong, mismatch.size, mismatch.worst_abs)
    ('values', 1, 2, 0.5)
    >>> check(np.ones((2, 1)), wanted, Tolerance()).kind
    'shape'
    """
    if isinstance(expected, tuple):
        return _check_tuple(got, expected, tolerance)
    if type(got) is int and type(expected) is int:
        return None if got == expected else Mismatch("values", wrong=1, size=1, dtype="int64")
    wanted = as_array(expected)
    if wanted is None:
        return None if same(got, expected, tolerance) else _wrong_type(got, None)
    if isinstance(got, OddArray):
        kind: Literal["shape", "dtype"] = "shape" if got.shape != wanted.shape else "dtype"
        dtype = dtype_name(got.dtype)
        return Mismatch(kind, got_shape=got.shape, expected_shape=wanted.shape, dtype=dtype)
    found = as_array(got)
    if found is None or (wanted.ndim and not isinstance(got, np.ndarray)):
        return _wrong_type(got, wanted.shape)
    return _check_array(found, wanted, tolerance)


def _check_tuple(got: Value, expected: tuple[Value, ...], tolerance: Tolerance) -> Mismatch | None:
    if not isinstance(got, tuple) or len(got) != len(expected):
        return _wrong_type(got, None)
    for index, (mine, theirs) in enumerate(zip(got, expected, strict=True)):
        mismatch = check(mine, theirs, tolerance)
        if mismatch is not None:
            return replace(mismatch, part=index)
    return None


def _wrong_type(got: Value, expected_shape: tuple[int, ...] | None) -> Mismatch:
    return Mismatch("type", got_type=type_name(got), expected_shape=expected_shape)


def _check_array(got: Array, expected: Array, tolerance: Tolerance) -> Mismatch | None:
    is_shaped = got.shape == expected.shape
    is_kind = _KIND[got.dtype.kind] == _KIND[expected.dtype.kind]
    if is_shaped and is_kind:
        right = equal_cells(got, expected, tolerance)
        if right.all():
            return None
    about = Mismatch(
        "dtype" if is_shaped else "shape",
        got_shape=got.shape,
        expected_shape=expected.shape,
        dtype=str(got.dtype),
    )
    if not (is_shaped and is_kind):
        return about
    return _values(about, got.astype(np.float64), expected.astype(np.float64), ~right)


def _values(about: Mismatch, got: Floats, expected: Floats, wrong: Cells) -> Mismatch:
    """Count what is off: how many, how many NaN and inf among them, the worst and where."""
    lost = wrong & ~np.isfinite(got) & np.isfinite(expected)
    both = wrong & np.isfinite(got) & np.isfinite(expected)
    counted = replace(
        about,
        kind="not_finite" if lost.any() else "values",
        wrong=int(wrong.sum()),
        size=got.size,
        nan=int((lost & np.isnan(got)).sum()),
        inf=int((lost & np.isinf(got)).sum()),
        where=where(wrong),
    )
    with np.errstate(all="ignore"):
        error = np.where(both, np.abs(got - expected), -1.0)
    if not both.any():
        return counted
    at = np.unravel_index(int(error.argmax()), error.shape)
    return replace(
        counted,
        worst_abs=float(error[at]),
        worst_index=tuple(int(i) for i in at),
        worst_got=float(got[at]),
        worst_expected=float(expected[at]),
    )


def equal_cells(got: Array, expected: Array, tolerance: Tolerance) -> Cells:
    """Cell by cell: |got - expected| <= atol + rtol * |expected|, NaN = NaN, inf = inf.

    Both of one shape (or broadcastable, for a stack); whole numbers are compared exactly. A NaN
    equals only a NaN and an infinity only itself, so an infinite `expected` gives no room.
    """
    if got.dtype.kind in "biu" and expected.dtype.kind in "biu":
        return np.asarray(got == expected)
    mine, theirs = got.astype(np.float64, copy=False), expected.astype(np.float64, copy=False)
    with np.errstate(all="ignore"):
        near = np.abs(mine - theirs) <= tolerance.atol + tolerance.rtol * np.abs(theirs)
    near &= np.isfinite(theirs)
    if near.all():
        return near
    return np.asarray(near | (mine == theirs) | (np.isnan(mine) & np.isnan(theirs)))


def same(got: Value, expected: Value, tolerance: Tolerance) -> bool:
    """Whether two values of any kind are equal: arrays at the tolerance, the rest exactly."""
    if isinstance(expected, tuple) and isinstance(got, tuple):
        pairs = zip(got, expected, strict=False)
        return len(got) == len(expected) and all(same(a, b, tolerance) for a, b in pairs)
    mine, theirs = as_array(got), as_array(expected)
    if mine is not None and theirs is not None:
        return (
            mine.shape == theirs.shape
            and _KIND[mine.dtype.kind] == _KIND[theirs.dtype.kind]
            and bool(equal_cells(mine, theirs, tolerance).all())
        )
    if isinstance(got, np.ndarray) or isinstance(expected, np.ndarray):
        return False
    if isinstance(got, dict) and isinstance(expected, dict):
        return got.keys() == expected.keys() and all(
            same(got[key], expected[key], tolerance) for key in expected
        )
    return type(got) is type(expected) and got == expected


def changed_argument(before: tuple[Value, ...], after: tuple[Value, ...] | None) -> int | None:
    """Position of the first argument a call changed, bit for bit; None where all are as before.

    `after` is None where the call did not return, and then nothing is said.
    """
    if after is None:
        return None
    for index, (old, new) in enumerate(zip(before, after, strict=False)):
        if not _untouched(old, new):
            return index
    return None


def _untouched(old: Value, new: Value) -> bool:
    if isinstance(old, np.ndarray):
        return (
            isinstance(new, np.ndarray)
            and old.dtype == new.dtype
            and old.shape == new.shape
            and old.tobytes() == new.tobytes()
        )
    if isinstance(old, dict):
        return (
            isinstance(new, dict)
            and old.keys() == new.keys()
            and all(_untouched(value, new[key]) for key, value in old.items())
        )
    if isinstance(old, tuple):
        return isinstance(new, tuple) and len(old) == len(new) and all(map(_untouched, old, new))
    return not isinstance(new, np.ndarray) and (
        type(old) is type(new) and (old == new or old != old)
    )


def as_array(value: Value) -> Array | None:
    """An array or a number as an array (a number is 0-d); None for anything else."""
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, bool | int | float):
        return _number(value)
    return None


def _number(value: bool | int | float) -> Array:
    """A Python number as a 0-d array; an int that no int64 holds becomes the nearest one."""
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return np.asarray(2**63 - 1 if value > 0 else -(2**63))
    return np.asarray(value)


def type_name(value: Value) -> str:
    """The name of a value's type as a learner knows it."""
    if isinstance(value, Opaque):
        return class_name(value.type_name)
    if isinstance(value, np.ndarray | OddArray):
        return "ndarray"
    return "None" if value is None else type(value).__name__


def where(wrong: npt.NDArray[np.bool_]) -> Where:
    """First and last row and column that hold a wrong cell, and the mask.

    The array is read as a table whose columns are its last axis; a 0-d or 1-d one is one row. The
    mask is `numpy.packbits` of the cells in row-major order, base64, or None over 4,096 cells.
    """
    table = wrong.reshape(-1, wrong.shape[-1]) if wrong.ndim else wrong.reshape(1, 1)
    rows, columns = np.flatnonzero(table.any(axis=1)), np.flatnonzero(table.any(axis=0))
    return Where(
        rows=_range(rows),
        columns=_range(columns),
        mask=_mask(table) if table.size <= MASK_CELLS else None,
    )


def _range(indices: npt.NDArray[np.intp]) -> tuple[int, ...]:
    return (int(indices[0]), int(indices[-1])) if indices.size else ()


def _mask(table: npt.NDArray[np.bool_]) -> str:
    return base64.b64encode(np.packbits(table).tobytes()).decode("ascii")
