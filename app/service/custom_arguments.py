"""Arguments that a learner types as Python source: the order to run them, and what is off."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.grading.sentences.phrases import shape
from app.model import (
    Call,
    Execution,
    Exercise,
    Expectations,
    Lane,
    OddArray,
    Opaque,
    Order,
    Ran,
    Source,
    Value,
)
from app.service.errors import BadArguments

ARGUMENT_BYTES = 4 * 1024
"""Custom arguments are typed by hand; what is longer is code in the wrong place."""

_BEFORE = b"import numpy as np\ndef typed():\n    return (\n"
_LISTS = b"""
def array_of(value, is_float):
    if type(value) is dict:
        return {key: array_of(part, is_float) for key, part in value.items()}
    if type(value) is not list:
        return value
    array = np.array(value)
    return array.astype(float) if is_float and array.dtype == int else array
def arguments():
    found = typed()
    found = found if type(found) is tuple else (found,)
    floats = FLOATS + (False,) * len(found)
    return tuple([array_of(value, is_float) for value, is_float in zip(found, floats)])
"""
"""What is typed as a list is an array, as if np.array stood before it: in the child, not here.

Whole numbers in a list count as floats where the tests give floats.
"""

_CROSSING = frozenset(
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64".split()
)
"""Dtypes that cross the wall unless the array is too large."""


def order(exercise: Exercise, expectations: Expectations, text: str, lane: Lane) -> Order:
    """The child that turns the text into values. Raises BadArguments for what is no such text."""
    source = text.encode("utf-8", "surrogatepass")
    if len(source) > ARGUMENT_BYTES:
        raise BadArguments(f"Arguments can be up to {ARGUMENT_BYTES:,} bytes of text.")
    if not source.strip():
        raise BadArguments("Type the arguments, separated by commas.")
    call = Call("arguments", ())
    lists = f"import numpy as np\nFLOATS = {_floats(expectations)}".encode() + _LISTS
    sources = (Source("arguments", _BEFORE + source + b"\n)\n"), Source("lists", lists))
    return Order(sources, (call,), exercise.limits, lane)


def _floats(expectations: Expectations) -> tuple[bool, ...]:
    """For each parameter whether the tests give it arrays of floats, or dicts of them."""

    def is_float(value: Value) -> bool:
        if isinstance(value, dict):
            return all(map(is_float, value.values()))
        return isinstance(value, np.ndarray) and value.dtype.kind == "f"

    cases = [case.arguments for case in expectations.tests]
    usual = ([a[at] for a in cases if at < len(a)] for at in range(len(expectations.parameters)))
    return tuple(bool(given) and all(map(is_float, given)) for given in usual)


def values(made: Ran, expectations: Expectations) -> tuple[Value, ...]:
    """The values of typed arguments. Raises BadArguments where there are none to use."""
    if made.problems:
        problem = made.problems[0]
        told = problem.message if problem.kind == "policy" else "separate them as in a call."
        raise BadArguments(f"These arguments can't be read: {told}")
    execution = made.executions[0] if made.executions else made.loading
    if execution.ended != "returned":
        raise BadArguments(_why(execution))
    made_value = execution.value
    found = made_value if isinstance(made_value, tuple) else (made_value,)
    names = [parameter.name for parameter in expectations.parameters]
    needed = sum(parameter.default is None for parameter in expectations.parameters)
    if not needed <= len(found) <= len(names):
        raise BadArguments(
            f"The function takes {len(names)} arguments ({', '.join(names)}); "
            f"here {'is' if len(found) == 1 else 'are'} {len(found)}."
        )
    for at, value in enumerate(found):
        usual = [case.arguments[at] for case in expectations.tests if at < len(case.arguments)]
        complaint = _complaint(names[at], value, usual)
        if complaint:
            raise BadArguments(complaint)
    return found


def _complaint(name: str, value: Value, usual: Sequence[Value]) -> str:
    """What is off about one argument: of a kind that no program can be given, or too large."""
    if isinstance(value, OddArray) and value.dtype in _CROSSING:
        return f"{name} has shape {shape(value.shape)}, which is too large to be tried here."
    if isinstance(value, OddArray):
        return f"{name} is an array of dtype {value.dtype}; use whole numbers, floats or bools."
    if isinstance(value, Opaque):
        return f"{name} is of type {value.type_name}. Use np.array(…), a list, a number or a text."
    arrays = usual and all(isinstance(case, np.ndarray) for case in usual)
    if arrays and not isinstance(value, np.ndarray):
        kind = "None" if value is None else type(value).__name__
        return f"{name} has to be an array, as in np.array(…); here it is of type {kind}."
    return ""


def _why(execution: Execution) -> str:
    if execution.raised is not None and "inhomogeneous" in execution.raised.message:
        return "The rows of a list have to be of one length."
    if execution.raised is not None:
        return f"These arguments raise {execution.raised.type}: {execution.raised.message}"
    return f"These arguments can't be used ({execution.ended.replace('_', ' ')})."
