"""Values as Python source: the arguments of imported test cases, written for their author."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from app.model import Array, Value

MOST_ELEMENTS = 2000
_USUAL = ("float64", "int64", "bool")
_SPECIAL = re.compile(r"\b(nan|inf)\b")


def literal(value: Value) -> str:
    """Source that gives the value, where `np` is NumPy.

    Raises ValueError for what no source can spell: too many elements, objects.
    """
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, dict):
        entries = (f"{key!r}: {literal(part)}" for key, part in value.items())
        return f"{{{', '.join(entries)}}}"
    if value is None or isinstance(value, bool | int | float | str):
        return _numbers(value) if isinstance(value, float) else repr(value)
    raise ValueError(f"a value of type {type(value).__name__}")


def _array(array: Array) -> str:
    if array.size > MOST_ELEMENTS:
        raise ValueError(f"{array.size:,} elements are too many to write down")
    name = array.dtype.name
    dtype = "" if name in _USUAL else f", dtype=np.{name}"
    if array.size == 0:
        return f"np.zeros({array.shape}, dtype=np.{'bool_' if name == 'bool' else name})"
    return f"np.array({_numbers(array.tolist())}{dtype})"


def _numbers(value: Any) -> str:
    return _SPECIAL.sub(r"np.\1", repr(value))
