"""Findings about outputs that are one number each: what all the failing tests have in common.

Of one number nothing can be told, since it is some factor of any other. In two tests that expect
different numbers, the same factor, the same shift or the same rounding is no chance.
"""

from __future__ import annotations

import numpy as np

from app.grading.findings import proportions
from app.grading.findings.comparison import CaseComparison, finding
from app.grading.findings.proportions import explained, is_rounded
from app.grading.sentences.phrases import count, figure
from app.model import Finding

SAME = 1e-4
DECIMALS = range(1, 9)


def constant(looks: list[CaseComparison]) -> Finding | None:
    """The same number in every test, although different ones are expected."""
    first = _got(looks[0])
    if not _differ(looks) or not np.isfinite(first) or any(_got(one) != first for one in looks):
        return None
    message = (
        f"The output is always {figure(first)}. What you compute from the arguments never reaches "
        "it."
    )
    return finding("constant", message, looks)


def factor(looks: list[CaseComparison]) -> Finding | None:
    """Each output is the expected one times the same number, or times the same size."""
    if not _differ(looks) or any(_expected(one) == 0 for one in looks):
        return None
    known = [_got(one) / _expected(one) for one in looks]
    if not np.isfinite(known).all() or figure(known[0]) in ("0", "1"):
        return None
    name = explained(looks, known)
    if not all(abs(number - known[0]) <= SAME * abs(known[0]) for number in known):
        said = f"The output is {name} times what it should be."
        return finding("factor", said, looks) if name else None
    return finding("factor", _words(known[0], name), looks)


def _words(number: float, name: str | None) -> str:
    if abs(number + 1) < 1e-6:
        return "The output has the opposite sign."
    why = f" {figure(number)} is {name} here." if name else ""
    return f"The output is {figure(number)} times what it should be.{why}"


def offset(looks: list[CaseComparison]) -> Finding | None:
    """Each output is the expected one plus the same number."""
    shifts = [_got(one) - _expected(one) for one in looks]
    if not _differ(looks) or not np.isfinite(shifts).all():
        return None
    if any(abs(shift - shifts[0]) > SAME * abs(shifts[0]) for shift in shifts):
        return None
    way = "large" if shifts[0] > 0 else "small"
    return finding("offset", f"The output is {figure(abs(shifts[0]))} too {way}.", looks)


def rounded(looks: list[CaseComparison]) -> Finding | None:
    """Each output is the expected one rounded to the same number of decimals."""
    for decimals in DECIMALS if _differ(looks) else ():
        if all(is_rounded(one, decimals) for one in looks):
            message = f"The output is right, but rounded to {count(decimals, 'decimal')}. "
            return finding("rounded", f"{message}Return it unrounded.", looks)
    return None


def half_precision(looks: list[CaseComparison]) -> Finding | None:
    """Each output is right as far as float16 goes."""
    return proportions.half_precision(looks) if _differ(looks) else None


def _differ(looks: list[CaseComparison]) -> bool:
    """Whether at least two tests expect numbers that are finite and far enough apart to tell."""
    expected = [_expected(one) for one in looks]
    return bool(np.isfinite(expected).all()) and np.ptp(expected) > SAME * max(map(abs, expected))


def _got(one: CaseComparison) -> float:
    return float(one.got.flat[0])


def _expected(one: CaseComparison) -> float:
    return float(one.expected.flat[0])
