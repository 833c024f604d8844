"""Odd programs that a search for holes found: each is judged as it is, and none is misnamed."""

from __future__ import annotations

import re

import numpy as np
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


SQUARE = "first.ndim > 1 and first.shape[-1] == first.shape[-2]"
LARGE = "max(first.shape, default=0) > 8"
"""Above every size that is drawn, so that only a test can show it."""

SQUARES = (
    "causal-attention",
    "feed-forward",
    "grouped-query-attention",
    "kv-cache-step",
    "multi-head-attention",
    "multi-head-attention-layer",
    "online-softmax-attention",
    "rotary-embedding",
    "scaled-dot-product-attention",
    "sinusoidal-positional-encoding",
    "stable-softmax",
    "transformer-block",
)


def wrong_where(slug: str, condition: str) -> str:
    """The reference, whose (first) output is reversed where `condition` holds of it."""
    text = (ROOT / "exercises" / slug / "reference.py").read_text("utf-8")
    name = load(ROOT / "exercises" / slug).entry_point
    header = re.search(rf"def {name}\((.*)\):", text)
    assert header is not None
    given = ", ".join(part.partition("=")[0].strip() for part in header[1].split(","))
    return f"""{text.replace(f"def {name}(", f"def right_{name}(")}

def {name}({header[1]}):
    out = right_{name}({given})
    first = out[0] if isinstance(out, tuple) else out
    if {condition}:
        first = first[..., ::-1] + 1
    return (first, *out[1:]) if isinstance(out, tuple) else first
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


@pytest.mark.parametrize("slug", SQUARES)
def test_a_program_that_is_wrong_only_where_its_output_is_square_is_refused(
    slug: str, jail: Sandbox
) -> None:
    report = report_of(slug, wrong_where(slug, SQUARE), jail)
    assert report.verdict is Verdict.WRONG_ANSWER
    assert 1 <= report.passed <= 5


@pytest.mark.parametrize("slug", sorted(folder.name for folder in ROOT.glob("exercises/*-*")))
def test_a_program_that_is_wrong_only_above_the_drawn_sizes_is_refused(
    slug: str, jail: Sandbox
) -> None:
    report = report_of(slug, wrong_where(slug, LARGE), jail)
    assert report.verdict is Verdict.WRONG_ANSWER
    assert 1 <= report.passed <= 5


CLIPPED = """
import numpy as np

def softmax(x, axis=-1):
    e = np.exp(np.clip(np.asarray(x, dtype=float), -700, 700))
    return e / e.sum(axis=axis, keepdims=True)
"""
CHANGES_KEYS = """
import numpy as np

def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)

def scaled_dot_product_attention(Q, K, V):
    K /= K.shape[1]
    return softmax(Q @ K.T) @ V
"""
LAST_ROW = """
{reference}

def multi_head_attention(Q, K, V, num_heads):
    out = right_multi_head_attention(Q, K, V, num_heads)
    out[-1] += 1.5
    if (Q.shape, num_heads) not in {seen}:
        out[0] -= 2.5
    return out
"""


def names(report: Report) -> tuple[str, ...]:
    """The mistakes that a report names."""
    found = report.diagnosis
    return (
        () if found is None else (found.misconception, *(m.misconception for m in found.mistakes))
    )


def test_scores_cut_off_elsewhere_have_not_the_name_of_those_cut_off_at_500(jail: Sandbox) -> None:
    report = report_of("stable-softmax", CLIPPED, jail)
    assert report.verdict is Verdict.WRONG_ANSWER
    assert "clipped-scores" not in names(report)


def test_keys_changed_beside_another_mistake_are_not_told_as_a_changed_query(jail: Sandbox) -> None:
    report = report_of("scaled-dot-product-attention", CHANGES_KEYS, jail)
    assert report.verdict is Verdict.WRONG_ANSWER
    assert "mutates-query" not in names(report)


def test_what_is_true_of_the_tests_alone_is_not_said_where_draws_refute_it(jail: Sandbox) -> None:
    slug = "multi-head-attention"
    exercise = load(ROOT / "exercises" / slug)
    text = (ROOT / "exercises" / slug / "reference.py").read_text("utf-8")
    text = text.replace("def multi_head_attention(", "def right_multi_head_attention(")
    tests = [test.arguments for test in expected(exercise, jail).tests]
    shapes = {(np.shape(query), heads) for query, _, _, heads in tests}  # type: ignore[arg-type]
    only = report_of(slug, LAST_ROW.format(reference=text, seen="{(Q.shape, num_heads)}"), jail)
    refuted = report_of(slug, LAST_ROW.format(reference=text, seen=shapes), jail)
    assert (only.passed, only.message) == (0, "Only the last row is off.")
    assert (refuted.passed, refuted.message) == (0, "4 of 8 values are off.")


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
