"""The axes of one test case by the exercise's own names: seq_len = 7, d_model = 15, d_k = 5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from app.grading.arithmetic import SizeExpressionError, evaluate
from app.model import AxisNames, Exercise, Parameter, Value

ELLIPSIS = "..."
AXES = 8


def named_sizes(
    exercise: Exercise, parameters: Sequence[Parameter], arguments: Sequence[Value]
) -> dict[str, int]:
    """Sizes by name, from the arguments' shapes, whole-number arguments and [sizes].

    A name whose size differs between two arguments keeps the first; an expression of [sizes] that
    has no value for this case (a name without a size, a division by zero) is left out.
    """
    sizes: dict[str, int] = {}
    for parameter, argument in zip(parameters, arguments, strict=False):
        _bind(exercise.axes.get(parameter.name), argument, sizes)
    scope = sizes | {
        parameter.name: argument
        for parameter, argument in zip(parameters, arguments, strict=False)
        if isinstance(argument, int) and not isinstance(argument, bool)
    }
    for name, expression in exercise.sizes.items():
        try:
            sizes.setdefault(name, evaluate(expression, scope | sizes))
        except SizeExpressionError:
            continue
    return sizes


def _bind(axes: object, argument: Value, sizes: dict[str, int]) -> None:
    if isinstance(axes, dict) and isinstance(argument, dict):
        for key, value in argument.items():
            _bind(axes.get(key), value, sizes)
    elif isinstance(axes, tuple) and isinstance(argument, np.ndarray):
        for name, length in zip(reversed(axes), reversed(argument.shape), strict=False):
            if name == ELLIPSIS:
                break
            sizes.setdefault(name, length)


def output_axes(exercise: Exercise, part: int | None) -> AxisNames:
    """The names of the output's axes (of one part, where it is a tuple); () where not given."""
    axes = exercise.axes.get("return", ())
    if not isinstance(axes, tuple):
        return ()
    names: list[str] = []
    for number, item in enumerate(axes):
        if isinstance(item, str):
            names.append(item)
        elif number == part:
            names += item
    return tuple(names)


def axis_name(names: AxisNames, axis: int, ndim: int) -> str:
    """The name of one axis of an array with `ndim` axes, counted from the end; "" where unknown."""
    at = len(names) - (ndim - axis)
    return names[at] if 0 <= at < len(names) and names[at] != ELLIPSIS else ""


def labels(shape: Sequence[int], sizes: Mapping[str, int]) -> tuple[str, ...] | None:
    """A name for each axis of a shape, by size; None unless every axis fits exactly one name.

    An axis of size 1 without a name of its own is "1"; a shape of many axes has no names.
    """
    if len(shape) > AXES:
        return None
    found = []
    for length in shape:
        names = [name for name, value in sizes.items() if value == length]
        if len(names) != 1 and length != 1:
            return None
        found.append(names[0] if len(names) == 1 else "1")
    return tuple(found)
