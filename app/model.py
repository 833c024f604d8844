"""The nouns of ML Grind: frozen data and the order of verdicts; nothing here does anything.

Every other room may import this one; it imports only NumPy and the standard library.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, NewType, TypeAlias

import numpy as np
import numpy.typing as npt

Slug = NewType("Slug", str)
SubmissionId = NewType("SubmissionId", str)
LearnerId = NewType("LearnerId", str)

SOURCE_BYTES = 64 * 1024
"""A submission's source may be this long, in bytes of UTF-8."""

REPORT_FORMAT = 1


class Verdict(StrEnum):
    """What a submission or one of its test cases came to; declared from best to worst."""

    ACCEPTED = "accepted"
    NOT_RUN = "not_run"
    WRONG_ANSWER = "wrong_answer"
    RUNTIME_ERROR = "runtime_error"
    OUTPUT_LIMIT = "output_limit"
    MEMORY_LIMIT = "memory_limit"
    TIME_LIMIT = "time_limit"
    SANDBOX_KILLED = "sandbox_killed"
    POLICY_ERROR = "policy_error"
    SYNTAX_ERROR = "syntax_error"
    GRADER_ERROR = "grader_error"


_SEVERITY = {verdict: rank for rank, verdict in enumerate(Verdict)}


def worst(verdicts: tuple[Verdict, ...]) -> Verdict:
    """The verdict that wins, the one declared last in `Verdict`.

    `not_run` is only ever a case's verdict: some other case carries the reason, so it never wins
    over anything but `accepted`. No verdicts at all is our fault: `grader_error`.
    """
    return max(verdicts, key=_SEVERITY.__getitem__, default=Verdict.GRADER_ERROR)


# ------------------------------------------------------------------ values that cross the wall


@dataclass(frozen=True)
class OddArray:
    """A NumPy array that does not cross the wall: object, complex, text or structured dtype."""

    dtype: str
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Opaque:
    """Anything else a call gave: only the name of its type crosses the wall ("list", "Tensor")."""

    type_name: str


Array: TypeAlias = npt.NDArray[np.generic]
"""bool, int or float16/32/64 of any shape."""

Value: TypeAlias = (
    "Array | bool | int | float | str | None | tuple[Value, ...] | dict[str, Value]"
    " | OddArray | Opaque"
)
"""What a call takes or gives. A NumPy scalar counts as the bool, int or float it is."""


# ------------------------------------------------------------------ the jail's work


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
    """One call of a function on given arguments."""

    function: str
    arguments: tuple[Value, ...]


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
    """

    sources: tuple[Source, ...]
    calls: tuple[Call, ...]
    limits: Limits = Limits()
    lane: Lane = Lane.FAST
    trace: bool = False


@dataclass(frozen=True)
class Problem:
    """Something in the source that keeps it from being run; lines and columns count from 1.

    `kind` is "syntax" where Python itself does not parse the source, else "policy".
    """

    kind: Literal["syntax", "policy"]
    line: int | None
    column: int | None
    end_column: int | None
    message: str
    instead: str = ""


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
    that the message is the learner's words. `help` is a sentence made inside about the operands
    ("shapes (2, 3) and (4, 5)" …), or "". `facts` are shapes of the operands, outermost first.
    """

    type: str
    message: str
    frames: tuple[SourceFrame, ...] = ()
    own: bool = False
    help: str = ""
    facts: tuple[tuple[int, ...], ...] = ()

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


