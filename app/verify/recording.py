"""What a bank's printed tests call their function with, found by running them in the jail."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

import numpy as np

from app.model import Call, Lane, Limits, OddArray, Opaque, Order, Parameter, Ran, Source, Value
from app.ports import AuthorSandbox
from app.verify.bank import BankProblem, NotABank, PrintedTest
from app.verify.printed import agree

_RECORDER = "recorder_inside.py"
_LIMITS = Limits(budget_cpu_s=10.0, result_bytes=8 * 1024 * 1024)


@dataclass(frozen=True)
class Recorded:
    """One printed test after its run: the arguments by position, or why there are none.

    `printed` says how its text differs from the expected one, "" where it does not.
    """

    number: int
    arguments: tuple[Value, ...] | None
    reason: str = ""
    printed: str = ""


def record(
    problem: BankProblem,
    entry_point: str,
    parameters: tuple[Parameter, ...],
    sandbox: AuthorSandbox,
) -> tuple[Recorded, ...]:
    """Every test of a problem, run after its solution in a child of its own.

    Raises NotABank where the solution itself does not do.
    """
    _check(Source("solution.py", problem.solution), entry_point, sandbox)
    recorder = Source(_RECORDER, files(__package__).joinpath(_RECORDER).read_bytes())
    watch = Source("watch.py", f"{entry_point} = watched({entry_point})\n".encode())
    before = (Source("solution.py", problem.solution), recorder, watch)
    names = tuple(parameter.name for parameter in parameters)
    found = []
    for number, test in enumerate(problem.tests, 1):
        sources = (*before, Source("test.py", test.code.encode("utf-8", "replace")))
        calls = (Call("recorded_calls", ()),)
        ran = sandbox.run(Order(sources, calls, _LIMITS, Lane.AUTHOR))
        found.append(_recorded(number, test, ran, names))
    return tuple(found)


def _check(solution: Source, entry_point: str, sandbox: AuthorSandbox) -> None:
    """Raise NotABank for a solution that does not load, or lacks the function."""
    ran = sandbox.run(Order((solution,), (), _LIMITS, Lane.AUTHOR))
    if ran.problems:
        problem = ran.problems[0]
        at = "" if problem.line is None else f"line {problem.line}: "
        raise NotABank(f"solution.py: {at}{problem.message} {problem.instead}".rstrip())
    raised = ran.loading.raised
    if raised is not None:
        at = "" if raised.line is None else f"line {raised.line} "
        raise NotABank(f"solution.py: {at}stops with {raised.type}: {raised.message}")
    if ran.loading.ended != "returned":
        raise NotABank("solution.py: does not load within the limits of an exercise.")
    if all(function.name != entry_point for function in ran.functions):
        names = ", ".join(function.name for function in ran.functions) or "no function"
        raise NotABank(f"solution.py: has no function {entry_point}; it has {names}.")


def _recorded(number: int, test: PrintedTest, ran: Ran, names: tuple[str, ...]) -> Recorded:
    if ran.problems:
        return Recorded(number, None, f"does not run: {ran.problems[0].message}")
    if ran.loading.raised is not None:
        raised = ran.loading.raised
        return Recorded(number, None, f"does not run: {raised.type}: {raised.message}")
    if ran.loading.ended != "returned" or ran.executions[0].ended != "returned":
        return Recorded(number, None, "does not run within the limits of an exercise")
    printed = ""
    if not agree(ran.loading.stdout, test.expected):
        printed = f"prints {_short(ran.loading.stdout)}, not {_short(test.expected)}"
    calls = ran.executions[0].value
    if not isinstance(calls, tuple) or len(calls) != 1:
        count = len(calls) if isinstance(calls, tuple) else 0
        reason = f"calls the function {count} times; a test case is one call"
        return Recorded(number, None, reason, printed)
    arguments, reason = _arguments(calls[0], names)
    return Recorded(number, arguments, reason, printed)


def _arguments(call: Value, names: tuple[str, ...]) -> tuple[tuple[Value, ...] | None, str]:
    """The arguments by position, or the reason why they can't be."""
    if not isinstance(call, tuple) or len(call) != 3:
        return None, "could not be watched"
    arguments, named, _ = call
    if not isinstance(arguments, tuple) or not isinstance(named, tuple):
        return None, "could not be watched"
    first = len(arguments) - len(named)
    if named != names[first : len(arguments)]:
        return None, f"names arguments out of order: {', '.join(map(str, named))}"
    reason = next(filter(None, map(_no_argument, arguments)), "")
    return (None, reason) if reason else (arguments, "")


def _no_argument(value: Value) -> str:
    """Why a value can be no argument of an exercise; "" where it can."""
    if isinstance(value, OddArray):
        return f"passes an array of dtype {value.dtype}, and arguments hold whole numbers or floats"
    if isinstance(value, Opaque) and value.type_name == "list":
        return (
            "passes a list that can be no array (its rows differ in length, or the solution does"
            " something else on an array), and an argument is an array, a number or a text"
        )
    if isinstance(value, Opaque | tuple):
        kind = value.type_name if isinstance(value, Opaque) else "tuple"
        return f"passes a value of type {kind}, and an argument is an array, a number or a text"
    if isinstance(value, dict) and not all(isinstance(v, np.ndarray) for v in value.values()):
        return "passes a dict of things that are not arrays"
    return ""


def _short(text: str) -> str:
    shown = repr(text.strip())
    return shown if len(shown) <= 60 else f"{shown[:56]}…'"
