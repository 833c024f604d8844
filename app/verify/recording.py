"""What a bank's printed tests call their function with, found by running them in the jail."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

import numpy as np

from app.model import Call, Lane, Limits, OddArray, Opaque, Order, Parameter, Ran, Source, Value
from app.ports import Workbench
from app.verify.bank import PrintedTest, Problem

_RECORDER = "recorder.py"
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
    problem: Problem, entry_point: str, parameters: tuple[Parameter, ...], bench: Workbench
) -> tuple[Recorded, ...]:
    """Every test of a problem, run after its solution in a child of its own."""
    recorder = Source(_RECORDER, files(__package__).joinpath(_RECORDER).read_bytes())
    watch = Source("watch.py", f"{entry_point} = watched({entry_point})\n".encode())
    before = (Source("solution.py", problem.solution), recorder, watch)
    names = tuple(parameter.name for parameter in parameters)
    found = []
    for number, test in enumerate(problem.tests, 1):
        sources = (*before, Source("test.py", test.code.encode("utf-8", "replace")))
        calls = (Call("recorded_calls", ()),)
        ran = bench.run(Order(sources, calls, _LIMITS, Lane.AUTHOR))
        found.append(_recorded(number, test, ran, names))
    return tuple(found)


def _recorded(number: int, test: PrintedTest, ran: Ran, names: tuple[str, ...]) -> Recorded:
    if ran.problems:
        return Recorded(number, None, f"does not run: {ran.problems[0].message}")
    if ran.loading.raised is not None:
        raised = ran.loading.raised
        return Recorded(number, None, f"does not run: {raised.type}: {raised.message}")
    if ran.loading.ended != "returned" or ran.executions[0].ended != "returned":
        return Recorded(number, None, "does not run within the limits of an exercise")
    printed = ""
    if ran.loading.stdout.strip() != test.expected.strip():
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
    if not all(map(_crosses, arguments)):
        return None, "passes a list or an object, on which the solution gives no array's result"
    return arguments, ""


def _crosses(value: Value) -> bool:
    if isinstance(value, OddArray | Opaque | tuple):
        return False
    if isinstance(value, dict):
        return all(isinstance(part, np.ndarray) for part in value.values())
    return True


def _short(text: str) -> str:
    shown = repr(text.strip())
    return shown if len(shown) <= 60 else f"{shown[:56]}…'"
