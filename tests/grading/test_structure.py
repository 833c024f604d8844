"""Findings are said where they hold on every case that is off, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from app.model import Finding
from tests.grading.graded_exercise import Graded
from tests.grading.pieces import Array, Program

RIGHT = Program((), {})
Change = Callable[[Array, int], Array]


def findings(work: Graded, change: Change) -> tuple[Finding, ...]:
    """The findings of a right program whose output is changed, given the number of heads."""

    def wrong(Q: Array, K: Array, V: Array, num_heads: int) -> Array:
        return change(RIGHT(Q, K, V, num_heads), num_heads)

    report = work.judge_function(wrong)
    assert report.diagnosis is None
    return report.findings


def _last_head(out: Array, heads: int) -> Array:
    out[:, -(out.shape[1] // heads) :] += 1
    return out if heads > 1 else RIGHT


def _swap_rows(out: Array, heads: int) -> Array:
    if len(out) > 1:
        out[[0, 1]] = out[[1, 0]]
    return out


def _only_row(number: int) -> Change:
    def change(out: Array, heads: int) -> Array:
        if len(out) > abs(number):
            out[number] += 1
        return out

    return change


def _dealt(out: Array, heads: int) -> Array:
    return out.reshape(len(out), -1, heads).transpose(0, 2, 1).reshape(out.shape)


@pytest.mark.parametrize(
    ("change", "kind", "words"),
    [
        (lambda out, H: np.zeros_like(out), "constant", "Every value is 0."),
        (lambda out, H: out * 3, "factor", "3 times what it should be"),
        (lambda out, H: out / 4, "factor", "0.25 times what it should be"),
        (lambda out, H: -out, "factor", "opposite sign"),
        (lambda out, H: out / np.sqrt(out.shape[1]), "factor", "`1 / sqrt(d_model)`"),
        (lambda out, H: out - 0.5, "offset", "0.5 too small"),
        (lambda out, H: out[::-1], "rows_permuted", "reverse order"),
        (lambda out, H: out[:, ::-1], "columns_permuted", "reverse order"),
        (lambda out, H: np.roll(out, 1, axis=1), "columns_permuted", "your column 1 is column 0"),
        (lambda out, H: np.roll(out, -1, axis=0), "rows_permuted", "your row 0 is row 1"),
        (_swap_rows, "rows_permuted", ""),
        (_dealt, "heads_dealt", "dealt out"),
        (lambda out, H: np.round(out, 2), "rounded", "2 decimals"),
        (lambda out, H: np.round(out), "rounded", "whole numbers"),
        (lambda out, H: out.astype(np.float16), "half_precision", "precise as float16"),
        (lambda out, H: out.astype(np.float16) * 1.0, "half_precision", "precise as float16"),
        (lambda out, H: out + 1e-4 * np.sign(out), "nearly", "nearly right"),
        (_only_row(-1), "some_rows", "only the last row is off."),
        (_only_row(0), "some_rows", "Only the first row is off."),
    ],
)
def test_structure_is_found(quick: Graded, change: Change, kind: str, words: str) -> None:
    found = findings(quick, change)
    assert found[0].kind == kind
    assert words in found[0].message


def test_same_numbers_in_other_places_are_found(quick: Graded) -> None:
    rng = np.random.default_rng(0)
    found = findings(quick, lambda out, H: rng.permutation(out.ravel()).reshape(out.shape))
    assert [f.kind for f in found] == ["same_numbers"]
    assert len(found[0].cases) == 6


def test_nan_from_a_row_on_is_found(quick: Graded) -> None:
    def change(out: Array, heads: int) -> Array:
        out[2:] = np.nan
        return out

    (found, *_) = findings(quick, change)
    assert found.kind == "not_finite"
    assert "in every row from row 2 on. All others are right." in found.message


def test_one_wrong_head_is_named(quick: Graded) -> None:
    def change(out: Array, heads: int) -> Array:
        width = out.shape[1] // heads
        if heads > 2:
            out[:, 2 * width : 3 * width] += np.sin(np.arange(width))
        return out

    found = findings(quick, change)
    assert found[0].message == "In the failing tests, only head 2 is off."


def test_single_head_attention_is_found_where_no_misconception_fits(quick: Graded) -> None:
    single = Program((), {"output": lambda out: out})

    def wrong(Q: Array, K: Array, V: Array, num_heads: int) -> Array:
        return single(Q, K, V, 1) if num_heads > 1 and len(Q) > 4 else RIGHT(Q, K, V, num_heads)

    report = quick.judge_function(wrong)
    assert report.diagnosis is None
    assert "single_head" in [f.kind for f in report.findings]


def test_an_argument_that_comes_back_is_named(quick: Graded) -> None:
    report = quick.judge_function(lambda Q, K, V, num_heads: K + 0)
    assert [f.kind for f in report.findings] == ["argument"]
    assert report.message == "The output equals the argument `K`."


def test_nothing_is_said_of_noise(quick: Graded) -> None:
    rng = np.random.default_rng(3)
    assert findings(quick, lambda out, H: out + rng.standard_normal(out.shape)) == ()


def test_what_holds_on_one_case_only_is_not_said(quick: Graded) -> None:
    rng = np.random.default_rng(4)

    def change(out: Array, heads: int) -> Array:
        return out * 3 if len(out) == 7 else out + rng.standard_normal(out.shape)

    assert findings(quick, change) == ()


def test_the_part_of_a_tuple_that_is_off_is_looked_into(small: Graded) -> None:
    source = small.exercise.files["reference.py"].decode()
    report = small.grade(source.replace("/ w.sum()", "/ w.sum() * 2"))
    assert report.tests[0].mismatch is not None
    assert report.tests[0].mismatch.part == 0
    assert "This is about the first part of the output." in report.help
    assert "2 times what it should be" in report.message


def test_what_passing_tests_refute_is_said_of_the_failing_ones_alone(quick: Graded) -> None:
    """Zeros in one test only: the array is filled elsewhere, so nobody is told that it is not."""

    def change(out: Array, heads: int) -> Array:
        return np.zeros_like(out) if heads == 8 else out

    (found, *_) = findings(quick, change)
    assert found.message == "In the failing test, every value is 0."


def test_nearly_right_is_near_in_absolute_terms(quick: Graded) -> None:
    """Off by 45 is not nearly right, however large the values are."""
    found = findings(quick, lambda out, heads: 1e6 * (out + 4e-5) if heads == 8 else out)
    assert "nearly" not in [f.kind for f in found]
