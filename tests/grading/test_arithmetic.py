"""Sizes are computed from names and whole numbers; anything else is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.grading.arithmetic import SizeExpressionError, evaluate, names

SIZES = {"d_model": 12, "num_heads": 3, "zero": 0}


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("d_model // num_heads", 4),
        ("2 * (d_model - 1) + num_heads", 25),
        ("d_model - 4 - 3", 5),
        ("7", 7),
        ("((num_heads))", 3),
    ],
)
def test_value_of_an_expression(expression: str, value: int) -> None:
    assert evaluate(expression, SIZES) == value


@pytest.mark.parametrize(
    "expression",
    [
        "",
        "d_model //",
        "d_model / 2",
        "2 ** 99",
        "(1",
        "1)",
        "unknown",
        "1 // zero",
        "-1",
        "a.b",
        "f(1)",
        "__import__('os')",
        "(" * 99 + "1" + ")" * 99,
        "9" * 40,
    ],
)
def test_anything_else_is_refused(expression: str) -> None:
    with pytest.raises(SizeExpressionError):
        evaluate(expression, SIZES)


@given(st.text(max_size=30))
def test_no_text_makes_it_fail_otherwise(text: str) -> None:
    try:
        assert isinstance(evaluate(text, SIZES), int)
    except SizeExpressionError:
        pass


def test_names_of_an_expression() -> None:
    assert names("d_model // (num_heads * 2)") == {"d_model", "num_heads"}
