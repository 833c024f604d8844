"""An output that is one number reads well: no count of values, no tables of one cell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from app.model import Array
from app.web.report.view import view
from tests.grading.graded_exercise import Graded


def _mean(values: Any) -> float:
    return float(np.mean(values))


def _with_one_number(work: Graded) -> Graded:
    """The exercise as one that asks for the mean of V."""
    tests = tuple(
        replace(case, expected=np.array(_mean(case.arguments[2])))
        for case in work.expectations.tests
    )
    return replace(work, expectations=replace(work.expectations, tests=tests))


def _told(work: Graded, given: Callable[[Array], float]) -> tuple[str, str, str, int]:
    """Headline, first row's sentence and few words, and how many tables it has."""

    def answer(q: Array, k: Array, v: Array, heads: int) -> float:
        return given(v)

    asked = _with_one_number(work)
    shown = view(asked.judge_function(answer), asked.exercise, asked.expectations)
    row = shown.rows[0]
    return shown.headline, row.message, row.found, len(row.comparisons)


def test_a_number_is_told_with_the_one_it_should_be(quick: Graded) -> None:
    words = "The output is 5; it should be 4.5."
    assert _told(quick, lambda v: _mean(v) + 0.5) == (words, words, "off by 0.5", 0)


def test_nan_and_infinity_are_said_once(quick: Graded) -> None:
    nan = "The value is nan; it should be a finite number."
    assert _told(quick, lambda v: np.nan) == (nan, nan, "nan", 0)
    inf = "The value is inf; it should be a finite number."
    assert _told(quick, lambda v: np.inf) == (inf, inf, "inf", 0)


def test_a_right_number_is_said_to_be_equal(quick: Graded) -> None:
    assert _told(quick, _mean) == (
        "Right on all six.", "The value is equal.", "equal", 0,
    )  # fmt: skip
