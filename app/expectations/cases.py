"""The test cases and examples of an exercise, their arguments and what the reference gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.expectations import case_calls
from app.expectations.author_files import REFERENCE, Author, ended
from app.expectations.case_calls import CASES
from app.expectations.docstrings import is_example, purpose
from app.expectations.plain_values import is_output, n_bytes
from app.model import Call, Execution, FunctionInfo, Parameter, TestCase, Value, calls_of
from app.model.bounds import CASES_BYTES

TESTS = 6
MOST_NAMES = 20
"""Tests that are named where there are not six."""


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
        if not author.errors:  # it loads, and holds no function
            _check_count(author, [])
        return (), ()
    _check(author, functions)
    made = case_calls.made(author, functions)
    if author.errors:
        return (), ()
    asked = [Call(author.exercise.entry_point, one) for calls in made for one in calls]
    answers = iter(author.run((REFERENCE,), asked))
    tests: list[TestCase] = []
    examples: list[TestCase] = []
    for function, calls in zip(functions, made, strict=True):
        each = [
            _case(author, function, one, answer)
            for one, answer in zip(calls, answers, strict=False)
        ]
        if not each:
            break
        case = replace(each[0], more=tuple(each[1:]))
        _check_calls(author, case)
        (examples if is_example(function.docstring) else tests).append(case)
    _check_size(author, (*tests, *examples))
    return tuple(sorted(tests, key=lambda test: not test.visible)), tuple(examples)


def _check_size(author: Author, found: Sequence[TestCase]) -> None:
    size = sum(n_bytes(one.arguments) + n_bytes(one.expected) for one in calls_of(found))
    if size > CASES_BYTES:
        message = (
            f"all cases take {size / 2**20:.1f} MiB with their outputs; they may take"
            f" {CASES_BYTES // 2**20} MiB. Make the arrays smaller."
        )
        author.complain(CASES, "", message)


def _check_calls(author: Author, case: TestCase) -> None:
    if case.visible and case.more:
        message = "holds several calls, and is shown. Only a hidden test may hold more than one."
        author.complain(CASES, case.name, message)


def _check(author: Author, functions: Sequence[FunctionInfo]) -> None:
    exercise = author.exercise
    tests = [f.name for f in functions if not is_example(f.docstring)]
    names = {f.name for f in functions}
    _check_count(author, tests)
    for function in functions:
        if not purpose(function.docstring):
            author.complain(CASES, function.name, "needs a docstring that says what it probes.")
    for name in exercise.visible:
        if name not in tests:
            author.complain("exercise.toml", "visible", f"names {name}, no test case of {CASES}.")
    _check_examples(author, set(exercise.visible) | (names - set(tests)), names - set(tests))


def _check_count(author: Author, tests: Sequence[str]) -> None:
    more = ", …" if len(tests) > MOST_NAMES else ""
    names = f" ({', '.join(tests[:MOST_NAMES])}{more})" if tests else ""
    if len(tests) != TESTS:
        author.complain(CASES, "", f"has {len(tests)} test cases{names}; it needs {TESTS}.")


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


def _case(
    author: Author, function: FunctionInfo, arguments: tuple[Value, ...], answer: Execution
) -> TestCase:
    exercise = author.exercise
    if answer.ended != "returned":
        author.complain(
            REFERENCE, exercise.entry_point, f"{function.name}: {ended(answer)}.", ran=answer
        )
    elif not is_output(answer.value):
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
