"""A reference that rounds: learners whose right answers don't would be told that they are wrong."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.model import Value
from app.verify.trial import REFERENCE, Trial

_MOST_DECIMALS = 8
_LEAST_VALUES = 6
_SCALE = 2.0**20


def advice(trial: Trial) -> Iterator[str]:
    """One sentence where every value of all six outputs is rounded to some decimals."""
    values = np.concatenate([_floats(test.expected) for test in trial.expectations.calls])
    values = values[np.isfinite(values)]
    told = values[values * _SCALE != np.round(values * _SCALE)]  # 0.5 and 0.25 need no rounding
    if told.size < _LEAST_VALUES:
        return
    for decimals in range(1, _MOST_DECIMALS + 1):
        if np.allclose(values, np.round(values, decimals), rtol=0.0, atol=1e-12):
            yield (
                f"{REFERENCE} rounds to {decimals} decimals, so right answers that don't would"
                " fail. Return unrounded values; the tolerance allows for rounding."
            )
            return


def _floats(value: Value) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    parts = value if isinstance(value, tuple) else (value,)
    found = [np.asarray(part, dtype=np.float64).ravel() for part in parts if _is_float(part)]
    return np.concatenate(found) if found else np.empty(0)


def _is_float(part: Value) -> bool:
    return isinstance(part, float) or (isinstance(part, np.ndarray) and part.dtype.kind == "f")
