"""Outcomes without words are those with words, and many are compared as one by one."""

from __future__ import annotations

import numpy as np
import pytest

from app.grading.checker import changed_argument
from app.grading.decide import mismatch_of
from app.grading.outcomes import all_equal, equal_outcomes, outcome, plain_outcome
from app.model import Execution, Outcome, TestCase, Tolerance, Value

TOLERANCE = Tolerance()
X = np.array([[1.0, 2.0], [3.0, 4.0]])
CASE = TestCase("one", "", True, (X,), X + 1.0)
VALUES = {
    "right": X + 1.0,
    "within tolerance": X + 1.0 + 1e-9,
    "off": X,
    "not finite": np.full((2, 2), np.nan),
    "float32": (X + 1.0).astype(np.float32),
}


@pytest.mark.parametrize("is_unchanged", [True, False])
@pytest.mark.parametrize("changed", [None, 0])
@pytest.mark.parametrize("name", VALUES)
def test_a_plain_outcome_is_the_outcome(name: str, changed: int | None, is_unchanged: bool) -> None:
    after = (X if changed is None else X * 2.0,)
    execution = Execution("returned", value=VALUES[name], arguments=after)
    wanted = outcome(execution, mismatch_of(execution, CASE, TOLERANCE, is_unchanged), CASE)
    position = changed_argument(CASE.arguments, after)
    assert position == changed
    found = plain_outcome(VALUES[name], CASE.expected, position, TOLERANCE, is_unchanged)
    assert found == wanted
    assert found is not None
    assert found.value is wanted.value


@pytest.mark.parametrize(
    "value", [None, 1.5, (X, X), X[:1], np.array([[1, 2], [3, 4]]), X.astype(object).tolist()]
)
def test_what_is_no_float_array_of_the_shape_is_not_plain(value: Value) -> None:
    assert plain_outcome(value, CASE.expected, None, TOLERANCE, True) is None


RIGHT, RAISED = Outcome("right"), Outcome("exception", text="ValueError: no")
ONES, TWOS = Outcome("array", np.ones((2, 2))), Outcome("array", np.full((2, 2), 2.0))


@pytest.mark.parametrize(
    ("seen", "known", "same"),
    [
        ([RIGHT, ONES, TWOS], [RIGHT, ONES, TWOS], True),
        ([ONES, ONES], [ONES, Outcome("array", np.ones((2, 2)) + 1e-9)], True),
        ([ONES, TWOS], [ONES, ONES], False),
        ([ONES], [Outcome("array", np.ones(4))], False),
        ([ONES], [Outcome("array", np.ones((2, 2)), ", argument 0 changed")], False),
        ([ONES], [RIGHT], False),
        ([RAISED], [RAISED], True),
        ([RAISED], [Outcome("exception", text="ValueError: yes")], False),
        ([Outcome("other")], [Outcome("other")], False),
        (
            [Outcome("array", np.array([np.nan, 1.0]))],
            [Outcome("array", np.array([np.nan, 1.0]))],
            True,
        ),
        ([Outcome("array", np.array([np.inf]))], [Outcome("array", np.array([-np.inf]))], False),
        ([], [], True),
    ],
)
def test_all_are_equal_where_each_is(seen: list[Outcome], known: list[Outcome], same: bool) -> None:
    assert all_equal(seen, known, TOLERANCE) is same
    assert (
        all(equal_outcomes(x, [y], TOLERANCE)[0] for x, y in zip(seen, known, strict=True)) is same
    )
