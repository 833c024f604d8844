"""The test cases and examples of an exercise, their arguments and what the reference gives."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.expectations.author_files import REFERENCE, Author, ended
from app.expectations.docstrings import is_example, purpose
from app.model import (
    Call,
    Execution,
    FunctionInfo,
    OddArray,
    Opaque,
    Parameter,
    TestCase,
    Value,
)

CASES = "cases.py"
TESTS = 6


def parameters(author: Author) -> tuple[Parameter, ...]:
    """The entry point's parameters in reference.py; () and a complaint where there is none."""
    wanted = author.exercise.entry_point
    found = [f for f in author.functions(REFERENCE) if f.name == wanted]
    if not found and not author.errors:
        author.complain(REFERENCE, wanted, "is not there; it is the entry point.")
    return found[0].parameters if found else ()


def cases(author: Author) -> tuple[tuple[TestCase, ...], tuple[TestCase, ...]]:
    """The six tests and the examples, with expected outputs from the reference.

    In the order of the file, but for this: tests are called one after another, and what the first
    prints or raises is shown, so a visible one never stands behind a hidden one whose arguments
    the program may have kept.
    """
    functions = author.functions(CASES)
    if not functions:
        return (), ()
    _check(author, functions)
    executions = author.run((CASES,), [Call(f.name, ()) for f in functions])
    made = [
        (function, arguments)
        for function, execution in zip(functions, executions, strict=False)
        if (arguments := _arguments(author, function, execution)) is not None
    ]
    if author.errors:
        return (), ()
    entry_point = author.exercise.entry_point
    answers = author.run((REFERENCE,), [Call(entry_point, arguments) for _, arguments in made])
    tests: list[TestCase] = []
    examples: list[TestCase] = []
    for (function, arguments), answer in zip(made, answers, strict=False):
        case = _case(author, function, arguments, answer)
        (examples if is_example(function.docstring) else tests).append(case)
    return tuple(sorted(tests, key=lambda test: not test.visible)), tuple(examples)


def _check(author: Author, functions: Sequence[FunctionInfo]) -> None:
    exercise = author.exercise
    tests = [f.name for f in functions if not is_example(f.docstring)]
    names = {f.name for f in functions}
    if len(tests) != TESTS:
        author.complain(
            CASES, "", f"has {len(tests)} test cases ({', '.join(tests)}); it needs {TESTS}."
        )
    for function in functions:
        if not purpose(function.docstring):
            author.complain(CASES, function.name, "needs a docstring that says what it probes.")
    for name in exercise.visible:
        if name not in tests:
            author.complain("exercise.toml", "visible", f"names {name}, no test case of {CASES}.")
    _check_examples(author, set(exercise.visible) | (names - set(tests)), names - set(tests))


def _check_examples(author: Author, shown: set[str], examples: set[str]) -> None:
    """What the settings say of visible cases names cases that are visible."""
    exercise = author.exercise
    if exercise.trace not in shown:
        author.complain("exercise.toml", "trace", f"names {exercise.trace}, no visible case.")
    for name in exercise.probe.cases if exercise.probe else ():
        if name not in examples:
            author.complain("exercise.toml", "probe.cases", f"names {name}, no example of {CASES}.")
    for number, example in enumerate(exercise.examples, 1):
        if example.case not in shown:
            key = f"example[{number}].case"
            author.complain("exercise.toml", key, f"names {example.case}, no visible case.")


def _arguments(
    author: Author, function: FunctionInfo, execution: Execution
) -> tuple[Value, ...] | None:
    if execution.ended != "returned":
        author.complain(
            CASES, function.name, f"gives no arguments: {ended(execution)}.", ran=execution
        )
        return None
    value = execution.value
    if not isinstance(value, tuple):
        author.complain(CASES, function.name, "must return the arguments as a tuple.")
        return None
    odd = [part for part in _leaves(value) if isinstance(part, OddArray | Opaque)]
    if odd:
        kind = odd[0].type_name if isinstance(odd[0], Opaque) else f"{odd[0].dtype} array"
        message = f"gives a {kind}; arguments are arrays, numbers, texts, None or dicts of arrays."
        author.complain(CASES, function.name, message)
        return None
    return value


def _leaves(value: Value) -> list[Value]:
    if isinstance(value, tuple):
        return [leaf for part in value for leaf in _leaves(part)]
    if isinstance(value, dict):
        return [leaf for part in value.values() for leaf in _leaves(part)]
    return [value]


def _case(
    author: Author, function: FunctionInfo, arguments: tuple[Value, ...], answer: Execution
) -> TestCase:
    exercise = author.exercise
    if answer.ended != "returned":
        author.complain(
            REFERENCE, exercise.entry_point, f"{function.name}: {ended(answer)}.", ran=answer
        )
    elif not _is_output(answer.value):
        message = f"{function.name}: returns neither an array nor a number nor a tuple of them."
        author.complain(REFERENCE, exercise.entry_point, message)
    is_visible = is_example(function.docstring) or function.name in exercise.visible
    return TestCase(
        name=function.name,
        purpose=purpose(function.docstring),
        visible=is_visible,
        arguments=arguments,
        expected=answer.value,
    )


def _is_output(value: Value) -> bool:
    parts = value if isinstance(value, tuple) and value else (value,)
    return all(isinstance(part, np.ndarray | bool | int | float) for part in parts)
