"""Proof that hidden tests stay hidden: none is drawn from the stream of a test that is shown.

Who sees a visible test's numbers knows its seed, and with it every hidden test of the same one.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from app.model import TestCase, Value
from app.verify.proof import Complaint
from app.verify.trial import CASES, Trial

LEAST = 4
"""So many numbers that follow one another as in another test are no accident."""

DIGITS = 9


def apart(trial: Trial) -> Iterator[Complaint]:
    """No hidden test's arrays begin as those of a case that is shown, whatever their scale."""
    shown = [(case, starts) for case in trial.shown if (starts := _starts(case))]
    for hidden in (case for case in trial.cases if not case.visible):
        mine = _starts(hidden)
        twin = next((case for case, starts in shown if mine & starts), None)
        if twin is not None:
            message = (
                f"draws the numbers of {twin.name}, which is shown: both have one seed. Give this"
                " one a seed of its own."
            )
            yield trial.complaint(CASES, hidden.name, message)


def _starts(case: TestCase) -> frozenset[tuple[float, ...]]:
    """How each array of a case begins, as ratios to its first number."""
    arrays = (array for value in case.arguments for array in _arrays(value))
    return frozenset(start for array in arrays if (start := _start(array)))


def _start(array: npt.NDArray[np.generic]) -> tuple[float, ...]:
    """The first ratios of an array of drawn numbers; () for one that was written by hand."""
    if array.dtype.kind != "f" or array.size <= LEAST:
        return ()
    first = array.ravel()[: LEAST + 1].astype(np.float64)
    if not np.isfinite(first).all() or not first.all() or not _drawn(first):
        return ()
    ratios = first[1:] / first[0]
    return tuple(float(f"{ratio:.{DIGITS}g}") for ratio in ratios)


def _drawn(numbers: npt.NDArray[np.float64]) -> bool:
    """Whether the ratios are as odd as only drawn numbers are."""
    ratios = numbers[1:] / numbers[0]
    return bool((np.abs(ratios * 5040 - np.round(ratios * 5040)) > 1e-6).all())


def _arrays(value: Value) -> Iterator[npt.NDArray[np.generic]]:
    if isinstance(value, np.ndarray):
        yield value
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else ()
    for part in parts:
        yield from _arrays(part)
