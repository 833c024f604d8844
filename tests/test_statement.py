"""Learners read what is legal, in the Inputs section, from the one place where it is written."""

from __future__ import annotations

from dataclasses import replace

from app.catalog import full_statement, load
from app.main import shipped_exercises
from app.model import Legal, Span

SOFTMAX = load(shipped_exercises() / "stable-softmax")


def test_what_is_legal_stands_in_the_inputs_section() -> None:
    statement = full_statement(SOFTMAX)
    inputs = statement[statement.index("## Inputs") : statement.index("## Expected")]
    assert inputs.endswith(
        "Any legal input may be tested:\n\n"
        "- `x` has 1 to 8 axes.\n"
        "- `axis` is left out or a number.\n"
        "- `x` is float64 or int64.\n"
        "- -inf may stand in `x`.\n"
        "- No number is larger in size than float32 can hold.\n\n"
    )


def test_sizes_relations_and_other_bounds_are_told() -> None:
    legal = Legal(
        sizes={"n": Span(1, 9), "m": Span(0, 9), "d": Span(1, 9, 4)},
        options={"kind": ("left out", "rms", 2)},
        relations=("n <= m",),
        largest=100.0,
    )
    lines = full_statement(replace(SOFTMAX, legal=legal)).splitlines()
    assert "- `n` and `d`: from 1 to 9 each." in lines
    assert "- `m`: from 0 to 9." in lines
    assert '- `kind` is left out, `"rms"` or `2`.' in lines
    assert "- `n <= m`." in lines
    assert "- Every array is float64." in lines
    assert "- No number is larger in size than 100." in lines


def test_without_legal_the_statement_is_the_authors_own() -> None:
    assert full_statement(replace(SOFTMAX, legal=None)) == SOFTMAX.statement
