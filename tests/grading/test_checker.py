"""The checker accepts what is right at the tolerance and nothing else, whatever it is given."""

from __future__ import annotations

import base64

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from app.grading.checker import changed_argument, check, equal_cells, same
from app.model import OddArray, Opaque, Tolerance, Value

TOLERANCE = Tolerance()
EXPECTED = np.array([[1.0, -2.0, 0.0], [1e6, 3.5, -0.25]])
SHAPES = arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5)
ANY_FLOATS = arrays.arrays(np.float64, SHAPES)
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.just(10**400)
)
VALUES: st.SearchStrategy[Value] = st.recursive(
    st.one_of(
        SCALARS,
        ANY_FLOATS,
        arrays.arrays(arrays.integer_dtypes() | arrays.boolean_dtypes(), SHAPES),
        arrays.arrays(arrays.floating_dtypes(sizes=(16, 32), endianness="="), SHAPES),
        st.builds(Opaque, st.text(max_size=5)),
        st.builds(OddArray, st.text(max_size=5), st.tuples(st.integers(0, 2**64))),
    ),
    lambda inner: st.one_of(
        st.tuples(inner), st.tuples(inner, inner), st.dictionaries(st.text(max_size=3), inner)
    ),
    max_leaves=4,
)


def kind(got: Value, expected: Value = EXPECTED) -> str | None:
    mismatch = check(got, expected, TOLERANCE)
    return None if mismatch is None else mismatch.kind


@given(ANY_FLOATS)
def test_an_array_equals_itself_with_nan_and_infinities(array: npt.NDArray[np.float64]) -> None:
    assert check(array.copy(), array, TOLERANCE) is None


@given(VALUES, VALUES)
def test_no_pair_of_values_makes_it_raise(got: Value, expected: Value) -> None:
    mismatch = check(got, expected, TOLERANCE)
    assert mismatch is None or mismatch.kind in ("type", "shape", "dtype", "not_finite", "values")


@given(ANY_FLOATS, st.data())
def test_one_cell_beyond_the_tolerance_is_found(
    array: npt.NDArray[np.float64], data: st.DataObject
) -> None:
    finite = np.asarray(np.nan_to_num(array, posinf=1.0, neginf=-1.0).clip(-1e9, 1e9))
    if not finite.size:
        return
    index = data.draw(st.integers(0, finite.size - 1))
    got = finite.copy()
    room = TOLERANCE.atol + TOLERANCE.rtol * abs(got.flat[index])
    got.flat[index] += 1.01 * room
    mismatch = check(got, finite, TOLERANCE)
    assert mismatch is not None
    assert (mismatch.kind, mismatch.wrong, mismatch.size) == ("values", 1, finite.size)
    assert mismatch.worst_index == tuple(int(i) for i in np.unravel_index(index, finite.shape))
    got.flat[index] = finite.flat[index] + 0.98 * room
    assert check(got, finite, TOLERANCE) is None


@given(ANY_FLOATS)
def test_rounding_to_float32_is_within_the_tolerance(array: npt.NDArray[np.float64]) -> None:
    finite = np.asarray(np.nan_to_num(array, posinf=0.0, neginf=0.0).clip(-1e30, 1e30))
    assert check(np.asarray(finite.astype(np.float32)), finite, TOLERANCE) is None


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        (0.5, 0.5),
        (np.array(0.5), 0.5),
        (0.5, np.array(0.5)),
        (np.float32(0.5) * np.ones(()), 0.5),
        (np.array(0.5, np.float16), 0.5),
        ((EXPECTED, 2.0), (EXPECTED, np.array(2.0))),
        (np.zeros((0, 4)), np.zeros((0, 4))),
        (np.array([1, 2]), np.array([1, 2])),
        (np.array([1, 2], np.uint8), np.array([1, 2])),
        (np.array([np.nan, np.inf, -np.inf]), np.array([np.nan, np.inf, -np.inf])),
    ],
)
def test_right_outputs(got: Value, expected: Value) -> None:
    assert kind(got, expected) is None


