"""A wrong shape is told with the exercise's names and by what it looks like."""

from __future__ import annotations

import pytest

from app.grading.sentences.shape import Shapes, advice, detail, sentence

SIZES = {"seq_len": 7, "d_model": 15, "num_heads": 3, "d_k": 5}
NAMES = ("seq_len", "d_model")


def shapes(*got: int) -> Shapes:
    return Shapes(got, (7, 15), SIZES, NAMES)


def test_both_shapes_are_told() -> None:
    assert sentence(shapes(3, 7, 5)) == "The output has shape (3, 7, 5); it should be (7, 15)."
    assert sentence(shapes(7)) == "The output has shape (7,); it should be (7, 15)."


def test_axes_are_named_where_each_size_has_one_name() -> None:
    assert detail(shapes(3, 7, 5)) == (
        "Yours looks like `(num_heads, seq_len, d_k)`; it should be `(seq_len, d_model)`."
    )
    assert detail(shapes(4, 7, 5)) == "It should be `(seq_len, d_model)`."
    square = Shapes((2, 2, 2), (2, 4), {"seq_len": 2, "d_model": 4, "num_heads": 2}, NAMES)
    assert detail(square) == "It should be `(seq_len, d_model)`."
    assert detail(Shapes((3,), (4,), {}, ())) == ""


@pytest.mark.parametrize(
    ("got", "words"),
    [
        ((), "All values were reduced to one number."),
        ((15, 7), "It is transposed"),
        ((1, 7, 15), "an extra axis of size 1 in front"),
        ((7, 15, 1), "an extra axis of size 1 at the end"),
        ((7, 1, 15), "an extra axis of size 1 too many"),
        ((1, 1, 7, 15), "2 extra axes of size 1 in front"),
        ((7, 3, 5), "the last step that joins them is missing"),
        ((3, 7, 5), "`d_model` is still split into `num_heads` and `d_k`"),
        ((105,), "It holds 105 values as expected"),
        ((7, 5), "`d_model` should have length 15, but has 5, the size of `d_k`."),
        ((7, 45), "That is 3 times as long, and `num_heads` is 3."),
        ((21, 15), "`seq_len` should have length 7, but has 21"),
        ((7, 16), "`d_model` should have length 15, but has 16."),
        ((2, 2), "2 of its 2 axes have the wrong length"),
        ((2, 2, 2), "It has 3 axes, more than the 2 expected."),
        ((9,), "It has 1 axis, fewer than the 2 expected."),
    ],
)
def test_advice_names_what_the_shape_looks_like(got: tuple[int, ...], words: str) -> None:
    assert words in advice(shapes(*got))


def test_a_dropped_axis_is_told() -> None:
    said = advice(Shapes((7,), (1, 7), {"seq_len": 1, "d_model": 7}, NAMES))
    assert "An axis of size 1 was dropped." in said


def test_what_fits_two_readings_is_said_in_neither() -> None:
    """(1, 1) for (1,): the axis too many may stand in front or at the end."""
    said = advice(Shapes((1, 1), (1,), {"n_q": 1}, ("n_q",)))
    assert said == "It has an extra axis of size 1 too many. Drop it."
    turned = advice(Shapes((4, 1), (1, 4), {"seq_len": 1, "d_model": 4}, NAMES))
    assert turned == "It is transposed: the axes are all there, in reverse order."


def test_empty_and_huge_shapes_are_told_without_fault() -> None:
    for got in ((0,), (0, 15), (7, 0), (2**63, 2**63), (1,) * 40):
        assert sentence(shapes(*got))
        assert isinstance(advice(shapes(*got)), str)
