"""The sentence that helps with an exception names axes where the sizes say so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.grading.sentences.exception import advise
from app.model import Exercise, Parameter, Raised, Slug

_PARAMETERS = (Parameter("Q"), Parameter("K"), Parameter("num_heads"))


def _exercise(**changes: Any) -> Exercise:
    named: dict[str, Any] = {
        "axes": {"Q": ("seq_len", "d_model"), "K": ("seq_len", "d_model")},
        "sizes": {"num_heads": "num_heads", "d_k": "d_model // num_heads"},
        **changes,
    }
    return Exercise(
        slug=Slug("attention"), title="Attention", section="Core", order=1, difficulty="easy",
        summary="", entry_point="attention", visible=(), trace="", statement="", hints=(), files={},
        digest="", folder="", **named,
    )  # fmt: skip


def _advice(
    *facts: tuple[int, ...], said: str = "The shapes differ.", shape: tuple[int, int] = (7, 15)
) -> str:
    raised = Raised("ValueError", "message", help=said, facts=facts)
    arguments = (np.zeros(shape), np.zeros(shape), 3)
    return advise(raised, _exercise(), _PARAMETERS, arguments)


def test_shapes_get_the_exercises_names() -> None:
    assert _advice((3, 7, 5), (7, 15)) == (
        "The shapes differ. In this case (3, 7, 5) is (num_heads, seq_len, d_k) and (7, 15) is "
        "(seq_len, d_model)."
    )


def test_a_shape_of_one_axis_is_written_as_python_writes_it() -> None:
    assert _advice((7,)) == "The shapes differ. In this case (7,) is (seq_len,)."


def test_an_axis_kept_by_keepdims_is_one() -> None:
    assert _advice((3, 7, 1)).endswith("In this case (3, 7, 1) is (num_heads, seq_len, 1).")


@pytest.mark.parametrize("fact", [(3, 7, 4), (), (1, 1), (8,)])
def test_a_shape_with_an_axis_of_no_name_gets_none(fact: tuple[int, ...]) -> None:
    assert _advice(fact) == "The shapes differ."


def test_a_size_that_two_names_have_is_not_guessed() -> None:
    assert _advice((3, 3), shape=(3, 15)) == "The shapes differ."


def test_each_shape_is_named_once_and_three_at_most() -> None:
    many = _advice((7, 15), (7, 15), (7,), (15,), (3,))
    assert many.count(" is ") == 3


def test_without_facts_the_jails_sentence_stands_alone() -> None:
    assert _advice() == "The shapes differ."
    assert _advice(said="") == ""


def test_without_arguments_no_axis_has_a_name() -> None:
    raised = Raised("ValueError", "message", help="The shapes differ.", facts=((7, 15),))
    assert advise(raised, _exercise(), _PARAMETERS) == "The shapes differ."


def test_shapes_are_named_also_where_the_jail_says_nothing() -> None:
    assert _advice((7, 15), said="") == "In this case (7, 15) is (seq_len, d_model)."
