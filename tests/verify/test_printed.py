"""Two printed texts agree where they say the same numbers, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from app.verify.printed import agree


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("[2. 3.]", "[2.0, 3.0]"),
        ("[[1 2]\n [3 4]]", "[[1, 2], [3, 4]]"),
        ("array([1., 2.])", "[1.0, 2.0]"),
        ("np.float64(0.5)", "0.5"),
        ("[2.]", "2.0"),
        ("(1, 2)", "[1, 2]"),
        ("0.3333", "0.33333333"),
        ("[1.e+00 2.e-03]", "[1.0, 0.002]"),
        ("[nan inf]", "[nan, inf]"),
        ("(array([1, 2]), 3)", "([1, 2], 3)"),
        ("array([1, 2], dtype=int32)", "[1, 2]"),
        ("True", "True"),
        ("[1.+2.j]", "[1+2j]"),
        ("{'a': array([1.])}", "{'a': [1.0]}"),
    ],
)
def test_texts_that_say_the_same_agree(one: str, other: str) -> None:
    assert agree(one, other) and agree(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("(1, 2)", "(2, 1)"),
        ("[1. 2.]", "[[1.], [2.]]"),
        ("[1, 2]", "[1, 2, 3]"),
        ("0.3333", "0.34"),
        ("[1 2]", ""),
        ("True", "False"),
        ("None", "0"),
        ("1", "2"),
        ("-1.0", "1.0"),
        ("[[1, 2], [3, 4]]", "[1, 2, 3, 4]"),
        ("[nan]", "[0.0]"),
        ("9" * 400, "1"),
    ],
)
def test_texts_that_differ_do_not(one: str, other: str) -> None:
    assert not agree(one, other) and not agree(other, one)


@given(
    arrays(np.float64, st.tuples(st.integers(1, 3), st.integers(2, 4)), elements=st.floats(-99, 99))
)
def test_an_array_agrees_with_itself_however_it_is_printed(array: np.ndarray) -> None:
    with np.printoptions(suppress=False):
        assert agree(repr(array), str(array.tolist()))


@given(st.text(st.sampled_from("[]() ,.0123456789e-+jnaif'"), max_size=40))
def test_any_text_can_be_compared(text: str) -> None:
    assert agree(text, text)
    agree(text, "[1.0, 2.0]")
