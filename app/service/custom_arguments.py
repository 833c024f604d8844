"""Arguments that a learner types as Python source: the order to run them, and what is off."""

from __future__ import annotations

import re
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

NAMED = "arguments by name"
"""What stands in a child before arguments that were given by name."""

_IMPORT = "import numpy as np\n"
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
    if type(found) is tuple and len(found) == 2 and found[0] is NAMED:
        floats = dict(zip(NAMES, FLOATS))
        return NAMED, {name: array_of(value, floats[name]) for name, value in found[1].items()}
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


def orders(
    exercise: Exercise, expectations: Expectations, text: str, lane: Lane
) -> tuple[Order, ...]:
    """The children that turn the text into values, to be tried in this order while one can't parse.

    It may be what stands in a call, with or without names, the call itself, or one assignment a
    line. Raises BadArguments for what is no such text.
    """
    if len(text.encode("utf-8", "surrogatepass")) > ARGUMENT_BYTES:
        raise BadArguments(f"Arguments can be up to {ARGUMENT_BYTES:,} bytes of text.")
    if not text.strip():
        raise BadArguments("Type the arguments, separated by commas.")
    names = [parameter.name for parameter in expectations.parameters]
    inner = _inner(text, exercise.entry_point)
    assigned = [name for name in names if re.search(rf"(?m)^{name}\s*=(?!=)", text)]
    found = [f"def typed():\n    return (\n{inner}\n)\n"]
    if assigned:
        given = ", ".join(f'"{name}": {name}' for name in assigned)
        found.insert(0, f"{text}\ndef typed():\n    return NAMED, {{{given}}}\n")
    if any(re.search(rf"\b{name}\s*=(?!=)", inner) for name in names):
        found.append(_by_name(exercise.entry_point, names, inner))
    known = f'NAMED, NAMES, FLOATS = "{NAMED}", {tuple(names)}, {_floats(expectations)}\n'
    return tuple(_order(exercise, known, source, lane) for source in found)


def _by_name(entry_point: str, names: Sequence[str], inner: str) -> str:
    """The source that takes what stands in a call as the function itself would."""
    parameters = ", ".join(f"{name}=..." for name in names)
    given = ", ".join(f'"{name}": {name}' for name in names)
    return (
        f"def {entry_point}({parameters}):\n    given = {{{given}}}\n"
        "    return {name: value for name, value in given.items() if value is not ...}\n"
        f"def typed():\n    return NAMED, {entry_point}(\n{inner}\n)\n"
    )


def _order(exercise: Exercise, known: str, source: str, lane: Lane) -> Order:
    typed = (_IMPORT + source).encode("utf-8", "surrogatepass")
    lists = (_IMPORT + known).encode() + _LISTS
    sources = (Source("lists", lists), Source("arguments", typed))
    return Order(sources, (Call("arguments", ()),), exercise.limits, lane)


def _inner(text: str, entry_point: str) -> str:
    """What stands between the brackets, where the whole call was typed."""
    call = re.fullmatch(rf"\s*(?:\w+\s*=\s*)?{entry_point}\s*\((.*)\)\s*", text, re.DOTALL)
    return text if call is None else call[1]


def is_unread(made: Ran) -> bool:
    """Whether the text is no Python in the form it was tried in."""
    return any(problem.kind == "syntax" for problem in made.problems)


def _floats(expectations: Expectations) -> tuple[bool, ...]:
    """For each parameter whether the tests give it arrays of floats, or dicts of them."""

    def is_float(value: Value) -> bool:
        if isinstance(value, dict):
            return all(map(is_float, value.values()))
        return isinstance(value, np.ndarray) and value.dtype.kind == "f"

    cases = [case.arguments for case in expectations.calls]
    usual = ([a[at] for a in cases if at < len(a)] for at in range(len(expectations.parameters)))
    return tuple(bool(given) and all(map(is_float, given)) for given in usual)


def values(made: Ran, expectations: Expectations) -> tuple[Value, ...]:
    """The values of typed arguments. Raises BadArguments where there are none to use."""
    names = [parameter.name for parameter in expectations.parameters]
    if made.problems:
        problem = made.problems[0]
        if problem.kind == "policy":
            raise BadArguments(f"These arguments can't be read: {problem.message}")
        raise BadArguments(f"Write the arguments as in a call: {', '.join(names)}.")
    execution = made.executions[0] if made.executions else made.loading
    if execution.ended != "returned":
        raise BadArguments(_why(execution))
    made_value = execution.value
    found = _in_order(made_value, names)
    needed = sum(parameter.default is None for parameter in expectations.parameters)
    if not needed <= len(found) <= len(names):
        raise BadArguments(
            f"The function takes {len(names)} arguments ({', '.join(names)}); "
            f"here {'is' if len(found) == 1 else 'are'} {len(found)}."
        )
    for at, value in enumerate(found):
        usual = [case.arguments[at] for case in expectations.calls if at < len(case.arguments)]
        complaint = _complaint(names[at], value, usual)
        if complaint:
            raise BadArguments(complaint)
    return found


def _in_order(value: Value, names: Sequence[str]) -> tuple[Value, ...]:
    """Values in the parameters' order; what was named stands at its name's place."""
    if not isinstance(value, tuple):
        return (value,)
    if len(value) != 2 or not isinstance(value[1], dict) or value[0] != NAMED:
        return value
    given = value[1]
    missing = next((name for name in names if name not in given), None)
    ahead = names if missing is None else names[: names.index(missing)]
    if len(ahead) < len(given):
        raise BadArguments(f"{missing} is missing.")
    return tuple(given[name] for name in ahead)


def _complaint(name: str, value: Value, usual: Sequence[Value]) -> str:
    """What is off about one argument: of a kind that no program can be given, or too large."""
    if isinstance(value, OddArray) and value.dtype in _CROSSING:
        return f"{name} has shape {shape(value.shape)}, which is too large to be tried here."
    if isinstance(value, OddArray):
        return f"{name} is an array of dtype {value.dtype}; use whole numbers, floats or bools."
    if isinstance(value, Opaque):
        return (
            f"{name} is of type {value.type_name}. Use np.array(…), a list, a number or a string."
        )
    arrays = usual and all(isinstance(case, np.ndarray) for case in usual)
    if arrays and not isinstance(value, np.ndarray):
        kind = "None" if value is None else type(value).__name__
        return f"{name} has to be an array, as in np.array(…); here it is of type {kind}."
    return ""


def _why(execution: Execution) -> str:
    if execution.raised is not None and "inhomogeneous" in execution.raised.message:
        return "All rows of a list must have the same length."
    if execution.raised is not None:
        return f"These arguments raise {execution.raised.type}: {execution.raised.message}"
    return f"These arguments can't be used ({execution.ended.replace('_', ' ')})."
