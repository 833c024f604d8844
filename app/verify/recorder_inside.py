"""Loaded in the jail between a bank's solution and one of its tests, never imported.

Notes the arguments of every call of the entry point. Lists do not cross the wall: a list of numbers
is noted as the array it spells where the solution gives the same on it, else as the list it is.
"""

from typing import Any

import numpy as np

recorded: list[Any] = []


def _as_array(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    try:
        array = np.array(value)
    except ValueError:  # its rows differ in length
        return value
    return array if array.dtype.kind in "bif" else value


def _same(first: Any, second: Any) -> bool:
    if isinstance(first, tuple) and isinstance(second, tuple):
        return len(first) == len(second) and all(map(_same, first, second))
    return bool(np.allclose(np.array(first), np.array(second), equal_nan=True))


def watched(function: Any) -> Any:
    """The function, with its calls noted: arguments, names of the last ones, whether proved."""

    def call(*arguments: Any, **named: Any) -> Any:
        value = function(*arguments, **named)
        given = [*arguments, *named.values()]
        arrays = [_as_array(argument) for argument in given]
        try:
            count = len(arguments)
            again = dict(zip(named, arrays[count:], strict=True))
            is_proved = _same(value, function(*arrays[:count], **again))
        except Exception:  # noqa: BLE001 - whatever a stranger's function does to an array
            is_proved = False
        noted = arrays if is_proved else given
        recorded.append((tuple(noted), tuple(named), is_proved))
        return value

    return call


def recorded_calls() -> Any:
    """Every call so far."""
    return tuple(recorded)
