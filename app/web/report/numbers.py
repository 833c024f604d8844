"""Numbers and arrays as text: in a table's cell, in an example, and as NumPy code to take along."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import numpy as np

from app.model import Array, OddArray, Opaque, Value

DIGITS = 4
"""Significant digits of an example, as in a book."""

COPIED_NUMBERS = 1_024
"""Larger arrays are not offered as code."""

_NO_NUMBER = re.compile(r"\b(nan|inf)\b")
_NAMED = {"nan": "np.nan", "inf": "np.inf", "-inf": "-np.inf"}


def rounded(number: float) -> str:
    """A number at four significant digits, as Python writes it: 2.321, 1.0, -0.2689, 1e-05."""
    if not math.isfinite(number):
        return str(float(number))
    return repr(float(f"{number:.{DIGITS}g}"))


def decimals(worst: float, largest: float) -> int:
    """How many decimals a table needs so that its worst difference can be seen in it."""
    if largest >= 1e5 or not math.isfinite(worst):
        return 3
    if worst == 0:
        return 3
    return min(8, max(3, 1 - math.floor(math.log10(worst))))


def cell(number: float, places: int) -> str:
    """A number in a table's cell, with a real minus sign; very large and small ones as powers."""
    if math.isnan(number):
        return "nan"
    if math.isinf(number):
        return "inf" if number > 0 else "−inf"
    if number != 0 and (abs(number) >= 1e5 or abs(number) < 10.0**-places / 2):
        text = f"{number:.2e}".replace("e+0", "e").replace("e-0", "e-").replace("e+", "e")
    elif number == int(number) and places == 0:
        text = f"{number:.0f}"
    else:
        text = f"{number:.{places}f}"
    return text.replace("-", "−")


def literal(array: Array, number: Callable[[float], str] | None = None, indent: int = 0) -> str:
    """An array as nested lists, one row a line, the following ones indented by `indent`.

    `number` writes a float (the shortest exact text where it is None).
    """
    if array.dtype.kind != "f":
        return _nested(array.tolist(), repr, indent + 1)
    if number is None:
        text = _nested(array.tolist(), repr, indent + 1)
        return text if np.isfinite(array).all() else _NO_NUMBER.sub(r"np.\1", text)
    return _nested(array.tolist(), _row_writer(number), indent + 1)


def _row_writer(number: Callable[[float], str]) -> Callable[[object], str]:
    def write(data: object) -> str:
        if isinstance(data, list):
            return "[" + ", ".join(map(write, data)) + "]"
        return _named(number(data))  # type: ignore[arg-type] # what tolist() nests is numbers

    return write


def _nested(data: object, write: Callable[[object], str], indent: int) -> str:
    """Lists of lists a line each; the innermost one is written whole, which is much faster."""
    if not isinstance(data, list) or not data or not isinstance(data[0], list):
        return write(data)
    separator = ",\n" + " " * indent
    return "[" + separator.join(_nested(part, write, indent + 1) for part in data) + "]"


def _named(text: str) -> str:
    return _NAMED.get(text, text)


def code(value: Value, *, number: Callable[[float], str] | None = None, indent: int = 0) -> str:
    """A value as NumPy code; exact unless `number` rounds. Line breaks are indented to fit."""
    if isinstance(value, np.ndarray):
        return _array_code(value, number, indent)
    if isinstance(value, dict):
        lines = [
            f"{key!r}: {code(part, number=number, indent=indent + len(repr(key)) + 3)}"
            for key, part in value.items()
        ]
        return "{" + (",\n" + " " * (indent + 1)).join(lines) + "}"
    if isinstance(value, tuple):
        parts = [code(part, number=number, indent=indent + 1) for part in value]
        return "(" + (",\n" + " " * (indent + 1)).join(parts) + (",)" if len(parts) == 1 else ")")
    if isinstance(value, OddArray | Opaque):
        return "..."
    if isinstance(value, float):
        return _named((number or repr)(value))
    return repr(value)


def _array_code(array: Array, number: Callable[[float], str] | None, indent: int) -> str:
    suffix = {"float64": "", "bool": "", "int64": ""}.get(
        str(array.dtype), f", dtype=np.{array.dtype}"
    )
    if array.size == 0:
        return f"np.zeros({array.shape}{suffix})"
    return f"np.array({literal(array, number, indent + len('np.array('))}{suffix})"


def array_of(value: object) -> Array | None:
    """The numbers of a report's value as an array, or None where it has none or not all of them."""
    if isinstance(value, np.ndarray):
        return value
    if not isinstance(value, bool | int | float):
        return None
    found = np.asarray(value)
    return found if found.dtype.kind in "bif" else None  # an int that no int64 holds
