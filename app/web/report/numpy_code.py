"""What a learner may take along from a report: arrays and arguments as NumPy code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.model import Expectations, Partial, TestCase, TestResult, Value
from app.web.report.numbers import COPIED_NUMBERS, array_of, code


@dataclass(frozen=True)
class Copy:
    """Something to take along as NumPy code."""

    label: str
    code: str


def copies(test: TestResult, expectations: Expectations | None) -> tuple[Copy, ...]:
    """Expected, yours and the arguments as NumPy code, where all their numbers are here."""
    found = []
    for label, value in (("Copy expected", test.expected), ("Copy yours", test.got)):
        array = array_of(value)
        if array is not None and array.size <= COPIED_NUMBERS:
            found.append(Copy(label, code(array)))
    names = [p.name for p in expectations.parameters] if expectations else []
    if test.arguments and names:
        lines = [_assignment(n, v) for n, v in zip(names, test.arguments, strict=False)]
        if all(lines) and sum(map(len, lines)) < 32 * COPIED_NUMBERS:
            found.append(Copy("Copy arguments", "\n".join(lines)))
    return tuple(found)


def arguments_code(case: TestCase, names: Sequence[str]) -> str:
    """The arguments of a case as assignments, or "" where they are too long to be read."""
    lines = [_assignment(n, v) for n, v in zip(names, case.arguments, strict=False)]
    text = "\n".join(lines)
    return text if all(lines) and len(text) <= READABLE else ""


READABLE = 1_200
"""Characters: what one looks over and changes by hand."""


def _assignment(name: str, value: Value | Partial) -> str:
    """ "Q = np.array(…)", or "" where a number is missing."""
    prefix = f"{name} = "
    if isinstance(value, dict):
        known = all(array_of(part) is not None for part in value.values())
        return prefix + code(dict(value), indent=len(prefix)) if known else ""
    if value is None or isinstance(value, str | bool | int | float):
        return f"{prefix}{value!r}"
    return prefix + code(value, indent=len(prefix)) if isinstance(value, np.ndarray) else ""
