"""Arrays side by side, as pictures and as masks: what the templates are given."""

from __future__ import annotations

import base64

import numpy as np
import pytest

from app.model import Tolerance
from app.report.values import read_value, value
from app.web.report.arrays import Frame, Table, differences, grid, single, tables, worst
from app.web.report.numbers import array_of, cell, code, decimals, rounded
from app.web.report.pictures import mask, strip, unpacked

HEADS = Frame("token", "t", 2)


def _texts(table: Table) -> list[list[str]]:
    return [[one.text for one in row] for _, row in table.rows]


def _classes(table: Table) -> list[list[str]]:
    return [[one.classes for one in row] for _, row in table.rows]


def test_wrong_cells_are_marked_and_the_worst_is_ringed() -> None:
    expected = grid(np.array([[1.0, 2.0, 3.0, 4.0]] * 2), HEADS)
    got = grid(np.array([[1.0, 2.5, 3.0, 4.0], [1.0, 2.0, 2.0, 4.000001]]), HEADS)
    left, yours, difference = tables(got, expected, Tolerance(), HEADS, 4)
    assert _classes(yours) == [["", "wrong", "head-start", ""], ["", "", "head-start wrong", ""]]
    assert _texts(difference) == [["0", "+0.500", "0", "0"], ["0", "0", "−1.000", "0"]]
    assert _classes(difference)[1][2] == "head-start lo worst"
    assert difference.rows[1][1][2].heat == "0.87" and difference.rows[0][1][1].heat == "0.51"
    assert left.groups == (("head 0", 2), ("head 1", 2))
    assert left.columns == ("c0", "c1", "c2", "c3") and left.rows[1][0] == "t1"


def test_a_small_difference_can_be_seen_in_the_numbers() -> None:
    expected = grid(np.array([0.5]), Frame())
    got = grid(np.array([0.50002]), Frame())
    _, yours, difference = tables(got, expected, Tolerance(), Frame(), 1)
    assert _texts(yours) == [["0.500020"]] and _texts(difference) == [["+0.000020"]]


def test_what_is_no_number_is_said() -> None:
    expected = np.array([[1.0, 2.0, np.nan], [np.inf, -np.inf, 0.0]])
    got = np.array([[np.nan, 3.0, np.nan], [np.inf, np.inf, -0.0]])
    wrong = np.array([[True, True, False], [False, True, False]])
    assert worst(wrong, differences(got, expected)) == (0, 1)
    assert worst(wrong & np.isinf(got), differences(got, expected)) == (1, 1)
    _, yours, difference = tables(
        grid(got, Frame()), grid(expected, Frame()), Tolerance(), Frame(), 3
    )
    assert _texts(yours)[0][0] == "nan" and _texts(difference)[0][0] == "·"
    assert _texts(yours)[1][:2] == ["inf", "inf"]
    assert _classes(yours) == [["nan wrong", "wrong", "nan"], ["nan", "nan wrong", ""]]


def test_axes_before_the_last_two_are_in_the_rows_names() -> None:
    folded = grid(np.zeros((2, 3, 4)), Frame())
    assert folded.labels == ("0,0", "0,1", "0,2", "1,0", "1,1", "1,2")
    assert grid(np.zeros(()), Frame()).shape == (1, 1)
    assert grid(np.zeros(3), Frame()).column_labels == ("c0", "c1", "c2")


def test_whole_numbers_have_no_decimals() -> None:
    assert _texts(single("Yours", grid(np.array([[1, -2]]), Frame()), Frame())) == [["1", "−2"]]


def test_a_window_keeps_names_and_heads() -> None:
    frame = Frame("token", "t", 8)
    whole = grid(np.arange(40 * 64.0).reshape(40, 64), frame)
    part = whole.window(39, 30)
    assert part.labels == tuple(f"t{n}" for n in range(32, 40))
    assert part.column_labels == tuple(f"c{n}" for n in range(26, 34))
    table, _, _ = tables(part, part, Tolerance(), frame, 64)
    assert table.groups == (("head 3", 6), ("head 4", 2))


