"""Labelled cells: which token and column a value came from, and how an array of them is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from app.model import Array, CellRows, LabelledCell

Places: TypeAlias = "npt.NDArray[np.int64]"
"""For each cell the number of the labelled cell it holds; MIXED where it holds none of them."""

MIXED = -1
NEAR = 1e-3
"""Which cell a value is, not how exactly: what is rounded is still in its place."""

SIDE = 16
"""A longer side is not drawn."""


@dataclass(frozen=True)
class Labels:
    """The labelled cells: their values, and token and column of each."""

    values: npt.NDArray[np.float64]
    tokens: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int64]

    def places(self, array: Array) -> Places:
        """Which labelled cell each cell of an array holds; flat in row-major order."""
        flat = array.astype(np.float64).ravel()
        order = np.argsort(self.values)
        first = np.searchsorted(self.values, flat - NEAR, "left", order)
        last = np.searchsorted(self.values, flat + NEAR, "right", order)
        is_one = np.isfinite(flat) & (last - first == 1)
        places = np.full(flat.shape, MIXED, np.int64)
        places[is_one] = order[first[is_one]]
        return places

    def in_order(self, places: Places) -> bool:
        """Whether these are all labelled cells as they were given, read row by row."""
        return places.size == self.values.size and bool((places == np.arange(places.size)).all())


def table(array: Array) -> Array:
    """An array as rows and columns: what stands before the last axis becomes rows."""
    return array.reshape(-1, array.shape[-1]) if array.ndim else array.reshape(1, 1)


def rows(array: Array, places: Places, moved: npt.NDArray[np.bool_], labels: Labels) -> CellRows:
    """The cells of a table as they are drawn, row by row."""
    values = array.astype(np.float64).ravel()
    cells = [
        _cell(int(place), bool(off), float(value), labels)
        for place, off, value in zip(places, moved, values, strict=True)
    ]
    width = array.shape[-1]
    return tuple(tuple(cells[at : at + width]) for at in range(0, len(cells), width))


def _cell(place: int, moved: bool, value: float, labels: Labels) -> LabelledCell:
    if place == MIXED:
        return LabelledCell(None, None, _unlabelled(value), False)
    token, column = int(labels.tokens[place]), int(labels.columns[place])
    return LabelledCell(token, column, f"t{token}·c{column}", moved)


def _unlabelled(value: float) -> str:
    """A cell that holds no labelled one: nan, inf, 0 where it was never filled, else a mix."""
    if np.isfinite(value):
        return "0" if value == 0 else "mix"
    return "nan" if np.isnan(value) else "inf"