@dataclass(frozen=True)
class Execution:
    """What the sandbox saw of one call: a value, or the reason there is none, and what it cost.

    `arguments` are the arguments as the call left them (None unless it returned). `detail` is a
    short fact for the log and the message ("SIGSEGV", "the system ended it, most likely for
    memory", "results over 2 MiB", "wrote over 64 KiB"). A forged or broken frame is `killed`.
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
    detail: str = ""


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


# ------------------------------------------------------------------ exercises


@dataclass(frozen=True)
class Tolerance:
    """Values a and b are equal when |a - b| <= atol + rtol * |b|, b the expected one."""

    rtol: float = 1e-5
    atol: float = 1e-6


@dataclass(frozen=True)
class Heads:
    """Where a head ends, for pictures and masks: `count` is the argument that says how many."""

    axis: str
    count: str


@dataclass(frozen=True)
class Probe:
    """Examples whose right output is a known arrangement of the values of the arguments `labels`.

    Every value of those arguments is another number, so that each cell of an output can be told
    where it came from: a row of an argument (a token) and a column.
    """

    cases: tuple[str, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True)
class ExampleText:
    """What the statement says of a visible case; `show` is "values" or "shapes"."""

    case: str
    text: str
    show: Literal["values", "shapes"] = "values"


@dataclass(frozen=True)
class FollowUp:
    """A question after passing: a formula is checked in the jail, a text is for own words."""

    kind: Literal["formula", "text"]
    question: str
    answer: str
    variables: tuple[str, ...] = ()
    explanation: str = ""


@dataclass(frozen=True)
class NumberClaim:
    """A number printed in the statement and the expression, run in the jail, that must give it."""

    text: str
    value: str


@dataclass(frozen=True)
class EquivalentMutant:
    """A mutant of the reference that no test can kill, and why."""

    line: int
    change: str
    why: str


@dataclass(frozen=True)
class SourceNote:
    """Where a convention of the exercise comes from."""

    text: str
    url: str = ""


@dataclass(frozen=True)
class Hint:
    """One step of an exercise's ladder, in Markdown."""

    number: int
    title: str
    body: str


AxisNames: TypeAlias = "tuple[str, ...]"
Axes: TypeAlias = "dict[str, AxisNames | tuple[AxisNames, ...] | dict[str, AxisNames]]"
"""Axis names by argument; a tuple output has one tuple each part, a dict argument one a key."""


