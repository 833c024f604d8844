"""A statement's examples as a Python session, printed from the case and the reference solution."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from app.model import Array, ExampleText, Exercise, Expectations, Parameter, TestCase, Value
from app.service.judging import visible_cases
from app.web.html.code import highlighted
from app.web.report.numbers import COPIED_NUMBERS, code, rounded
from app.web.report.rows import purpose_words

_OWN = re.compile(r"^The statement's \w+ example: ")


@dataclass(frozen=True)
class Example:
    """An example: title, session as HTML, what it shows as Markdown, code to try it elsewhere."""

    number: int
    name: str
    title: str
    session: Markup
    text: str
    code: str | None


def examples(exercise: Exercise, expectations: Expectations) -> tuple[Example, ...]:
    """The examples of a statement, in its order; those whose case is gone are left out."""
    cases = {case.name: case for case in (*expectations.tests, *expectations.examples)}
    return tuple(
        _example(number, exercise, told, cases[told.case], expectations.parameters)
        for number, told in enumerate(exercise.examples, 1)
        if told.case in cases
    )


def tried_by_run(exercise: Exercise, expectations: Expectations) -> str:
    """What "Run examples" tries, counted as its report counts: of these examples, and others.

    "Run examples tries 4: these 3 and one more. Two of them are tests, too."
    """
    visible = [test.name for test in expectations.tests if test.visible]
    run = {case.name for case in visible_cases(exercise, expectations)}
    shown = [told.case for told in exercise.examples if told.case in run]
    more = len(run) - len(shown)
    if not shown or not more:
        return ""
    these = "this one" if len(shown) == 1 else f"these {len(shown)}"
    others = "one more" if more == 1 else f"{more} more"
    tests = (
        f" Submit tries {len(visible)} of them again, and {_hidden(expectations)} that are hidden."
    )
    return f"Run examples tries {len(run)}: {these} and {others}.{tests if visible else ''}"


def _hidden(expectations: Expectations) -> int:
    return sum(not test.visible for test in expectations.tests)


def _example(
    number: int,
    exercise: Exercise,
    told: ExampleText,
    case: TestCase,
    parameters: Sequence[Parameter],
) -> Example:
    call = _call(exercise.entry_point, parameters, case.arguments)
    named = _named(parameters, case.arguments)
    if told.show == "shapes":
        lines = (*_shape_lines(named), (_shape_call(call, case.expected), _shape(case.expected)))
    else:
        lines = (*_value_lines(named, rounded), (call, _output(case.expected)))
    exact = "\n".join(("import numpy as np", "", *(t for t, _ in _value_lines(named, None)), call))
    return Example(
        number,
        case.name,
        _title(case.purpose),
        highlighted(_session(lines)),
        told.text,
        exact + "\n" if _numbers(case.arguments) <= COPIED_NUMBERS else None,
    )


def _title(purpose: str) -> str:
    """A case's docstring as a heading; that it is the statement's example need not be said."""
    words = _OWN.sub("", purpose_words(purpose))
    return words if "=" in words.split(" ")[0] else words[:1].upper() + words[1:]


def _named(
    parameters: Sequence[Parameter], arguments: Sequence[Value]
) -> tuple[tuple[str, Value], ...]:
    """The arguments that get a line of their own: arrays and dicts."""
    pairs = zip((parameter.name for parameter in parameters), arguments, strict=False)
    return tuple((name, value) for name, value in pairs if isinstance(value, np.ndarray | dict))


def _value_lines(
    named: Sequence[tuple[str, Value]], number: object
) -> tuple[tuple[str, str | None], ...]:
    """ "Q = K = np.array(…)": neighbours that are equal share a line."""
    lines: list[tuple[str, str | None]] = []
    at = 0
    while at < len(named):
        names = [named[at][0]]
        while at + 1 < len(named) and _equal(named[at][1], named[at + 1][1]):
            at += 1
            names.append(named[at][0])
        prefix = " = ".join(names) + " = "
        value = named[at][1]
        write = rounded if number is rounded else None
        lines.append((prefix + code(value, number=write, indent=len(prefix)), None))
        at += 1
    return tuple(lines)


def _equal(one: Value, other: Value) -> bool:
    if not isinstance(one, np.ndarray) or not isinstance(other, np.ndarray):
        return False
    same_kind = one.dtype == other.dtype and one.shape == other.shape
    return same_kind and one.tobytes() == other.tobytes()


def _shape_lines(named: Sequence[tuple[str, Value]]) -> tuple[tuple[str, str | None], ...]:
    arrays = [(name, value) for name, value in named if isinstance(value, np.ndarray)]
    dicts = [(name, value) for name, value in named if isinstance(value, dict)]
    lines: list[tuple[str, str | None]] = []
    if arrays:
        asked = ", ".join(f"{name}.shape" for name, _ in arrays)
        lines.append((asked, _tuple([str(value.shape) for _, value in arrays])))
    for name, value in dicts:
        asked = f"{{key: value.shape for key, value in {name}.items()}}"
        lines.append((asked, _dict_shapes(value)))
    return tuple(lines)


def _tuple(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else "(" + ", ".join(texts) + ")"


def _dict_shapes(value: Mapping[str, Value]) -> str:
    shapes = (f"{key!r}: {_shape(part)}" for key, part in value.items())
    return "{" + ",\n ".join(shapes) + "}"


def _shape(value: Value) -> str:
    if isinstance(value, tuple):
        return "(" + ", ".join(_shape(part) for part in value) + ")"
    return str(value.shape) if isinstance(value, np.ndarray) else "()"


def _shape_call(call: str, expected: Value) -> str:
    return f"tuple(a.shape for a in {call})" if isinstance(expected, tuple) else f"{call}.shape"


def _call(entry_point: str, parameters: Sequence[Parameter], arguments: Sequence[Value]) -> str:
    """ "multi_head_attention(Q, K, V, num_heads=2)"; what equals its default is not written."""
    parts = []
    for parameter, value in zip(parameters, arguments, strict=False):
        if isinstance(value, np.ndarray | dict):
            parts.append(parameter.name)
        elif code(value) != parameter.default:
            parts.append(f"{parameter.name}={code(value)}")
    return f"{entry_point}({', '.join(parts)})"


def _output(expected: Value) -> str:
    """The reference's output at four significant digits, as Python would echo it."""
    return code(expected, number=rounded).replace("np.array(", "array(").replace("\n   ", "\n")


def _session(lines: Sequence[tuple[str, str | None]]) -> str:
    parts = []
    for typed, echoed in lines:
        parts.append(">>> " + typed.replace("\n", "\n... "))
        if echoed is not None:
            parts.append(echoed)
    return "\n".join(parts)


def _numbers(values: Sequence[Value] | Value) -> int:
    if isinstance(values, np.ndarray):
        array: Array = values
        return array.size
    if isinstance(values, dict):
        return sum(_numbers(part) for part in values.values())
    if isinstance(values, tuple | list):
        return sum(_numbers(part) for part in values)
    return 1
