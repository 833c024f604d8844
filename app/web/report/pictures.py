"""Arrays too large for numbers, and hidden cases that show where but never what: SVG path data.

Cells of one shade share a path, so that 4,096 of them stay a few kilobytes.
"""

from __future__ import annotations

import base64
import binascii
import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.model import Mismatch
from app.web.report.arrays import Floats, Frame

_SHADES = 8
_NO_NUMBER = -99
_LEFT = 74
_TOP = 16


@dataclass(frozen=True)
class Band:
    """One array of a strip: its label's place, its shades as (style, path), its head rules."""

    name: str
    label_y: float
    shades: tuple[tuple[str, str], ...]
    rules: tuple[str, ...]


@dataclass(frozen=True)
class Strip:
    """Expected, yours and difference as pictures under one another."""

    width: float
    height: float
    heads: tuple[tuple[str, float], ...]
    bands: tuple[Band, ...]
    rows: int
    columns: int


@dataclass(frozen=True)
class Mask:
    """Right and wrong cells of a hidden output; `counts` is (row label, one "5 of 5" a group)."""

    width: float
    height: float
    wrong: int
    size: int
    heads: tuple[tuple[str, float, str], ...]
    labels: tuple[tuple[str, float], ...]
    off: str
    hatch: str
    right: str
    groups: tuple[str, ...]
    counts: tuple[tuple[str, tuple[str, ...]], ...]


def strip(named: Sequence[tuple[str, Floats]], frame: Frame) -> Strip:
    """Pictures of arrays of one shape, each coloured from most negative to most positive."""
    rows, columns = named[0][1].shape
    step = max(2.0, min(9.0, 576 / columns, 220 / rows))
    width = frame.head_width(columns)
    bands = []
    for n, (name, values) in enumerate(named):
        top = _TOP + n * (rows * step + 21)
        bands.append(_band(name, values, top, step, width))
    heads = (
        ()
        if width is None or width * step < 34
        else tuple((f"head {h}", _LEFT + (h + 0.5) * width * step) for h in range(columns // width))
    )
    height = _TOP + len(named) * (rows * step + 21) - 12
    return Strip(_LEFT + columns * step + 2, height, heads, tuple(bands), rows, columns)


def _band(name: str, values: Floats, top: float, step: float, width: int | None) -> Band:
    finite = np.abs(values[np.isfinite(values)])
    largest = float(finite.max()) if finite.size and finite.max() > 0 else 1.0
    with np.errstate(invalid="ignore"):
        levels = np.where(np.isfinite(values), np.rint(_SHADES * values / largest), _NO_NUMBER)
    side = step - 1 if step > 3 else step
    xs = [f"M{_LEFT + n * step:g} " for n in range(values.shape[1])]
    ys = [f"{top + n * step:g}h{side:g}v{side:g}h-{side:g}z" for n in range(values.shape[0])]
    paths: dict[int, list[str]] = defaultdict(list)
    for y, row in zip(ys, levels.astype(int).tolist(), strict=True):
        for x, level in zip(xs, row, strict=True):
            paths[level].append(x + y)
    shades = tuple((_style(level), "".join(cells)) for level, cells in sorted(paths.items()))
    rules = () if width is None else tuple(_rules(values.shape, top, step, width))
    return Band(name, top + values.shape[0] * step / 2 + 4, shades, rules)


def _style(level: int) -> str:
    if level == _NO_NUMBER:
        return "fill:none;stroke:var(--off);stroke-dasharray:2 1"
    if level == 0:
        return "fill:var(--sunk)"
    colour = "--heat-high" if level > 0 else "--heat-low"
    share = round(100 * abs(level) / _SHADES)
    return f"fill:color-mix(in oklab, var({colour}) {share}%, var(--sunk))"


def _rules(shape: tuple[int, ...], top: float, step: float, width: int) -> list[str]:
    edges = range(width, shape[1], width)
    return [f"M{_LEFT + at * step - 0.5:g} {top - 2:g}v{shape[0] * step + 3:g}" for at in edges]


def unpacked(mask: str, rows: int, columns: int) -> npt.NDArray[np.bool_] | None:
    """The wrong cells of a report's mask, or None where the text is no mask of that size."""
    try:
        packed = np.frombuffer(base64.b64decode(mask, validate=True), dtype=np.uint8)
    except (binascii.Error, ValueError):
        return None
    if packed.size * 8 < rows * columns:
        return None
    return np.unpackbits(packed, count=rows * columns).reshape(rows, columns).astype(bool)


def mask(wrong: npt.NDArray[np.bool_], labels: Sequence[str], frame: Frame) -> Mask:
    """The picture of wrong places, heads set apart, and the same as counts."""
    rows, columns = wrong.shape
    step: float = max(4.0, min(15.0, 660 / columns, 360 / rows))
    width = frame.head_width(columns) or columns
    side, gap = step - 3 if step > 8 else step - 1, 6.0 if width < columns else 0.0

    def x(column: int) -> float:
        return 26.0 + column * step + (column // width) * gap

    off_cells: list[str] = []
    hatch: list[str] = []
    right: list[str] = []
    for (row, column), bad in np.ndenumerate(wrong):
        left, top = x(column), 20 + row * step
        cell = f"M{left + 0.5:g} {top + 0.5:g}h{side:g}v{side:g}h-{side:g}z"
        (off_cells if bad else right).append(cell)
        if bad and step > 8:
            hatch.append(f"M{left + 0.5:g} {top + side + 0.5:g}l{side:g} -{side:g}")
    heads = tuple(
        (f"head {h}", (x(h * width) + x((h + 1) * width - 1) + side) / 2, _brace(x, h, width, side))
        for h in range(columns // width if gap else 0)
        if width * step > 34
    )
    named = tuple((label, 20 + n * step + 11) for n, label in enumerate(labels) if step > 11)
    return Mask(
        x(columns - 1) + step + 1, 20 + rows * step, int(wrong.sum()), wrong.size, heads, named,
        "".join(off_cells), "".join(hatch), "".join(right), *_counts(wrong, labels, width),
    )  # fmt: skip


def _brace(x: Callable[[int], float], head: int, width: int, side: float) -> str:
    start = x(head * width)
    return f"M{start:g} 16h{x((head + 1) * width - 1) + side - start:g}"


def _counts(
    wrong: npt.NDArray[np.bool_], labels: Sequence[str], width: int
) -> tuple[tuple[str, ...], tuple[tuple[str, tuple[str, ...]], ...]]:
    rows, columns = wrong.shape
    groups = columns // width
    if rows > 24 or groups > 12:
        return (), ()
    heads = tuple(f"head {h}" for h in range(groups)) if groups > 1 else ("off",)
    blocks = wrong.reshape(rows, groups, width).sum(axis=2)
    told = tuple(
        (label, tuple(f"{int(n)} of {width}" for n in row))
        for label, row in zip(labels, blocks, strict=True)
    )
    return heads, told


def mask_of(mismatch: Mismatch, frame: Frame) -> Mask | None:
    """Which cells of a hidden case's output are off, where its report says so."""
    where, shape = mismatch.where, mismatch.expected_shape
    if where is None or not where.mask or shape is None:
        return None
    columns, size = shape[-1] if shape else 1, math.prod(shape)
    if columns < 1 or size < 1:
        return None
    wrong = unpacked(where.mask, size // columns, columns)
    if wrong is None:
        return None
    labels = [f"{frame.letter}{n}" if len(shape) == 2 else str(n) for n in range(size // columns)]
    return mask(wrong, labels if len(shape) > 1 else [""], frame)
