"""Findings about numbers: a factor, a shift, rounding, precision, one head for all, right sums."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import sqrt

import numpy as np

from app.grading.checker import Cells, equal_cells
from app.grading.findings.comparison import CaseComparison, Floats, finding
from app.grading.sentences.phrases import count, counted, figure
from app.model import Finding

DECIMALS = range(9)
HALF = 2.0**-8
NEARLY = 1e-3
NEAR_AT_ALL = 1e-2  # off by more than this is not nearly right, however large the values are


def not_finite(looks: list[CaseComparison]) -> Finding | None:
    """NaN or inf where the reference is finite: in which rows, and whether the rest is right."""
    for one in looks:
        lost = ~np.isfinite(one.got) & np.isfinite(one.expected)
        if not lost.any():
            continue
        n = int(lost.sum())
        are = "is" if n == 1 else "are"
        said = f"{n:,} of {count(lost.size, 'value')} {are} {_what(one.got[lost])}, {_rows(lost)}."
        rest = " All others are right." if n < lost.size and not (one.wrong & ~lost).any() else ""
        return finding("not_finite", f"{said}{rest} This is {one.place}.", [one])
    return None


def _rows(lost: Cells) -> str:
    table = lost.reshape(-1, lost.shape[-1])
    rows, n_rows = np.flatnonzero(table.any(axis=1)).tolist(), len(table)
    if len(rows) == n_rows and n_rows > 1:
        return "in every row"
    if len(rows) > 1 and rows == list(range(rows[0], n_rows)):
        return f"in every row from row {rows[0]} on"
    return f"in {counted(rows, 'row')}"


def _what(values: Floats) -> str:
    return "nan" if np.isnan(values).all() else "inf" if np.isinf(values).all() else "nan or inf"


# ------------------------------------------------------------------ factor and shift


def factor(looks: list[CaseComparison]) -> Finding | None:
    """Every value is the expected one times the same number (in each case its own)."""
    factors = [_factor(one) for one in looks]
    known = [number for number in factors if number is not None]
    if len(known) < len(looks) or not any(_varies(one) for one in looks):
        return None
    first = known[0]
    if all(abs(number - first) <= 1e-4 * abs(first) for number in known):
        return finding("factor", _factor_words(first, looks, known), looks)
    name = explained(looks, known)
    message = f"Every value is {name} times what it should be, in every failing test."
    if name is None:
        some = [f"{figure(n)} in {one.place}" for n, one in zip(known[:2], looks[:2], strict=True)]
        words = "Within each test, every value is off by the same factor. It is"
        message = f"{words} {' and '.join(some)}."
    return finding("factor", message, looks)


def _varies(one: CaseComparison) -> bool:
    """Whether the expected values differ among themselves: of one value nothing can be told."""
    finite = one.expected[np.isfinite(one.expected)]
    return bool(finite.size > 1 and np.ptp(finite) > 0)


def _factor(one: CaseComparison) -> float | None:
    finite = np.isfinite(one.expected)
    got, expected = one.got[finite], one.expected[finite]
    if not np.isfinite(got).all() or not expected.any():
        return None
    at = int(np.abs(expected).argmax())
    number = float(got[at] / expected[at])
    with np.errstate(all="ignore"):
        scaled = number * one.expected
    return number if figure(number) not in ("0", "1") and one.equal(scaled) else None


def _factor_words(number: float, looks: list[CaseComparison], known: list[float]) -> str:
    if abs(number + 1) < 1e-6:
        return "Every value has the opposite sign."
    name = explained(looks, known)
    why = f" {figure(number)} is {name} here." if name else ""
    return f"Every value is {figure(number)} times what it should be.{why}"


def explained(looks: list[CaseComparison], factors: list[float]) -> str | None:
    """A name for the factor from the sizes that is right in every case, the simplest one."""
    candidates = [dict(_expressions(one.sizes)) for one in looks]
    for name in candidates[0]:
        values = [others.get(name) for others in candidates]
        pairs = list(zip(values, factors, strict=True))
        if all(v is not None and abs(v - f) <= 1e-5 * abs(f) for v, f in pairs):
            return name
    return None


def _expressions(sizes: Mapping[str, int]) -> Iterator[tuple[str, float]]:
    positive = {name: size for name, size in sizes.items() if size > 1}
    for name, size in positive.items():
        yield f"`{name}`", float(size)
        yield f"`sqrt({name})`", sqrt(size)
        yield f"`1 / {name}`", 1 / size
        yield f"`1 / sqrt({name})`", 1 / sqrt(size)
    for name, size in positive.items():
        for other, value in positive.items():
            if value != size:
                yield f"`{name} / {other}`", size / value
                yield f"`sqrt({name}) / sqrt({other})`", sqrt(size / value)


def offset(looks: list[CaseComparison]) -> Finding | None:
    """Every value is the expected one plus the same number."""
    shifts = []
    for one in looks:
        if not np.isfinite(one.got).all() or not np.isfinite(one.expected).all():
            return None
        shift = float(np.median(one.got - one.expected))
        if not one.equal(one.expected + shift):
            return None
        shifts.append(shift)
    if not any(_varies(one) for one in looks):
        return None
    if any(abs(s - shifts[0]) > 1e-4 * abs(shifts[0]) for s in shifts):
        message = "In each failing test, all values are shifted by the same number."
    else:
        size, way = figure(abs(shifts[0])), "large" if shifts[0] > 0 else "small"
        message = f"Every value is {size} too {way}."
    return finding("offset", message, looks)


# ------------------------------------------------------------------ precision


def rounded(looks: list[CaseComparison]) -> Finding | None:
    """The expected values rounded to some decimals."""
    for decimals in DECIMALS:
        if all(is_rounded(one, decimals) for one in looks):
            to = f"to {count(decimals, 'decimal')}" if decimals else "to whole numbers"
            message = f"The values are right, but rounded {to}. Return them unrounded."
            return finding("rounded", message, looks)
    return None


def is_rounded(one: CaseComparison, decimals: int) -> bool:
    """Whether one case's values are the expected ones rounded to so many decimals."""
    if not np.isfinite(one.got).all() or not np.isfinite(one.expected).all():
        return False
    step = 10.0**-decimals
    scale = 1e-6 if one.dtype == "float32" else 1e-10
    is_round = np.abs(one.got - np.round(one.got, decimals)) <= scale * (1 + np.abs(one.got))
    near = np.abs(one.got - one.expected) <= step * 0.5001 + 1e-9 * np.abs(one.expected)
    return bool(is_round.all() and near.all())