@dataclass(frozen=True)
class Exercise:
    """An exercise folder as its files say; no Python of it has been run to make this.

    `files` holds every file by its path in the folder, `digest` is the SHA-256 over them.
    """

    slug: Slug
    title: str
    section: str
    order: int
    difficulty: Literal["easy", "medium", "hard"]
    summary: str
    entry_point: str
    visible: tuple[str, ...]
    trace: str
    statement: str
    hints: tuple[Hint, ...]
    files: dict[str, bytes]
    digest: str
    folder: str
    after: tuple[Slug, ...] = ()
    arguments_unchanged: bool = True
    axes: Axes = field(default_factory=dict)
    sizes: dict[str, str] = field(default_factory=dict)
    stage_axes: dict[str, AxisNames] = field(default_factory=dict)
    heads: Heads | None = None
    probe: Probe | None = None
    tolerance: Tolerance = Tolerance()
    limits: Limits = Limits()
    examples: tuple[ExampleText, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()
    sources: tuple[SourceNote, ...] = ()
    numbers: tuple[NumberClaim, ...] = ()
    equivalent_mutants: tuple[EquivalentMutant, ...] = ()

    def source(self, path: str) -> Source:
        """A Python file of the folder as the jail loads it; KeyError where there is none."""
        return Source(path, self.files[path])

    def python_files(self, folder: str) -> tuple[str, ...]:
        """Paths of the `.py` files in a sub-folder ("accepted", "mistakes"), sorted."""
        prefix = folder + "/"
        return tuple(sorted(p for p in self.files if p.startswith(prefix) and p.endswith(".py")))


@dataclass(frozen=True)
class TestCase:
    """Arguments, passed by position, what they probe, and what the reference solution gives."""

    __test__ = False  # pytest would collect it by its name

    name: str
    purpose: str
    visible: bool
    arguments: tuple[Value, ...]
    expected: Value


@dataclass(frozen=True)
class Misconception:
    """A named typical mistake. `same`: the slug that stands for its declared group (or itself)."""

    slug: str
    title: str
    message: str
    hint: int | None
    same: str
    area: str


@dataclass(frozen=True)
class Outcome:
    """What a program gives on one case, as far as misconceptions are told apart by it.

    `kind`: "right", "changed" (right but arguments changed), "array", "dtype", "type", "none",
    "exception", or "other" (never equal to anything). `value` for "array" and "dtype", `text` for
    "type" (its name) and "exception" (type and message, addresses cut).
    """

    kind: Literal["right", "changed", "array", "dtype", "type", "none", "exception", "other"]
    value: Value = field(default=None, compare=False)
    text: str = ""


@dataclass(frozen=True)
class Expectations:
    """What the trusted side knows of an exercise once its files were run in the jail.

    `tests` are exactly six, `examples` the visible cases outside them. `outcomes[slug][i]` is what
    misconception `slug` gives on test i. `stages[name]` are the reference's named stages on case
    `name`, in order, each with its equivalent forms. `parameters` are the entry point's own.
    """

    digest: str
    parameters: tuple[Parameter, ...]
    tests: tuple[TestCase, ...]
    examples: tuple[TestCase, ...]
    misconceptions: tuple[Misconception, ...]
    outcomes: dict[str, tuple[Outcome, ...]]
    stages: dict[str, tuple[tuple[str, tuple[Array, ...]], ...]]


# ------------------------------------------------------------------ the report


@dataclass(frozen=True)
class Where:
    """Where a hidden output is off: row and column ranges, and a bit a cell up to 4,096 cells."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    mask: str | None


@dataclass(frozen=True)
class Mismatch:
    """How an output differs from the expected one; None in a report where it does not."""

    kind: Literal["type", "shape", "dtype", "not_finite", "values", "arguments_changed"]
    part: int | None = None
    got_shape: tuple[int, ...] | None = None
    expected_shape: tuple[int, ...] | None = None
    got_type: str = ""
    dtype: str | None = None
    wrong: int = 0
    size: int = 0
    nan: int = 0
    inf: int = 0
    worst_abs: float | None = None
    worst_index: tuple[int, ...] | None = None
    worst_got: float | None = None
    worst_expected: float | None = None
    where: Where | None = None
    argument: str | None = None


@dataclass(frozen=True)
class TestResult:
    """One test case in a report. Values are None for hidden cases, and never stored for them."""

    __test__ = False

    name: str
    purpose: str
    visible: bool
    verdict: Verdict
    message: str = ""
    help: str = ""
    line: int | None = None
    column: int | None = None
    end_column: int | None = None
    stdout: str | None = None
    mismatch: Mismatch | None = None
    arguments: tuple[Value, ...] | None = None
    got: Value = None
    expected: Value = None
    has_values: bool = False
    cpu_ms: float = 0.0


@dataclass(frozen=True)
class Diagnosis:
    """The misconception a submission shows, with the evidence in words."""

    misconception: str
    title: str
    message: str
    hint: int | None
    evidence: str = ""


@dataclass(frozen=True)
class Finding:
    """Something true of a wrong array where no misconception fits ("the rows are permuted")."""

    kind: str
    message: str
    cases: tuple[str, ...] = ()
    hint: int | None = None


@dataclass(frozen=True)
class Report:
    """Verdict, one result a case, diagnosis, cost; `app/report.py` writes it as JSON format 1."""

    exercise: Slug
    digest: str
    verdict: Verdict
    passed: int
    total: int
    message: str
    tests: tuple[TestResult, ...]
    submission: SubmissionId | None = None
    help: str = ""
    diagnosis: Diagnosis | None = None
    findings: tuple[Finding, ...] = ()
    problems: tuple[Problem, ...] = ()
    normalised: tuple[str, ...] = ()
    hint: int | None = None
    trace: dict[str, object] | None = None
    probe: dict[str, object] | None = None
    load_stdout: str = ""
    cpu_ms: float = 0.0
    wall_ms: float = 0.0
    peak_memory_bytes: int = 0
    error_id: str | None = None
