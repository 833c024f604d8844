"""Odd programs that a search for holes found: each is judged as it is, and none is misnamed."""

from __future__ import annotations

import re

import pytest

from app.catalog import load
from app.grading.diagnosis import proves, proves_set
from app.model import Outcome, Report, Verdict
from app.ports import Sandbox
from tests.grading.conftest import ROOT
from tests.grading.graded_exercise import Graded
from tests.grading.test_false_names import judged
from tests.known import expected

KEYS = re.compile(r"\b([qQ]) @ (\w+)\.(T\b|transpose\(0, 2, 1\)|swapaxes\(-1, -2\))")
GUESSES = '''

def fitting(k, q):
    """Keys as they are where they fit, else transposed."""
    return k if k.shape[-2] == q.shape[-1] else k.swapaxes(-1, -2)
'''
ATTENTION = (
    "causal-attention",
    "grouped-query-attention",
    "kv-cache-step",
    "multi-head-attention",
    "multi-head-attention-layer",
    "online-softmax-attention",
    "scaled-dot-product-attention",
    "transformer-block",
)
INTEGER_WEIGHTS = """
import numpy as np

def softmax(x, axis=-1):
    e = np.zeros_like(x)
    e[...] = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
"""
ZEROS = """
import numpy as np

def positional_encoding(seq_len, d_model):
    return np.zeros((seq_len, d_model))
"""


def report_of(slug: str, text: str, jail: Sandbox) -> Report:
    exercise = load(ROOT / "exercises" / slug)
    return judged(Graded(exercise, expected(exercise, jail), jail), text.encode())


@pytest.mark.parametrize("slug", ATTENTION)
def test_a_program_that_guesses_from_shapes_whether_to_transpose_is_refused(
    slug: str, jail: Sandbox
) -> None:
    text = (ROOT / "exercises" / slug / "reference.py").read_text("utf-8")
    guessing, found = KEYS.subn(r"\1 @ fitting(\2, \1)", text)
    assert found == 1
    report = report_of(slug, guessing + GUESSES, jail)
    assert report.verdict is Verdict.WRONG_ANSWER
    assert report.passed in (4, 5)
    assert report.diagnosis is None


def test_weights_kept_in_an_array_of_the_inputs_integers_are_refused(jail: Sandbox) -> None:
    report = report_of("stable-softmax", INTEGER_WEIGHTS, jail)
    assert (report.verdict, report.passed) == (Verdict.WRONG_ANSWER, 5)
    assert report.diagnosis is None


def test_a_table_of_zeros_is_told_as_that_and_not_as_two_mistakes(jail: Sandbox) -> None:
    report = report_of("sinusoidal-positional-encoding", ZEROS, jail)
    assert report.diagnosis is None
    assert report.message == "Every value is 0."


def test_one_number_in_all_tests_proves_no_two_mistakes(attention: Graded) -> None:
    tests, tolerance = attention.expectations.tests, attention.exercise.tolerance
    zeros = [Outcome("array", test.expected * 0) for test in tests]  # type: ignore[operator]
    halves = [*zeros[:-1], Outcome("array", tests[-1].expected / 2)]  # type: ignore[operator]
    assert proves(tests, zeros, tolerance)
    assert not proves_set(tests, zeros, tolerance)
    assert proves_set(tests, halves, tolerance)
