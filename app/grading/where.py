"""Where an output is off: ranges of rows and columns, and one bit a cell, never a value."""

from __future__ import annotations

import base64

import numpy as np
import numpy.typing as npt

from app.model import Where

MASK_CELLS = 4_096


def where(wrong: npt.NDArray[np.bool_]) -> Where:
    """First and last row and column that hold a wrong cell, and the mask.

    The array is read as a table whose columns are its last axis; a 0-d or 1-d one is one row. The
    mask is `numpy.packbits` of the cells in row-major order, base64, or None over 4,096 cells.
    """
    table = wrong.reshape(-1, wrong.shape[-1]) if wrong.ndim else wrong.reshape(1, 1)
    rows, columns = np.flatnonzero(table.any(axis=1)), np.flatnonzero(table.any(axis=0))
    return Where(
        rows=_range(rows),
        columns=_range(columns),
        mask=_mask(table) if table.size <= MASK_CELLS else None,
    )


def _range(indices: npt.NDArray[np.intp]) -> tuple[int, ...]:
    return (int(indices[0]), int(indices[-1])) if indices.size else ()


def _mask(table: npt.NDArray[np.bool_]) -> str:
    return base64.b64encode(np.packbits(table).tobytes()).decode("ascii")
