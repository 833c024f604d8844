"""The report: verdict, one result a case, diagnosis, cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.model.orders import Problem
from app.model.traces import ProbeResult, ShapeTrace
from app.model.values import Partial, Value
from app.model.verdicts import Slug, SubmissionId, Verdict


@dataclass(frozen=True)
class Where:
    """Where a hidden output is off: row and column ranges, and a bit a cell up to 4,096 cells."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    mask: str | None


@dataclass(frozen=True)
class Mismatch:
    """How an output differs from the expected one; None in a report where it does not.

    `argument` is the position of the argument that was changed; a report gives its name too.
    """

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
    argument: int | None = None
    argument_name: str | None = None


@dataclass(frozen=True)
class TestResult:
    """One test case in a report. Values are None for hidden cases, and never stored for them.

    `call` is the first call that is off, from 0, of a test that holds several; all else is of that.
    Of an exception, `note` is the short sentence that stands under its line, and `original` what
    Python or NumPy says itself; both are "" for everything else.
    """

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
    arguments: tuple[Value | Partial, ...] | None = None
    got: Value | Partial = None
    expected: Value | Partial = None
    has_values: bool = False
    cpu_ms: float = 0.0
    note: str = ""
    original: str = ""
    call: int | None = None


@dataclass(frozen=True)
class NamedMistake:
    """One mistake of a diagnosis, and the learner's line it stands on, where that is known.

    `line_kind`: "own" for its own line, "shows" for the first line where it shows, "" without one.
    """

    misconception: str
    title: str
    hint: int | None
    line: int | None = None
    line_kind: Literal["own", "shows", ""] = ""
    company: str = ""


@dataclass(frozen=True)
class Diagnosis:
    """The misconceptions a submission shows, with the evidence in words.

    One, or several at once, in order of computation; the first fills the fields of one. Not
    `complete`: something else is off as well that fits in more than one way; `size` counts it too.
    """

    misconception: str
    title: str
    message: str
    hint: int | None
    evidence: str = ""
    mistakes: tuple[NamedMistake, ...] = ()
    complete: bool = True
    size: int = 1


@dataclass(frozen=True)
class Finding:
    """Something true of a wrong array where no misconception fits ("the rows are permuted")."""

    kind: str
    message: str
    cases: tuple[str, ...] = ()
    hint: int | None = None


@dataclass(frozen=True)
class Report:
    """Verdict, one result a case, diagnosis, cost; `app/report` spells it as JSON format 1.

    `subject` names the case that everything in the report speaks of, None where all pass.
    """

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
    subject: str | None = None
    trace: ShapeTrace | None = None
    probe: ProbeResult | None = None
    load_stdout: str = ""
    cpu_ms: float = 0.0
    wall_ms: float = 0.0
    peak_memory_bytes: int = 0
    error_id: str | None = None
