"""Findings about outputs that were never computed: one constant everywhere, or an argument."""

from __future__ import annotations

import numpy as np

from app.grading.findings.comparison import CaseComparison, finding
from app.grading.sentences.phrases import figure
from app.model import Finding


def constant(looks: list[CaseComparison]) -> Finding | None:
    """Every value of every output is the same number."""
    first = float(looks[0].got.flat[0])
    if not np.isfinite(first) or any((one.got != first).any() for one in looks):
        return None
    message = (
        f"Every value is {figure(first)}. You return an array that was never filled. Do you store "
        f"each result, and return that array?"
    )
    return finding("constant", message, looks)


def argument(looks: list[CaseComparison]) -> Finding | None:
    """The output is one of the arguments, in every case the same one."""
    for name, value in looks[0].arguments.items():
        if isinstance(value, np.ndarray) and all(_is_argument(one, name) for one in looks):
            message = (
                f"The output equals the argument `{name}`. "
                "What you compute from it never reaches the output."
            )
            return finding("argument", message, looks)
    return None


def _is_argument(one: CaseComparison, name: str) -> bool:
    value = one.arguments.get(name)
    return isinstance(value, np.ndarray) and one.equal(value.astype(np.float64))