def half_precision(looks: list[CaseComparison]) -> Finding | None:
    """Right as far as float16 goes, and every value is one that float16 holds."""
    for one in looks:
        scale = float(np.abs(one.expected).max())
        if not np.isfinite(scale) or not np.isfinite(one.got).all() or scale > 6e4:
            return None
        with np.errstate(all="ignore"):
            held = one.got.astype(np.float16).astype(np.float64) == one.got
        if not held.all() or (np.abs(one.got - one.expected) > HALF * scale).any():
            return None
    message = (
        "The values are only as precise as float16. It keeps about three digits; "
        "compute in float64, NumPy's default, or in float32."
    )
    return finding("half_precision", message, looks)


def nearly(looks: list[CaseComparison]) -> Finding | None:
    """Every value is within a thousandth of the largest one, and within a hundredth at all."""
    worst = 0.0
    for one in looks:
        if not np.isfinite(one.got).all() or not np.isfinite(one.expected).all():
            return None
        scale = float(np.abs(one.expected).max())
        error = float(np.abs(one.got - one.expected).max())
        if scale == 0 or error > min(NEARLY * scale, NEAR_AT_ALL):
            return None
        worst = max(worst, error)
    message = (
        f"The values are nearly right: off by {figure(worst, 2)} at most. "
        "Something small is added, left out or rounded on the way."
    )
    return finding("nearly", message, looks)


# ------------------------------------------------------------------ other shapes of wrong


def single_head(looks: list[CaseComparison]) -> Finding | None:
    """Equal to plain attention over the full width, softmax(Q K^T / sqrt(width)) V, in each case.

    Vaswani et al., 2017, section 3.2.1. Said only where there is more than one head.
    """
    told = [one for one in looks if one.n_heads > 1]
    if not told or len(told) < len(looks):
        return None
    for one in told:
        arrays = [one.arguments.get(name) for name in ("Q", "K", "V")]
        q, k, v = (a if isinstance(a, np.ndarray) and a.ndim == 2 else None for a in arrays)
        if q is None or k is None or v is None or not q.shape == k.shape == v.shape:
            return None
        if not one.equal(_attention(*(a.astype(np.float64) for a in (q, k, v)))):
            return None
    message = (
        "This is the output of a single head over the full width. With several heads, each slice "
        "of columns has its own weights."
    )
    return finding("single_head", message, looks)


def _attention(q: Floats, k: Floats, v: Floats) -> Floats:
    """Scaled dot-product attention of (n, d) arrays, shifted by each row's maximum."""
    with np.errstate(all="ignore"):
        scores = q @ k.T / sqrt(q.shape[1])
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return np.asarray(weights / weights.sum(axis=-1, keepdims=True) @ v)


def sums(looks: list[CaseComparison]) -> Finding | None:
    """The sums along one axis are right although the values are not."""
    for axis, noun in ((-1, "row"), (0, "column")):
        if all(_sums_right(one, axis) for one in looks):
            message = (
                f"Each {noun} has the right sum, but not the right values. "
                f"Something is distributed along the {noun} in the wrong way."
            )
            return finding(f"{noun}_sums", message, looks)
    return None


def _sums_right(one: CaseComparison, axis: int) -> bool:
    got, expected = one.table
    if got.shape[axis] < 2 or not np.isfinite(got).all() or not np.isfinite(expected).all():
        return False
    return bool(equal_cells(got.sum(axis), expected.sum(axis), one.tolerance).all())
