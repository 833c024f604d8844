"""A look at one case whose array is off: what structure findings are made from and checked on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.grading.axes import named_sizes
from app.grading.checker import Cells, as_array, equal_cells
from app.model import (
    Exercise,
    Expectations,
    Finding,
    Mismatch,
    TestCase,
    Tolerance,
    Value,
)

Floats = npt.NDArray[np.float64]
CELLS = 20_000
"""Arrays above this many cells are not looked into: a finding must cost no time worth naming."""


@dataclass(frozen=True)
class CaseComparison:
    """Both arrays of one case as float64, of one shape, with the case's names.

    `n_heads` is 0 where the exercise has no heads, or the last axis does not hold them.
    """

    case: str
    place: str
    got: Floats
    expected: Floats
    wrong: Cells
    dtype: str
    arguments: Mapping[str, Value]
    sizes: Mapping[str, int]
    n_heads: int
    tolerance: Tolerance
    part: int | None

    def equal(self, array: Floats) -> bool:
        """Whether what was returned equals this array at the exercise's tolerance."""
        return array.shape == self.got.shape and bool(
            equal_cells(self.got, array, self.tolerance).all()
        )

    @property
    def table(self) -> tuple[Floats, Floats]:
        """Both arrays as tables whose columns are the last axis (one row where 1-d)."""
        width = self.got.shape[-1] if self.got.ndim else 1
        return self.got.reshape(-1, width), self.expected.reshape(-1, width)


def _place(case: TestCase, expectations: Expectations) -> str:
    """How a sentence calls a case: "test 6", "the example", or "a random input"."""
    names = [test.name for test in expectations.tests]
    if case.name in names:
        return f"test {names.index(case.name) + 1}"
    is_drawn = any(case is draw for draw in expectations.confirming_draws)
    return "a random input" if is_drawn else "the example"


def compare(
    exercise: Exercise,
    expectations: Expectations,
    case: TestCase,
    value: Value,
    mismatch: Mismatch,
) -> CaseComparison | None:
    """A look at a case whose values are off; None where the arrays differ in shape or are huge."""
    if mismatch.kind not in ("values", "not_finite"):
        return None
    got, expected = _part(value, mismatch.part), _part(case.expected, mismatch.part)
    if got is None or expected is None or got.shape != expected.shape:
        return None
    if not 0 < got.size <= CELLS:
        return None
    names = [p.name for p in expectations.parameters]
    arguments = dict(zip(names, case.arguments, strict=False))
    return CaseComparison(
        case=case.name,
        place=_place(case, expectations),
        got=got.astype(np.float64),
        expected=expected.astype(np.float64),
        wrong=~equal_cells(got, expected, exercise.tolerance),
        dtype=mismatch.dtype or "",
        arguments=arguments,
        sizes=named_sizes(exercise, expectations.parameters, case.arguments),
        n_heads=_heads(exercise, arguments, got.shape),
        tolerance=exercise.tolerance,
        part=mismatch.part,
    )


def _part(value: Value, part: int | None) -> npt.NDArray[np.generic] | None:
    if part is None:
        return as_array(value)
    return as_array(value[part]) if isinstance(value, tuple) and part < len(value) else None


def _heads(exercise: Exercise, arguments: Mapping[str, Value], shape: tuple[int, ...]) -> int:
    if exercise.heads is None or not shape:
        return 0
    n_heads = arguments.get(exercise.heads.count)
    if isinstance(n_heads, bool) or not isinstance(n_heads, int) or n_heads < 1:
        return 0
    return n_heads if shape[-1] % n_heads == 0 else 0


def finding(kind: str, message: str, looks: list[CaseComparison]) -> Finding:
    """A finding that holds on all these cases."""
    return Finding(kind, message, tuple(one.case for one in looks))
