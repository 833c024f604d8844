"""A finding about large numbers: nan or inf where the arguments are large, right where they aren't.

Unlike programs give the same nan, so no mistake is named by it; what is certain is said.
"""

from __future__ import annotations

import numpy as np

from app.grading.findings.comparison import CaseComparison, finding
from app.model import Finding, Value

LARGER = 3.0
"""How many times larger the arguments of the failing tests are than those of the passing ones."""


def large_numbers(off: list[CaseComparison], right: list[CaseComparison]) -> Finding | None:
    """Only nan and inf are off, and only where the arguments are larger than wherever it passes."""
    if not right or not all(_only_lost(one) for one in off):
        return None
    if min(map(_peak, off)) < LARGER * max(map(_peak, right)):
        return None
    what = "nan" if all(np.isnan(one.got[one.wrong]).all() for one in off) else "nan or inf"
    message = (
        f"Right for moderate numbers, {what} for large ones. `exp` gives inf above about 709 and "
        "0 below about -745, and inf / inf and 0 / 0 are nan. Look at what goes into exp, and at "
        "what you divide by."
    )
    return finding("large_numbers", message, off)


def _only_lost(one: CaseComparison) -> bool:
    lost = ~np.isfinite(one.got) & np.isfinite(one.expected)
    return bool(lost.any()) and not bool((one.wrong & ~lost).any())


def _peak(one: CaseComparison) -> float:
    """The largest finite number among the arguments' arrays, whatever its sign."""
    return max((_largest(value) for value in one.arguments.values()), default=0.0)


def _largest(value: Value) -> float:
    if isinstance(value, dict):
        return max(map(_largest, value.values()), default=0.0)
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "iuf":
        return 0.0
    sizes = np.abs(value[np.isfinite(value)].astype(np.float64))
    return float(sizes.max()) if sizes.size else 0.0
