"""What a learner may take along from a report: arrays and arguments as NumPy code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.model import Expectations, Partial, TestCase, TestResult, Value
from app.web.report.addresses import HERE, TestAddresses
from app.web.report.numbers import COPIED_NUMBERS, array_of, code


@dataclass(frozen=True)
class Copy:
    """Something to take along as NumPy code: the code itself, or the address that gives it."""

    label: str
    code: str = ""
    address: str = ""


def copies(
    test: TestResult, expectations: Expectations | None, at: TestAddresses = HERE
) -> tuple[Copy, ...]:
    """Expected, yours and the arguments as NumPy code, where all their numbers are here.

    What has an address is not spelled here.
    """
    found = []
    for label, value, address in (
        ("Copy expected", test.expected, at.expected),
        ("Copy yours", test.got, at.got),
    ):
        array = array_of(value)
        if array is not None and array.size <= COPIED_NUMBERS:
            found.append(Copy(label, "" if address else code(array), address))
    names = [p.name for p in expectations.parameters] if expectations else []
    if test.arguments and names and all(map(_is_whole, test.arguments)):
        if at.arguments:
            found.append(Copy("Copy arguments", address=at.arguments))
        else:
            found.append(Copy("Copy arguments", assignments(names, test.arguments)))
    return tuple(one for one in found if one.address or len(one.code) < 32 * COPIED_NUMBERS)


def assignments(names: Sequence[str], values: Sequence[Value | Partial]) -> str:
    """The values as assignments, a name each."""
    return "\n".join(_assignment(n, v) for n, v in zip(names, values, strict=False))


def value_code(value: object) -> str:
    """An array of a report as NumPy code, "" where not all of its numbers are there."""
    array = array_of(value)
    return "" if array is None else code(array)


def _is_whole(value: Value | Partial) -> bool:
    """Whether all of an argument can be written as code."""
    if isinstance(value, dict):
        return all(array_of(part) is not None for part in value.values())
    return value is None or isinstance(value, str | bool | int | float | np.ndarray)


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
