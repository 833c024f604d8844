"""The arguments that functions of cases.py return: a tuple, or a list of them for several calls.

A list does not cross the wall, so a function that returns one is asked again, call by call.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.expectations.author_files import Author, ended
from app.expectations.plain_values import ARGUMENTS, is_arguments, odd_part
from app.model import Call, Execution, FunctionInfo, Opaque, Source, TestCase, Value

CASES = "cases.py"
MOST_CALLS = 8
Arguments = tuple[Value, ...]


def source(names: Iterable[str]) -> Source:
    """The file that gives one call of these functions, to be loaded after cases.py."""
    functions = (
        f"def _call_of_{name}(at):\n    found = {name}()\n"
        "    return len(found) if at < 0 else found[at]\n"
        for name in names
    )
    return Source("calls_of_cases.py", "\n".join(functions).encode())


def calls(cases: Iterable[TestCase]) -> tuple[Call, ...]:
    """What has cases.py and `source` give the arguments of every call of these cases."""
    return tuple(
        Call(f"_call_of_{case.name}", (at,)) if case.more else Call(case.name, ())
        for case in cases
        for at in range(len(case.calls))
    )


def made(author: Author, functions: Sequence[FunctionInfo]) -> list[list[Arguments]]:
    """The arguments of each function's calls; complaints where it gives none."""
    executions = author.run((CASES,), [Call(f.name, ()) for f in functions])
    return [
        _several(author, function)
        if isinstance(execution.value, Opaque) and execution.value.type_name == "list"
        else _one(author, function, execution)
        for function, execution in zip(functions, executions, strict=False)
    ]


def _several(author: Author, function: FunctionInfo) -> list[Arguments]:
    numbers = range(-1, MOST_CALLS)
    asked = [Call(f"_call_of_{function.name}", (at,)) for at in numbers]
    executions = author.run((CASES, source([function.name])), asked)
    count = executions[0].value if executions else 0
    if not isinstance(count, int) or not 2 <= count <= MOST_CALLS:
        length = f" of {count}" if isinstance(count, int) and 0 <= count < 10**9 else ""
        message = f"returns a list{length}; a test holds two to {MOST_CALLS} calls."
        author.complain(CASES, function.name, message)
        return []
    return [call for one in executions[1 : 1 + count] for call in _one(author, function, one)]


def _one(author: Author, function: FunctionInfo, execution: Execution) -> list[Arguments]:
    if execution.ended != "returned":
        author.complain(
            CASES, function.name, f"gives no arguments: {ended(execution)}.", ran=execution
        )
        return []
    value, message = execution.value, ""
    if not isinstance(value, tuple) and not is_arguments(value):
        message = "must return the arguments as a tuple."
    elif odd := odd_part(value):
        message = f"gives {odd}; {ARGUMENTS}"
    if message:
        author.complain(CASES, function.name, message)
    return [value] if isinstance(value, tuple) and not message else []
