"""Tests the wall before anything is graded: a good program passes, six attacks end as they must."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from app.model import Call, Lane, Limits, Order, Ran, Source

GOOD = Source(
    "self_test.py",
    b"import numpy as np\n\ndef multiply(a, b):\n    print(a.shape)\n    return a @ b\n",
)
SIZE = 600
"""Large enough for OpenBLAS to want threads, which would end an honest child."""

SHORT = Limits(cpu_s=0.05, sleep_s=1.0)


class Run(Protocol):
    """Runs an order; an order of our own calls functions of `app.jail.attempts`."""

    def __call__(self, order: Order, *, own: bool = False) -> Ran:
        """As `Sandbox.run`."""
        ...


def failures(run: Run) -> tuple[str, ...]:
    """What did not end as it must, one sentence each."""
    checks: dict[str, Callable[[Run], bool]] = {
        "a good program gives its result": _good,
        "opening a socket ends the child": lambda run: _ended(run, "open_socket") == "killed",
        "a fork ends the child": lambda run: _ended(run, "fork") == "killed",
        "a file can't be opened": _file_refused,
        "2 GiB of memory are refused": lambda run: _ended(run, "take_memory") == "memory_limit",
        "an endless loop is ended": lambda run: _ended(run, "loop") == "time_limit",
    }
    return tuple(f"{name}: it did not" for name, check in checks.items() if not check(run))


def _good(run: Run) -> bool:
    ones = np.ones((SIZE, SIZE))
    small = np.ones((2, 3)), np.ones((3, 2))
    limits = Limits(result_bytes=4 * ones.nbytes)
    calls = Call("multiply", small), Call("multiply", (ones, ones))
    ran = run(Order((GOOD,), calls, limits, Lane.AUTHOR))
    first, second = ran.executions
    return (
        first.stdout == "(2, 3)\n"
        and np.array_equal(np.asarray(first.value), np.full((2, 2), 3.0))
        and np.array_equal(np.asarray(second.value), np.full((SIZE, SIZE), float(SIZE)))
    )


def _attempt(run: Run, name: str) -> Ran:
    return run(Order((), (Call(name, ()),), SHORT, Lane.AUTHOR), own=True)


def _ended(run: Run, name: str) -> str:
    return _attempt(run, name).executions[0].ended


def _file_refused(run: Run) -> bool:
    raised = _attempt(run, "open_file").executions[0].raised
    return raised is not None and raised.type == "PermissionError"
