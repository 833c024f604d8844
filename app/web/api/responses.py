"""What the interface answers with, for its document: nothing here is made at run time."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict


class Open(BaseModel):
    """An object that may grow: clients pass over what they do not know."""

    model_config = ConfigDict(extra="allow")


class ProblemDetails(Open):
    """RFC 9457: what went wrong, in words. `request_id` is the id our log knows it by."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    request_id: str


class MismatchJson(Open):
    """How an output differs from the expected one; numbers are texts, for JSON has no NaN."""

    kind: Literal["type", "shape", "dtype", "not_finite", "values", "arguments_changed"]


class TestJson(Open):
    """One test case's result. Values are null for hidden cases.

    `call`, counted from 0, is the first that is off of a test that holds several.
    """

    name: str
    purpose: str
    visible: bool
    verdict: str
    message: str
    help: str
    line: int | None
    stdout: str | None
    mismatch: MismatchJson | None
    arguments: list[dict[str, Any]] | None
    got: dict[str, Any] | None
    expected: dict[str, Any] | None
    call: int | None = None


class ReportJson(Open):
    """A report, format 1."""

    format: Literal[1]
    exercise: str
    digest: str
    submission: str | None
    verdict: str
    passed: int
    total: int
    message: str
    help: str
    tests: list[TestJson]
    diagnosis: dict[str, Any] | None
    problems: list[dict[str, Any]]


class JudgedJson(ReportJson):
    """A submission's report. `read_token` lets a client without a cookie read it again."""

    read_token: str


class InLineJson(Open):
    """A submission that is in line: ask its address again after `Retry-After` seconds."""

    submission: str
    place: int | None
    read_token: str


class ExerciseJson(Open):
    """An exercise in a list."""

    slug: str
    title: str
    section: str
    order: int
    difficulty: str
    summary: str
    entry_point: str
    url: str


class ExercisesJson(Open):
    """All exercises, by section and order."""

    exercises: list[ExerciseJson]


class ExamplesJson(Open):
    """A visible case or a hidden one, without its values."""

    name: str
    purpose: str
    visible: bool


class ExerciseFullJson(ExerciseJson):
    """One exercise: its statement in Markdown, its starter code, what its tests probe."""

    statement: str
    starter: str
    hints: int
    tests: list[ExamplesJson]


class SecondLookJson(Open):
    """What random inputs said of an accepted submission."""

    state: str
    draw: int | None
    test: TestJson | None


class AttemptJson(Open):
    """One line of a history."""

    submission: str
    exercise: str
    created_at: str
    verdict: str | None
    passed: int
    total: int
    mistakes: list[str]


class AttemptsJson(Open):
    """A learner's submissions for an exercise, newest first."""

    submissions: list[AttemptJson]


class HintJson(Open):
    """An open hint, in Markdown and as HTML."""

    number: int
    title: str
    body: str
    html: str


class SolutionJson(Open):
    """The reference solution and the other right ways, by file name."""

    reference: str
    alternatives: list[dict[str, str]]


class DraftJson(Open):
    """A text the server keeps."""

    source: str
    version: str
    device: str
    saved_at: str
    name: str


class DraftsJson(Open):
    """The text to open, and the others, newest first; `left_out` older ones are kept, not sent."""

    opened: DraftJson | None
    others: list[DraftJson]
    left_out: int = 0


class FollowUpJson(Open):
    """What became of an answer."""

    outcome: Literal["right", "off", "unreadable", "kept"]
    message: str
    answer: str
    explanation: str


class ShareJson(Open):
    """The link to a read-only copy."""

    url: str


class ProgressRowJson(Open):
    """What a learner did with one exercise."""

    exercise: str
    state: Literal["new", "begun", "tried", "passed"]
    attempts: int
    hints: int
    first_passed_at: str | None


class ProgressJson(Open):
    """What a learner did."""

    name: str
    exercises: list[ProgressRowJson]


class NameJson(Open):
    """The name as it is kept."""

    name: str


class CodeJson(Open):
    """A recovery code. It is shown this once."""

    code: str


class WorkJson(Open):
    """Whose work a code opens, in counts and dates."""

    name: str
    submissions: int
    passed: int
    hints: int
    first_at: str | None
    last_at: str | None


class NamesJson(Open):
    """What the editor completes."""

    names: list[dict[str, Any]]
