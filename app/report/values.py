"""Values as JSON and back: numbers as strings, no more than the bounds let through, cuts told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, TypeAlias

import numpy as np

from app.model import Array, OddArray, Opaque, Partial, Value
from app.model.bounds import DIGIT_BITS, TEXT, VALUES, ValueBounds

Json: TypeAlias = dict[str, Any]

KEPT_NUMBERS = 256
"""Arrays of no more numbers than this are remembered as text: some 25 MiB at the very most."""


def value(value: Value | Partial, bounds: ValueBounds = VALUES[0]) -> Json:
    """A value with its kind: "array", "number", "text", "none", "tuple", "dict" or "other".

    An array has dtype, shape and data, flat in row-major order, each number the shortest text that
    reads back as it; an array that never crossed the wall has data null. What is over the bounds is
    left out and has `"cut": true`; a tuple or dict then says its `length`.
    """
    return _Spelling(bounds).value(value, bounds.depth)


class _Spelling:
    """Spells one value, and counts what of its bounds is left."""

    def __init__(self, bounds: ValueBounds) -> None:
        self._numbers, self._parts = bounds.numbers, bounds.parts

    def value(self, value: Value | Partial, depth: int) -> Json:
        if isinstance(value, Partial):
            return dict(value.part)
        if isinstance(value, np.ndarray):
            return {"kind": "array", **self._array(value)}
        if isinstance(value, OddArray):
            return {"kind": "array", "dtype": value.dtype, "shape": list(value.shape), "data": None}
        if isinstance(value, Opaque):
            return {"kind": "other", "type": value.type_name}
        if isinstance(value, tuple | dict):
            return self._compound(value, depth)
        return _plain(value)

    def _compound(self, value: tuple[Value, ...] | dict[str, Value], depth: int) -> Json:
        kind = type(value).__name__
        if depth == 0 and value:
            return {"kind": "other", "type": kind, "cut": True}
        found: Json
        if isinstance(value, dict):
            entries = {
                _cut(key): self._part(part, depth) for key, part in self._some(value.items())
            }
            found, kept = {"kind": kind, "type": kind, "entries": entries}, len(entries)
        else:
            parts = [self._part(part, depth) for part in self._some(value)]
            found, kept = {"kind": kind, "type": kind, "parts": parts}, len(parts)
        return found if kept == len(value) else {**found, "cut": True, "length": len(value)}

    def _some(self, items: Iterable[Any]) -> Iterable[Any]:
        """The items for as long as parts are left; each takes one, and its own parts theirs."""
        for item in islice(items, self._parts):
            if self._parts == 0:
                return
            self._parts -= 1
            yield item

    def _part(self, part: Value, depth: int) -> Json:
        return self.value(part, depth - 1)

    def _array(self, array: Array) -> Json:
        flat = array.ravel()[: self._numbers]
        self._numbers -= flat.size
        if flat.size <= KEPT_NUMBERS:
            data = _kept_numerals(flat.dtype.str, flat.tobytes())
        else:
            data = _numerals(flat)
        found: Json = {"dtype": str(array.dtype), "shape": list(array.shape), "data": list(data)}
        return {**found, "cut": True} if array.size > flat.size else found


def _plain(value: bool | int | float | str | None) -> Json:
    if value is None:
        return {"kind": "none", "type": "None"}
    if isinstance(value, str):
        found: Json = {"kind": "text", "type": "str", "text": _cut(value)}
        return {**found, "cut": True} if len(value) > TEXT else found
    return {"kind": "number", "type": type(value).__name__, "text": number_text(value)}


def _cut(text: str) -> str:
    return text if len(text) <= TEXT else text[:TEXT] + " …"


def number_text(number: bool | int | float) -> str:
    """A number's text; an int too long for Python to print in full is told by its length."""
    if isinstance(number, int) and number.bit_length() > DIGIT_BITS:
        return f"a whole number of {number.bit_length():,} bits"
    return repr(number)


def _numerals(flat: Array) -> tuple[str, ...]:
    if flat.dtype.kind == "f" and flat.dtype.itemsize < 8:
        return tuple(str(number) for number in flat)
    return tuple(repr(number) for number in flat.tolist())


@lru_cache(maxsize=1_024)
def _kept_numerals(dtype: str, data: bytes) -> tuple[str, ...]:
    """The same arrays, those of the tests, come in report after report: a third of a verdict's time
    would go into spelling them again.
    """
    return _numerals(np.frombuffer(data, dtype))


# ------------------------------------------------------------------ back


def read_value(told: Mapping[str, Any]) -> Value | Partial:
    """The value that was written; a `Partial` where its text does not say all of it."""
    try:
        found = None if told.get("cut") else _read(str(told["kind"]), told)
    except (KeyError, ValueError, OverflowError, TypeError):
        return Partial(told)
    return found if found is not None or told.get("kind") == "none" else Partial(told)


def _read(kind: str, told: Mapping[str, Any]) -> Value:
    if kind == "array":
        return _read_array(told)
    if kind == "number":
        return _read_number(str(told["type"]), str(told["text"]))
    if kind == "text":
        return str(told["text"])
    if kind == "tuple":
        return tuple(_whole(part) for part in told["parts"])
    if kind == "dict":
        return {str(key): _whole(part) for key, part in told["entries"].items()}
    return None if kind == "none" else Opaque(str(told["type"]))


def _whole(told: Mapping[str, Any]) -> Any:
    """A part of a value; what is cut in it stays a `Partial` there."""
    return read_value(told)


def _read_array(told: Mapping[str, Any]) -> Array | OddArray:
    shape = tuple(int(size) for size in told["shape"])
    if told["data"] is None:
        return OddArray(str(told["dtype"]), shape)
    return _parsed(told["data"], str(told["dtype"])).reshape(shape)


def _read_number(kind: str, text: str) -> bool | int | float:
    if kind == "bool":
        return text == "True"
    return float(text) if kind == "float" else int(text)


def _parsed(data: Sequence[object], dtype: str) -> Array:
    if dtype == "bool":
        return np.asarray([text == "True" for text in data], dtype=bool)
    if dtype == "float64":  # numpy's own reading of texts is ten times slower
        return np.asarray([float(str(text)) for text in data], dtype=np.float64)
    return np.asarray([str(text) for text in data]).astype(np.dtype(dtype))
