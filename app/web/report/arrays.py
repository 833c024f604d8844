"""Expected, yours and difference side by side: tables with heat, as data for the templates.

Only visible cases come here; their values are in the report. Tables go up to 16 × 16; larger arrays
are pictures (`pictures.py`) with a table of the place around the worst value.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from app.grading.checker import equal_cells
from app.model import Array, Tolerance
from app.web.report.numbers import cell, decimals

SIDE = 16
"""Rows and columns a table may have."""

_WINDOW = 8

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Frame:
    """What rows and columns are called and where a head ends: every `head_width` columns."""

    row: str = "row"
    letter: str = "r"
    heads: int | None = None

    def head_width(self, columns: int) -> int | None:
        """Columns a head, where the heads divide them."""
        if self.heads is None or self.heads < 1 or columns % self.heads:
            return None
        return columns // self.heads


@dataclass(frozen=True)
class Cell:
    """One number: its text, its classes, its heat from 0 to 1 as text, and a word for the blind."""

    text: str
    classes: str = ""
    heat: str = ""
    word: str = ""


@dataclass(frozen=True)
class Table:
    """An array as a table; `groups` are the braces over the columns: a label and how many."""

    name: str
    caption: str
    groups: tuple[tuple[str, int], ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]


@dataclass(frozen=True)
class Grid:
    """An array read as rows and columns; leading axes are folded into the row labels."""

    values: Floats
    labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    integer: bool

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.values.shape[0], self.values.shape[1]

    def window(self, row: int, column: int) -> Grid:
        """The part around a place, at most 8 × 8."""
        rows, columns = _span(row, self.shape[0]), _span(column, self.shape[1])
        return replace(
            self,
            values=self.values[rows, columns],
            labels=self.labels[rows],
            column_labels=self.column_labels[columns],
        )


def grid(array: Array, frame: Frame) -> Grid:
    """The array as rows and columns: 0-d is one cell, 1-d one row, more axes are folded."""
    labels: tuple[str, ...] = ("",)
    if array.ndim == 0:
        values = array.reshape(1, 1)
    elif array.ndim == 1:
        values = array.reshape(1, -1)
    else:
        values = array.reshape(-1, array.shape[-1])
        leading = list(np.ndindex(*array.shape[:-1]))
        labels = tuple(_row_label(index, frame) for index in leading)
    columns = tuple(f"c{n}" for n in range(values.shape[1])) if array.ndim else ("",)
    return Grid(values.astype(np.float64), labels, columns, array.dtype.kind != "f")


def _row_label(index: Sequence[int], frame: Frame) -> str:
    return f"{frame.letter}{index[0]}" if len(index) == 1 else ",".join(map(str, index))


def _span(at: int, size: int) -> slice:
    start = max(0, min(at - _WINDOW // 2, size - _WINDOW))
    return slice(start, start + _WINDOW)


def differences(got: Floats, expected: Floats) -> Floats:
    """Yours − expected; where either is no number, NaN."""
    with np.errstate(all="ignore"):
        found: Floats = got - expected
    return np.where(np.isfinite(found), found, np.nan)


def worst(wrong: npt.NDArray[np.bool_], difference: Floats) -> tuple[int, int] | None:
    """The place of the worst cell, as the checker's sentence has it: the largest difference.

    Where no wrong cell has one (NaN, infinities), the first of them.
    """
    if not wrong.any():
        return None
    sizes = np.where(wrong, np.nan_to_num(np.abs(difference), nan=-1.0), -2.0)
    row, column = np.unravel_index(int(np.argmax(sizes)), sizes.shape)
    return int(row), int(column)


def tables(
    got: Grid, expected: Grid, tolerance: Tolerance, frame: Frame, widths: int
) -> tuple[Table, Table, Table]:
    """The three tables of two grids of one shape; `widths` is the whole array's column count."""
    wrong = ~equal_cells(got.values, expected.values, tolerance)
    difference = differences(got.values, expected.values)
    at = worst(wrong, difference)
    largest = _largest(expected.values, got.values)
    places = 0 if got.integer and expected.integer else decimals(_least(difference, wrong), largest)
    plain = [[Cell(cell(v, places)) for v in row] for row in expected.values]
    yours = [
        [_yours(v, places, bool(w)) for v, w in zip(*pair, strict=True)]
        for pair in zip(got.values, wrong, strict=True)
    ]
    heat = _heat(difference, wrong, at, places)
    width = frame.head_width(widths)
    return (
        _table("Expected", "", expected, plain, width),
        _table("Yours", "", expected, yours, width),
        _table("Difference", "yours − expected", expected, heat, width),
    )


