"""Whether an author's file gave the same value twice."""

from __future__ import annotations

import numpy as np

from app.model import Value


def identical(first: Value, second: Value) -> bool:
    """Whether two values are the same to the last bit; NaN is NaN."""
    if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        same = first.dtype == second.dtype and first.shape == second.shape
        return same and first.tobytes() == second.tobytes()
    if isinstance(first, tuple) and isinstance(second, tuple):
        return len(first) == len(second) and all(map(identical, first, second))
    if isinstance(first, dict) and isinstance(second, dict):
        return list(first) == list(second) and all(identical(first[k], second[k]) for k in first)
    if isinstance(first, float) and isinstance(second, float) and first != first:
        return second != second
    return type(first) is type(second) and bool(first == second)