@pytest.mark.parametrize(
    ("number", "places", "text"),
    [
        (2.3209538, 3, "2.321"),
        (-0.5, 3, "−0.500"),
        (123456.0, 3, "1.23e5"),
        (-1e-9, 3, "−1.00e-9".replace("e-", "e−")),
        (0.0, 3, "0.000"),
        (7.0, 0, "7"),
        (float("-inf"), 3, "−inf"),
    ],
)
def test_numbers_in_cells(number: float, places: int, text: str) -> None:
    assert cell(number, places) == text


def test_examples_round_to_four_significant_digits() -> None:
    assert [rounded(n) for n in (2.32095, 1.0, -0.26894, 1e-5, float("nan"))] == [
        "2.321",
        "1.0",
        "-0.2689",
        "1e-05",
        "nan",
    ]
    assert decimals(0.0, 1.0) == 3 and decimals(2e-5, 1.0) == 6 and decimals(1e-20, 1.0) == 8


@pytest.mark.parametrize(
    "array",
    [
        np.array([[0.1, np.nan], [np.inf, -np.inf]]),
        np.array([1.5, 2.25], dtype=np.float32),
        np.array([[True, False]]),
        np.arange(6).reshape(1, 2, 3),
        np.zeros((0, 3)),
        np.array(2.5),
    ],
)
def test_copied_code_and_the_reports_json_give_the_array_back(array: np.ndarray) -> None:
    back = eval(code(array), {"np": np})  # noqa: S307 (our own text)
    assert back.dtype == array.dtype and back.shape == array.shape
    assert np.array_equal(back, array, equal_nan=array.dtype.kind == "f")
    read = array_of(read_value(value(array)))
    assert read is not None and read.dtype == array.dtype
    assert np.array_equal(read, array, equal_nan=array.dtype.kind == "f")


def test_what_is_cut_or_no_array_is_not_read_as_one() -> None:
    assert array_of(read_value(value(np.zeros(5000)))) is None
    assert array_of(None) is None and array_of("1.0") is None
    assert array_of(read_value(value(1 << 9_999))) is None
    assert array_of(1 << 64) is None


def test_a_picture_has_every_cell_once_and_a_rule_between_heads() -> None:
    values = np.arange(4 * 64, dtype=float).reshape(4, 64) - 100
    values[0, 0] = np.nan
    picture = strip((("Expected", values), ("Yours", values)), Frame(heads=8))
    assert [band.name for band in picture.bands] == ["Expected", "Yours"]
    for band in picture.bands:
        assert sum(path.count("M") for _, path in band.shades) == 4 * 64
        assert len(band.rules) == 7
        assert any("stroke-dasharray" in style for style, _ in band.shades)
    assert [name for name, _ in picture.heads] == [f"head {n}" for n in range(8)]


def test_a_mask_shows_each_place_and_counts_by_head() -> None:
    wrong = np.zeros((2, 6), dtype=bool)
    wrong[1, 3:] = True
    text = base64.b64encode(np.packbits(wrong).tobytes()).decode()
    read = unpacked(text, 2, 6)
    assert read is not None and (read == wrong).all()
    picture = mask(read, ["t0", "t1"], HEADS)
    assert (picture.wrong, picture.size) == (3, 12)
    assert picture.off.count("M") == 3 and picture.right.count("M") == 9
    assert picture.groups == ("head 0", "head 1")
    assert picture.counts == (("t0", ("0 of 3", "0 of 3")), ("t1", ("0 of 3", "3 of 3")))


@pytest.mark.parametrize("text", ["", "?", "AA==", "\u00e9"])
def test_a_mask_that_is_none_is_not_drawn(text: str) -> None:
    assert unpacked(text, 7, 15) is None


def test_a_large_mask_stays_within_the_page() -> None:
    picture = mask(np.ones((64, 64), dtype=bool), [str(n) for n in range(64)], Frame())
    assert picture.width < 760 and picture.height < 420 and not picture.labels
