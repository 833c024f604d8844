"""An output that is one number reads well: no count of values, no tables of one cell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from app.grading.findings import single_numbers
from app.grading.findings.comparison import CaseComparison
from app.model import Array, Tolerance
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
    headline = "The output is 0.5 too large."
    assert _told(quick, lambda v: _mean(v) + 0.5) == (headline, words, "off by 0.5", 0)


def test_nan_and_infinity_are_said_once(quick: Graded) -> None:
    nan = "The value is nan; it should be a finite number."
    assert _told(quick, lambda v: np.nan) == (nan, nan, "nan", 0)
    inf = "The value is inf; it should be a finite number."
    assert _told(quick, lambda v: np.inf) == (inf, inf, "inf", 0)


def test_a_right_number_is_said_to_be_equal(quick: Graded) -> None:
    assert _told(quick, _mean) == (
        "Right on all six.", "The value is equal.", "equal", 0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("given", "headline"),
    [
        (lambda v: _mean(v) * 3, "The output is 3 times what it should be."),
        (lambda v: -_mean(v), "The output has the opposite sign."),
        (lambda v: _mean(v) / v.shape[1], "The output is `1 / d_model` times what it should be."),
        (lambda v: _mean(v) - 2, "The output is 2 too small."),
        (lambda v: round(_mean(v), 1), "The output is right, but rounded to 1 decimal."),
        (lambda v: 0.0, "The output is always 0."),
        (lambda v: float(np.float16(_mean(v))), "The values are only as precise as float16."),
    ],
)
def test_what_all_wrong_numbers_share_is_said_once(
    quick: Graded, given: Callable[[Array], float], headline: str
) -> None:
    assert _told(quick, given)[0] == headline


def test_a_size_that_is_one_in_a_passing_test_is_still_named(quick: Graded) -> None:
    """A mean that is divided once too little passes where there is one token only."""

    def answer(q: Array, k: Array, v: Array, heads: int) -> float:
        return _mean(v) * heads

    report = _with_one_number(quick).judge_function(answer)
    assert [t.verdict.value for t in report.tests].count("accepted") > 0
    assert (
        report.message == "In the failing tests, the output is `num_heads` times what it should be."
    )


@pytest.mark.parametrize("only", [0, 1])
def test_of_one_wrong_number_no_factor_is_told(quick: Graded, only: int) -> None:
    """Each number is some factor of any other: two tests that differ are the least evidence."""
    work = _with_one_number(quick)
    wanted = work.expectations.tests[only].arguments[2]

    def answer(q: Array, k: Array, v: Array, heads: int) -> float:
        return _mean(v) * (3 if np.array_equal(v, np.asarray(wanted)) else 1)

    report = work.judge_function(answer)
    assert report.findings == ()
    assert "times" not in report.message


def test_numbers_that_share_nothing_are_told_one_by_one(quick: Graded) -> None:
    report = _with_one_number(quick).judge_function(lambda q, k, v, heads: float(np.max(v) + 0.1))
    assert report.findings == ()


def test_a_factor_that_random_inputs_refute_is_not_said() -> None:
    """Drawn inputs count as the tests do: what holds on six by chance is no finding."""
    same = _looks([(2.0, 1.0), (4.0, 2.0)])
    assert single_numbers.factor(same) is not None
    assert single_numbers.factor([*same, *_looks([(9.0, 3.0)])]) is None


def test_a_factor_that_reads_as_one_is_not_said() -> None:
    assert single_numbers.factor(_looks([(1.00002, 1.0), (2.00004, 2.0)])) is None


def _looks(pairs: list[tuple[float, float]]) -> list[CaseComparison]:
    return [
        CaseComparison(
            case=f"case_{n}",
            place=f"test {n + 1}",
            got=np.array(got),
            expected=np.array(expected),
            wrong=np.array(True),
            dtype="float64",
            arguments={},
            sizes={},
            n_heads=0,
            tolerance=Tolerance(1e-5, 1e-6),
            part=None,
        )
        for n, (got, expected) in enumerate(pairs)
    ]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            lambda v: v.mean(axis=1),
            "The output has shape (2,); it should be a single number. It still has 1 axis. "
            "A last sum or mean over it is missing.",
        ),
        (
            lambda v: v.mean(keepdims=True),
            "The output has shape (1, 1); it should be a single number. It is one number inside "
            "an array. Return the number itself.",
        ),
    ],
)
def test_an_array_where_a_number_is_asked_for_is_told_what_is_missing(
    quick: Graded, given: Callable[[Array], Array], message: str
) -> None:
    report = _with_one_number(quick).judge_function(lambda q, k, v, heads: given(v))
    assert f"{report.message} {report.help}" == message
