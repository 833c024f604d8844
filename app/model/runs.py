"""What the sandbox saw: executions, traces, functions, layers."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, TypeAlias

from app.model.orders import Problem
from app.model.values import Array, Value


@dataclass(frozen=True)
class SourceFrame:
    """One of the learner's own lines on the way to an exception, outermost first."""

    line: int
    function: str
    column: int | None = None
    end_column: int | None = None
    file: str = "solution.py"


@dataclass(frozen=True)
class Raised:
    """An exception as plain Python would tell it, with the learner's own lines only.

    `own` is true where the learner's code itself raised it (a `raise` or a failing `assert`), so
    that the message is the learner's words. `gist`, `note` and `help` are plain words made inside:
    what follows "Line 3 stops: ", the sentence with shapes and numbers for the line itself, and
    what to try; each may be "". `facts` are shapes of the operands, outermost first.
    """

    type: str
    message: str
    frames: tuple[SourceFrame, ...] = ()
    own: bool = False
    help: str = ""
    facts: tuple[tuple[int, ...], ...] = ()
    gist: str = ""
    note: str = ""

    @property
    def line(self) -> int | None:
        """The learner's line where it happened: that of the innermost own frame."""
        return self.frames[-1].line if self.frames else None


Ended: TypeAlias = Literal[
    "returned",
    "raised",
    "time_limit",
    "sleep_limit",
    "memory_limit",
    "output_limit",
    "killed",
    "crashed",
    "not_run",
]
"""How one call ended. "killed": a forbidden system call; "crashed": a signal of its own;
"sleep_limit": the wall deadline ended a child that slept."""


class Cause(StrEnum):
    """What ended a call, where `ended` alone does not say it; `Execution.amount` is beside it."""

    CALL = "call"
    """The limit of one call: its seconds of CPU, or of waiting."""
    SHARED = "shared"
    """The limit of all calls together: its seconds."""
    LANE = "lane"
    """It had its seconds in the fast lane and was to go on in the slow one."""
    STARVED = "starved"
    """This machine had no CPU for it."""
    MEMORY = "memory"
    """An allocation over the limit was refused: the limit's bytes."""
    NEAR_MEMORY = "near_memory"
    """It crashed, by `Execution.signal`, with most of the limit in use: the limit's bytes."""
    BY_SYSTEM = "by_system"
    """The system ended it, most likely for memory."""
    PRINTS = "prints"
    """It printed more than may leave: that many bytes."""
    RESULTS = "results"
    """It returned more than may leave: that many bytes."""
    SYSTEM_CALL = "system_call"
    """It made a system call that is not allowed."""
    FORGED = "forged"
    """It wrote into the channel that carries its results."""
    CLOSED = "closed"
    """It closed the channel that carries its results."""
    LEFT = "left"
    """It ended the process before it was done."""
    SIGNAL = "signal"
    """It crashed by `Execution.signal`."""
    NO_FUNCTION = "no_function"
    """There is no function of the name that was called."""
    MACHINES = "machines"
    """Two machines ended while they ran it."""


@dataclass(frozen=True)
class Execution:
    """What the sandbox saw of one call: a value, or the reason there is none, and what it cost.

    `arguments` are the arguments as the call left them (None unless it returned). Beside `cause`
    stand `amount`, the limit that was passed in seconds or bytes, and `signal`, the name of the
    signal of a crash ("SIGSEGV"). All words for them are made in `app.grading.sentences`.
    """

    ended: Ended
    value: Value = None
    arguments: tuple[Value, ...] | None = None
    raised: Raised | None = None
    stdout: str = ""
    stdout_cut: bool = False
    cpu_ms: float = 0.0
    wall_ms: float = 0.0
    peak_memory_bytes: int = 0
    cause: Cause | None = None
    amount: float = 0.0
    signal: str = ""

    @property
    def is_out_of_memory(self) -> bool:
        """Whether Python or NumPy raised for want of memory, and no `raise` of the learner's."""
        return (
            self.ended == "raised"
            and self.raised is not None
            and self.raised.type in ("MemoryError", "numpy._core._exceptions._ArrayMemoryError")
            and not self.raised.own
        )


@dataclass(frozen=True)
class Assigned:
    """One name a line assigned: its type; for arrays shape and dtype, for the rest a short text."""

    name: str
    type_name: str
    shape: tuple[int, ...] | None = None
    dtype: str | None = None
    text: str = ""


@dataclass(frozen=True)
class TracedLine:
    """One line of the learner's code: what it assigned on its first and on its last pass.

    `kind`: "assign", "store" (into a part of what a name holds), "loop", "return", or "call" for
    the parameters of a function. `reads` are the names whose values the line reads, `calls` what it
    calls. `arrays` are kept for the trusted comparison with the reference's stages and never
    reported: for each name the arrays of all passes in order, or the last one alone, or none.
    """

    line: int
    function: str
    kind: Literal["assign", "store", "loop", "return", "call"]
    passes: int
    first: tuple[Assigned, ...]
    last: tuple[Assigned, ...]
    reads: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    arrays: tuple[tuple[Array, ...], ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True)
class Trace:
    """What one call assigned, lines in the order of their first pass; `cut` says what is gone."""

    call: int
    lines: tuple[TracedLine, ...]
    cut: str = ""


@dataclass(frozen=True)
class Parameter:
    """One parameter of a function: kind as `inspect.Parameter` spells it, default as source."""

    name: str
    kind: str = "POSITIONAL_OR_KEYWORD"
    default: str | None = None


@dataclass(frozen=True)
class FunctionInfo:
    """A public function of a file, for `describe`: signature and docstring, in file order."""

    name: str
    parameters: tuple[Parameter, ...]
    docstring: str
    line: int


@dataclass(frozen=True)
class Ran:
    """All that came back for one order.

    `problems` non-empty: nothing was loaded. `loading` tells how loading the files ended; calls are
    "not_run" unless it returned. `functions` are the functions the sources define at top level, so
    that a missing entry point can be told apart from a near name. `normalised` names what was
    changed in the text before compiling ("2 curly quotes"). `left_fast_lane`: see `Lane`.
    """

    problems: tuple[Problem, ...] = ()
    loading: Execution = Execution("returned")
    executions: tuple[Execution, ...] = ()
    functions: tuple[FunctionInfo, ...] = ()
    normalised: tuple[str, ...] = ()
    traces: tuple[Trace, ...] = ()
    left_fast_lane: bool = False
    cpu_ms: float = 0.0
    wall_ms: float = 0.0
    peak_memory_bytes: int = 0


@dataclass(frozen=True)
class Mutant:
    """A copy of a reference with one small change, "old -> new" on a line of the original."""

    line: int
    change: str
    source: bytes


@dataclass(frozen=True)
class Layer:
    """One layer of the wall, for `doctor` and `/readyz`."""

    name: str
    required: bool
    present: bool
    detail: str = ""
    advice: str = ""
