"""Findings about places: right numbers elsewhere, and which heads, rows or columns are off."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from app.grading.checker import Cells, equal_cells
from app.grading.findings.comparison import CaseComparison, Floats, finding
from app.grading.sentences.phrases import counted
from app.model import Finding

PAIRWISE_CELLS = 300_000


def transposed(looks: list[CaseComparison]) -> Finding | None:
    """Square outputs that are the transpose of the expected ones."""
    square = [one for one in looks if one.got.ndim == 2 and len(set(one.got.shape)) == 1]
    if len(square) < len(looks) or not all(one.equal(one.expected.T) for one in square):
        return None
    return finding("transposed", "The output is transposed: rows and columns are swapped.", looks)


def same_numbers(looks: list[CaseComparison]) -> Finding | None:
    """The same multiset of numbers in other places."""
    for one in looks:
        mine, theirs = np.sort(one.got, axis=None), np.sort(one.expected, axis=None)
        if mine[0] == mine[-1] or not equal_cells(mine, theirs, one.tolerance).all():
            return None
    message = (
        "Every number is right, but they are in the wrong places. Sorted, the two arrays are "
        "identical, so the arithmetic is right. Check the axes at each reshape and transpose."
    )
    return finding("same_numbers", message, looks)


# ------------------------------------------------------------------ permutations


def rows_moved(looks: list[CaseComparison]) -> Finding | None:
    """The rows are the expected ones in another order."""
    return _moved(looks, "row", lambda one: one.table)


def columns_moved(looks: list[CaseComparison]) -> Finding | None:
    """The columns are the expected ones in another order."""
    return _moved(looks, "column", lambda one: (one.table[0].T, one.table[1].T))


def heads_moved(looks: list[CaseComparison]) -> Finding | None:
    """The columns of the heads were reversed head by head, or dealt out like cards."""
    told = [one for one in looks if one.n_heads > 1]
    if not told or len(told) < len(looks):
        return None
    for kind, message, order in _HEAD_ORDERS:
        orders = [order(one.got.shape[-1], one.n_heads) for one in told]
        trivial = all((o == np.arange(o.size)).all() for o in orders)
        if not trivial and all(
            one.equal(one.expected[..., o]) for one, o in zip(told, orders, strict=True)
        ):
            return finding(kind, message, looks)
    return None


def _reversed_heads(width: int, n_heads: int) -> npt.NDArray[np.intp]:
    return np.arange(width).reshape(n_heads, -1)[::-1].ravel()


def _interleaved(width: int, n_heads: int) -> npt.NDArray[np.intp]:
    return np.arange(width).reshape(n_heads, -1).T.ravel()


def _dealt(width: int, n_heads: int) -> npt.NDArray[np.intp]:
    return np.arange(width).reshape(-1, n_heads).T.ravel()


_HEAD_ORDERS: tuple[tuple[str, str, Callable[[int, int], npt.NDArray[np.intp]]], ...] = (
    (
        "heads_reversed",
        "Every head is right, but the heads are in reverse order.",
        _reversed_heads,
    ),
    (
        "heads_interleaved",
        "The columns of the heads are interleaved. Column 0 of every head comes first, then "
        "column 1 of every head; each head's columns belong side by side.",
        _interleaved,
    ),
    (
        "heads_dealt",
        "The columns are dealt out to the heads like cards. Each head's columns belong in one "
        "block, side by side.",
        _dealt,
    ),
)


def _moved(
    looks: list[CaseComparison],
    noun: str,
    tables: Callable[[CaseComparison], tuple[Floats, Floats]],
) -> Finding | None:
    orders = []
    for one in looks:
        order = _order(*tables(one), one)
        if order is None:
            return None
        orders.append(order)
    words = _order_words(orders, noun)
    message = f"The {noun}s are right, but in the wrong order. {words}"
    return finding(f"{noun}s_permuted", message, looks)


def _order(got: Floats, expected: Floats, one: CaseComparison) -> list[int] | None:
    """Position of each line of `got` among the lines of `expected`; None unless one to one."""
    n = len(got)
    if n < 2 or n * got.size > PAIRWISE_CELLS:
        return None
    pairs = equal_cells(got[:, np.newaxis], expected[np.newaxis], one.tolerance).all(axis=-1)
    if not (pairs.sum(axis=0) == 1).all() or not (pairs.sum(axis=1) == 1).all():
        return None
    return [int(i) for i in pairs.argmax(axis=1)]


def _order_words(orders: Sequence[list[int]], noun: str) -> str:
    if all(order == list(range(len(order)))[::-1] for order in orders):
        return "They are in reverse order."
    shifts = {_shift(order) for order in orders}
    if len(shifts) == 1 and (shift := shifts.pop()) is not None:
        mine, theirs = (0, shift) if shift > 0 else (-shift, 0)
        return f"They are shifted: your {noun} {mine} is {noun} {theirs} of the expected output."
    first = orders[0]
    moved = [i for i, j in enumerate(first) if i != j]
    if len(moved) == 2:
        return f"{noun.capitalize()}s {moved[0]} and {moved[1]} are swapped."
    shown = ", ".join(map(str, first[:12])) + (", …" if len(first) > 12 else "")
    return f"In the first failing test, yours are {noun}s {shown} of the expected output."


def _shift(order: list[int]) -> int | None:
    """By how many places all lines are shifted around, the shorter way; None where they are not."""
    n = len(order)
    if order != [(order[0] + i) % n for i in range(n)]:
        return None
    return order[0] if order[0] <= n // 2 else order[0] - n


# ------------------------------------------------------------------ only some are off


def some_heads(looks: list[CaseComparison]) -> Finding | None:
    """Some heads are right in every cell, others are off."""
    if any(one.n_heads < 2 for one in looks):
        return None
    return _some(looks, "head", lambda one: one.wrong.reshape(-1, one.n_heads, _width(one)), 1)


def _width(one: CaseComparison) -> int:
    return int(one.wrong.shape[-1]) // one.n_heads


def some_columns(looks: list[CaseComparison]) -> Finding | None:
    """Some columns are right in every cell, others are off."""
    return _some(looks, "column", lambda one: one.wrong.reshape(-1, one.wrong.shape[-1]), 1)


def some_rows(looks: list[CaseComparison]) -> Finding | None:
    """Some rows are right in every cell, others are off."""
    return _some(looks, "row", lambda one: one.wrong.reshape(-1, one.wrong.shape[-1]), 0)


def _some(
    looks: list[CaseComparison], noun: str, cells: Callable[[CaseComparison], Cells], axis: int
) -> Finding | None:
    """Which slices along an axis of `cells` are off, said in a way that holds for every case."""
    names: list[list[str]] = []
    lengths = []
    for one in looks:
        wrong = cells(one)
        lines = np.moveaxis(wrong, axis, 0).reshape(wrong.shape[axis], -1)
        off = np.asarray(lines.any(axis=1))
        if len(off) > 1 and off.all():
            return None
        lengths.append(len(off))
        names.append(_which([int(i) for i in np.flatnonzero(off)], len(off), noun))
    if max(lengths) < 2:
        return None
    common = [name for name in names[0] if all(name in others for others in names)]
    if not common:
        return None
    return finding(f"some_{noun}s", common[0], looks)


def _which(indices: list[int], n: int, noun: str) -> list[str]:
    """All the ways to say which are off, the most general one first."""
    ways = []
    if indices == [0]:
        ways.append(f"Only the first {noun} is off.")
    if indices == [n - 1]:
        ways.append(f"Only the last {noun} is off.")
    if n > 2 and indices == list(range(1, n)):
        ways.append(f"Only the first {noun} is right.")
    if n > 2 and indices == list(range(n - 1)):
        ways.append(f"Only the last {noun} is right.")
    if n > 3 and indices == list(range(1, n, 2)):
        ways.append(f"Every second {noun} is off, from {noun} 1 on.")
    if 1 < indices[0] < n - 1 and indices == list(range(indices[0], n)):
        ways.append(f"All {noun}s from {noun} {indices[0]} on are off; the ones before are right.")
    verb = "is" if len(indices) == 1 else "are"
    ways.append(f"Only {counted(indices, noun, limit=n)} {verb} off.")
    return ways
