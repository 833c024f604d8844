"""What an author's files gave, as data: whether all of it can be held, and how much there is."""

from __future__ import annotations

import numpy as np

from app.model import OddArray, Opaque, Value

LONGEST_NUMBER = 64
"""Bits of a whole number: a longer one is in no array, and no float may hold it."""

ARGUMENTS = "arguments are arrays, numbers, texts, None or dicts of arrays."
_MANY = ("a tuple", "a dict")
"""What crosses the wall by its name alone where it is more than the wall lets through."""


def odd_part(value: Value) -> str:
    """What can't be an argument or a part of one, in words; "" where all of it can."""
    if isinstance(value, OddArray):
        return f"a {value.dtype} array"
    if isinstance(value, Opaque):
        odd = f"a {value.type_name}"
        return f"{odd} that is too deep or has over 4,096 parts" if odd in _MANY else odd
    if isinstance(value, int) and value.bit_length() > LONGEST_NUMBER:
        return f"a whole number of {value.bit_length():,} bits"
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else ()
    return next(filter(None, map(odd_part, parts)), "")


def is_arguments(value: Value) -> bool:
    """Whether it is a tuple of something, or was one before too many parts were left out of it."""
    if isinstance(value, tuple):
        return bool(value)
    return isinstance(value, Opaque) and value.type_name == "tuple"


def is_output(value: Value) -> bool:
    """Whether a reference may return it: an array, a number, or a tuple of them."""
    parts = value if isinstance(value, tuple) and value else (value,)
    is_plain = all(isinstance(part, np.ndarray | bool | int | float) for part in parts)
    return is_plain and not odd_part(value)


def n_numbers(value: Value) -> int:
    """How many numbers an input holds, a scalar counting as one."""
    if isinstance(value, np.ndarray):
        return value.size
    if isinstance(value, tuple):
        return sum(map(n_numbers, value))
    if isinstance(value, dict):
        return sum(map(n_numbers, value.values()))
    return 1


def n_bytes(value: Value) -> int:
    """Bytes of the arrays and texts of a value; anything else counts 8."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    if isinstance(value, str):
        return max(8, len(value))
    if isinstance(value, tuple):
        return sum(map(n_bytes, value))
    if isinstance(value, dict):
        return sum(map(n_bytes, value.values()))
    return 8