@pytest.mark.parametrize(
    ("got", "expected", "wanted"),
    [
        (None, EXPECTED, "type"),
        (Opaque("list"), EXPECTED, "type"),
        (Opaque("matrix"), EXPECTED, "type"),
        ("text", EXPECTED, "type"),
        (1.0, EXPECTED, "type"),
        ((EXPECTED,), EXPECTED, "type"),
        ({"out": EXPECTED}, EXPECTED, "type"),
        (EXPECTED, (EXPECTED, 1.0), "type"),
        ((EXPECTED,), (EXPECTED, 1.0), "type"),
        ((EXPECTED, None), (EXPECTED, 1.0), "type"),
        ((EXPECTED, EXPECTED), (EXPECTED, 1.0), "shape"),
        (EXPECTED.T, EXPECTED, "shape"),
        (EXPECTED[np.newaxis], EXPECTED, "shape"),
        (np.array([0.5]), 0.5, "shape"),
        (np.zeros((1, 3)), np.zeros((2, 3)), "shape"),
        (np.zeros((0, 3)), np.zeros((3, 0)), "shape"),
        (EXPECTED.astype(int), EXPECTED, "dtype"),
        (EXPECTED > 0, EXPECTED, "dtype"),
        (np.array([1.0, 2.0]), np.array([1, 2]), "dtype"),
        (True, 1.0, "dtype"),
        (1, 1.0, "dtype"),
        (OddArray("complex128", (2, 3)), EXPECTED, "dtype"),
        (OddArray("object", (2, 3)), EXPECTED, "dtype"),
        (OddArray("float64", (9999, 9999)), EXPECTED, "shape"),
        (np.full((2, 3), np.nan), EXPECTED, "not_finite"),
        (np.full((2, 3), np.inf), EXPECTED, "not_finite"),
        (np.array([1.0]), np.array([np.inf]), "values"),
        (np.array([-np.inf]), np.array([np.inf]), "values"),
        (np.array([np.nan]), np.array([np.inf]), "values"),
        (np.array([0.0]), np.array([np.nan]), "values"),
        (EXPECTED + 1e-3, EXPECTED, "values"),
        (np.array([0.1, 0.2], np.float16), np.array([0.1, 0.2]), "values"),
        (np.array([2**53]), np.array([2**53 + 1]), "values"),
        (10**400, 1.0, "dtype"),
    ],
)
def test_what_is_off_is_told_in_order(got: Value, expected: Value, wanted: str) -> None:
    assert kind(got, expected) == wanted


def test_nothing_is_broadcast() -> None:
    assert kind(np.zeros(()), np.zeros((2, 2))) == "shape"
    assert kind(np.zeros((1, 1)), np.zeros((2, 2))) == "shape"


def test_mismatch_counts_and_places_what_is_off() -> None:
    got = EXPECTED.copy()
    got[0, 1], got[1, 0], got[1, 2] = np.nan, 1e6 + 100, np.inf
    mismatch = check(got, EXPECTED, TOLERANCE)
    assert mismatch is not None
    assert (mismatch.kind, mismatch.wrong, mismatch.size) == ("not_finite", 3, 6)
    assert (mismatch.nan, mismatch.inf) == (1, 1)
    assert (mismatch.worst_abs, mismatch.worst_index) == (100.0, (1, 0))
    assert (mismatch.worst_got, mismatch.worst_expected) == (1e6 + 100, 1e6)
    assert mismatch.where is not None
    assert (mismatch.where.rows, mismatch.where.columns) == ((0, 1), (0, 2))
    bits = np.unpackbits(np.frombuffer(base64.b64decode(mismatch.where.mask or ""), np.uint8))
    assert bits[:6].tolist() == [0, 1, 0, 1, 0, 1]


def test_a_mask_stops_at_4096_cells() -> None:
    mismatch = check(np.ones((65, 64)), np.zeros((65, 64)), TOLERANCE)
    assert mismatch is not None
    assert mismatch.where is not None
    assert mismatch.where.mask is None


def test_part_of_a_tuple_is_numbered() -> None:
    mismatch = check((EXPECTED, EXPECTED + 1), (EXPECTED, EXPECTED), TOLERANCE)
    assert mismatch is not None
    assert (mismatch.kind, mismatch.part) == ("values", 1)


def test_huge_values_do_not_overflow_the_comparison() -> None:
    assert kind(np.array([1e308]), np.array([-1e308])) == "values"
    assert kind(np.array([1e308]), np.array([1e308])) is None


def test_stack_is_compared_row_by_row() -> None:
    stack = np.stack([EXPECTED, EXPECTED + 1])
    assert equal_cells(EXPECTED[np.newaxis], stack, TOLERANCE).all(axis=(1, 2)).tolist() == [
        True,
        False,
    ]


@given(VALUES)
def test_value_is_the_same_as_itself(value: Value) -> None:
    assert isinstance(same(value, value, TOLERANCE), bool)


# ------------------------------------------------------------------ arguments


def test_changed_arguments_are_found_bit_for_bit() -> None:
    before: tuple[Value, ...] = (EXPECTED, 2, {"w": np.array([1.0, np.nan])}, "plain", None)
    assert changed_argument(before, (EXPECTED.copy(), 2, before[2], "plain", None)) is None
    assert changed_argument(before, None) is None
    assert changed_argument(before, (EXPECTED + 0, 2, {"w": np.array([1.0, 2.0])}, "", None)) == 2
    assert changed_argument(before, (EXPECTED.astype(np.float32), *before[1:])) == 0
    assert changed_argument(before, (EXPECTED.reshape(3, 2), *before[1:])) == 0
    assert changed_argument(before, (EXPECTED, 2, {}, "plain", None)) == 2
    assert changed_argument((float("nan"),), (float("nan"),)) is None
    assert changed_argument(((1, 2),), ((1, 3),)) == 0
