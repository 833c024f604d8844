"""The lexer: what it finds, and that odd texts cost no more than their length."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.lexer import tokens

SIGNS = st.text(st.sampled_from("ab1_.e\"'\\#{}\n (ftrxj"), max_size=60)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("x = 1.5e-3j # a 'b'", ["name x", "number 1.5e-3j", "comment # a 'b'"]),
        ("0xFF + .5 + 1_000.", ["number 0xFF", "number .5", "number 1_000."]),
        ("'a\\'b' \"c\"", ["string 'a\\'b'", 'string "c"']),
        ('"""a\n"b" """ x', ['string """a\n"b" """', "name x"]),
        ("rb'\\' x' y", ["string rb'\\' x'", "name y"]),
        ("'not closed\nx", ["string 'not closed", "name x"]),
        ("'''not closed\nx", ["string '''not closed\nx"]),
        ("xf'a'", ["name xf", "string 'a'"]),
        ("größe_2 = lambda: 0", ["name größe_2", "name lambda", "number 0"]),
    ],
)
def test_tokens_are_those_of_python(source: str, found: list[str]) -> None:
    assert [f"{token.kind} {token.text}" for token in tokens(source)] == found


@given(SIGNS)
def test_any_text_has_tokens_in_order_that_hold_its_words(source: str) -> None:
    at = 0
    for token in tokens(source):
        assert at <= token.start < token.end
        assert source[token.start : token.end] == token.text
        between = source[at : token.start]
        assert not any(c.isalnum() or c in "\"'#" for c in between)
        at = token.end
