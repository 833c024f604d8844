"""What the sandbox is asked for, and what keeps a source from being run."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from app.model.values import Value


@dataclass(frozen=True)
class Limits:
    """What one submission may use; the defaults are those of the spare children.

    `cpu_s` ends one case, `sleep_s` one that sleeps; `budget_*` is shared by all cases of a
    submission. `memory_bytes` counts above what the keeper itself uses.
    """

    cpu_s: float = 2.0
    sleep_s: float = 3.0
    budget_cpu_s: float = 4.0
    budget_wall_s: float = 10.0
    memory_bytes: int = 512 * 1024 * 1024
    stdout_bytes: int = 64 * 1024
    result_bytes: int = 2 * 1024 * 1024


class Lane(StrEnum):
    """How urgently a child runs.

    FAST: ended after `FAST_LANE_CPU_S` of CPU with `Ran.left_fast_lane` set, to be run again in
    the slow lane. SLOW: the exercise's own limits, at low priority. AUTHOR: the exercise's limits
    at normal priority, for expected outputs and `mlgrind check`.
    """

    FAST = "fast"
    SLOW = "slow"
    AUTHOR = "author"


FAST_LANE_CPU_S = 0.1


@dataclass(frozen=True)
class Call:
    """One call of a function on given arguments.

    One that `goes_on` is part of the test of the call before it: both share the limits of one call,
    and where the one before is ended by a limit this one is not run.
    """

    function: str
    arguments: tuple[Value, ...]
    goes_on: bool = False


@dataclass(frozen=True)
class Source:
    """One file to load in the child, in order; `name` is what tracebacks call it."""

    name: str
    text: bytes


@dataclass(frozen=True)
class Order:
    """What the sandbox is asked for. It never holds an expected output or the name of a case.

    The files of `sources` are loaded into one namespace in order, then each call of `calls` runs on
    fresh copies of its arguments. With `trace`, calls are traced line by line. Traced and other
    than default-limit orders get a child forked on demand.

    >>> source = Source("solution.py", b"def double(x): return 2 * x")
    >>> order = Order(sources=(source,), calls=(Call("double", (21,)),))
    >>> order.calls[0].function, order.limits.cpu_s, str(order.lane)
    ('double', 2.0, 'fast')
    """

    sources: tuple[Source, ...]
    calls: tuple[Call, ...]
    limits: Limits = Limits()
    lane: Lane = Lane.FAST
    trace: bool = False


@dataclass(frozen=True)
class Problem:
    """Something in the source that keeps it from being run; lines and columns count from 1.

    `kind` is "syntax" where Python itself does not parse the source, else "policy"; `about` says of
    a few what they are about, for the judge alone.
    """

    kind: Literal["syntax", "policy"]
    line: int | None
    column: int | None
    end_column: int | None
    message: str
    instead: str = ""
    about: Literal["", "indentation"] = ""