def single(name: str, values: Grid, frame: Frame) -> Table:
    """One array by itself, where there is nothing of its shape to compare it with."""
    places = 0 if values.integer else 3
    cells = [[_yours(v, places, wrong=False) for v in row] for row in values.values]
    width = frame.head_width(values.shape[1])
    return _table(name, "", values, cells, width)


def _largest(*arrays: Floats) -> float:
    finite = [np.abs(a[np.isfinite(a)]) for a in arrays]
    return max((float(a.max()) for a in finite if a.size), default=0.0)


def _least(difference: Floats, wrong: npt.NDArray[np.bool_]) -> float:
    """The size of the smallest difference that counts: the table must show it."""
    sizes = np.abs(difference[wrong & np.isfinite(difference)])
    sizes = sizes[sizes > 0]
    return float(sizes.min()) if sizes.size else 0.0


def _yours(value: float, places: int, wrong: bool) -> Cell:
    text = cell(value, places)
    if not math.isfinite(value):
        return Cell(text, "nan wrong" if wrong else "nan", word="off" if wrong else "")
    return Cell(text, "wrong" if wrong else "", word="off" if wrong else "")


def _heat(
    difference: Floats, wrong: npt.NDArray[np.bool_], at: tuple[int, int] | None, places: int
) -> list[list[Cell]]:
    top = _largest(difference[wrong]) or 1.0

    def one(row: int, column: int) -> Cell:
        value = float(difference[row, column])
        mark = " worst" if (row, column) == at else ""
        if math.isnan(value):
            return Cell("·", f"nan{mark}", word="no number")
        if not wrong[row, column]:
            return Cell("0", "zero")
        share = f"{0.15 + 0.72 * abs(value) / top:.2f}"
        sign = "+" if value > 0 else ""
        kind = "hi" if value > 0 else "lo"
        return Cell(sign + cell(value, places), kind + mark, share, "worst" if mark else "")

    return [[one(r, c) for c in range(wrong.shape[1])] for r in range(wrong.shape[0])]


def _starts(values: Grid, width: int | None) -> dict[int, int]:
    """Columns of this grid at which a head begins, the first one left out, and which head."""
    if width is None:
        return {}
    numbers = [int(label[1:] or 0) for label in values.column_labels]
    return {i: n // width for i, n in enumerate(numbers) if i and n % width == 0}


def _table(
    name: str, caption: str, values: Grid, cells: list[list[Cell]], width: int | None
) -> Table:
    starts = _starts(values, width)
    marked = [
        tuple(
            replace(c, classes=f"head-start {c.classes}".strip()) if i in starts else c
            for i, c in enumerate(row)
        )
        for row in cells
    ]
    rows = tuple(zip(values.labels, marked, strict=True))
    return Table(name, caption, _groups(values.shape[1], starts), values.column_labels, rows)


def _groups(columns: int, starts: dict[int, int]) -> tuple[tuple[str, int], ...]:
    """The braces: each head's name and how many of its columns are here."""
    if not starts:
        return ()
    edges = [0, *starts, columns]
    first = min(starts.values()) - 1
    spans = zip(edges, edges[1:], strict=False)
    return tuple((f"head {first + n}", end - start) for n, (start, end) in enumerate(spans))
