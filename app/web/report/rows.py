"""The rows of a report: one test each, with what is shown when it is opened."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from app.grading.aside import aside
from app.grading.sentences.phrases import shape as shape_words
from app.model import (
    Exercise,
    Expectations,
    Mismatch,
    Partial,
    TestCase,
    TestResult,
    Value,
)
from app.web.html.text import VERDICT_WORDS
from app.web.report.addresses import HERE, TestAddresses
from app.web.report.arrays import Frame
from app.web.report.comparisons import Comparison, comparisons
from app.web.report.numpy_code import Copy, copies
from app.web.report.pictures import Mask, mask_of

_TOKEN_AXES = frozenset({"seq_len", "n_tokens", "tokens", "n_q", "n_new", "n", "T"})
_NAMES = re.compile(r"\b[A-Za-z]+(?:_\w+)+(?: = -?\w+(?:\.\d+)?)?|\b[A-Za-z]\w*=-?\w+(?:\.\d+)?")
_MARKS = {
    "accepted": ("pass", "check", "Passed"),
    "not_run": ("wait", "dash", "Not run"),
    "grader_error": ("ours", "alert", "Our fault"),
    "not_shown": ("wait", "dash", "Not shown"),
}


@dataclass(frozen=True)
class Row:
    """A test in a report: what it probes, what came of it, and everything behind it."""

    name: str
    purpose: str
    visible: bool
    verdict: str
    mark: tuple[str, str, str]
    found: str = ""
    message: str = ""
    help: str = ""
    line: int | None = None
    stdout: str = ""
    comparisons: tuple[Comparison, ...] = ()
    mask: Mask | None = None
    copies: tuple[Copy, ...] = ()
    opened: bool = False
    number: int | None = None
    note: str = ""
    original: str = ""


def rows(
    tests: Sequence[TestResult],
    exercise: Exercise,
    expectations: Expectations | None,
    subject: str | None = None,
    addresses: Mapping[str, TestAddresses] = MappingProxyType({}),
) -> tuple[Row, ...]:
    """The rows of a report; the subject's is open, else the first visible one that is off."""
    cases = {} if expectations is None else _cases(expectations)
    made = [
        _row(test, exercise, expectations, cases.get(test.name), addresses.get(test.name, HERE))
        for test in tests
    ]
    off_at = [
        i for i, row in enumerate(made) if row.verdict not in {"accepted", "not_run", "not_shown"}
    ]
    first = next((i for i in off_at if made[i].visible), off_at[0] if off_at else None)
    first = next((i for i, row in enumerate(made) if row.name == subject), first)
    told = None if first is None else made[first]
    made = [_after(row, told) for row in made]
    return tuple(replace(row, opened=True) if i == first else row for i, row in enumerate(made))


def _after(row: Row, told: Row | None) -> Row:
    """A row of an exception without what the headline says already, of it or of the subject."""
    if told is None or not row.note or row.message != told.message:
        return row
    return replace(row, message="", help="")


def waiting(expectations: Expectations) -> tuple[Row, ...]:
    """The six rows before anything was run."""
    return tuple(
        Row(
            test.name,
            purpose_words(test.purpose),
            test.visible,
            "not_run",
            _MARKS["not_run"],
            number=number,
        )
        for number, test in enumerate(expectations.tests, 1)
    )


def purpose_words(docstring: str) -> str:
    """A case's docstring as a row's words, without "Example:" and the full stop at its end.

    Names and what they are set to stand in `ticks`, also where the author wrote none.
    """
    words = docstring.strip().removeprefix("Example:").strip()
    named = not words.split(" ")[0].isalpha()  # "num_heads = 1 …" keeps its small letter
    said = (words if named else words[:1].upper() + words[1:]).removesuffix(".")
    return said if "`" in said else _NAMES.sub(r"`\g<0>`", said)


def titles(expectations: Expectations) -> dict[str, str]:
    """What each case is called where it stands alone: "Test 2: four tokens, eight heads"."""
    tests = {
        case.name: f"Test {n}{'' if case.visible else ' (hidden)'}: {purpose_words(case.purpose)}"
        for n, case in enumerate(expectations.tests, 1)
    }
    return tests | {c.name: f"Example: {purpose_words(c.purpose)}" for c in expectations.examples}


def _cases(expectations: Expectations) -> dict[str, TestCase]:
    return {case.name: case for case in (*expectations.examples, *expectations.tests)}


def _row(
    test: TestResult,
    exercise: Exercise,
    expectations: Expectations | None,
    case: TestCase | None,
    at: TestAddresses,
) -> Row:
    verdict, mismatch, visible = test.verdict.value, test.mismatch, test.visible
    called = "" if test.call is None else f"call {test.call + 1}: "
    if case is not None and test.call is not None and test.call < len(case.calls):
        case = case.calls[test.call]
    frame = frame_of(exercise, expectations, case, test.arguments)
    known = [] if expectations is None else [one.name for one in expectations.tests]
    return Row(
        name=test.name,
        number=known.index(test.name) + 1 if test.name in known else None,
        purpose=purpose_words(test.purpose),
        visible=visible,
        verdict=verdict,
        mark=_MARKS.get(verdict, ("off", "cross", "Off")),
        found="equal"
        if verdict == "accepted"
        else f"{called}{_found(verdict, mismatch, test.line)}",
        message=test.message,
        help=test.help,
        line=test.line,
        note=test.note,
        original=test.original,
        stdout=test.stdout or "" if visible else "",
        comparisons=aside("tables", lambda: comparisons(test, exercise, frame), ())
        if visible
        else (),
        mask=None
        if visible or mismatch is None
        else aside("mask", lambda: mask_of(mismatch, frame), None),
        copies=aside("copies", lambda: copies(test, expectations, at), ()) if visible else (),
    )


def frame_of(
    exercise: Exercise,
    expectations: Expectations | None,
    case: TestCase | None,
    typed: Sequence[Value | Partial] | None = None,
) -> Frame:
    """What the rows of the output are called, and how many heads stand side by side in it.

    `typed` are own arguments as a report has them, for an input that is no case of the exercise.
    """
    axes = exercise.axes.get("return", ())
    names = [axis for axis in axes if isinstance(axis, str)] if isinstance(axes, tuple) else []
    token = len(names) > 1 and names[-2] in _TOKEN_AXES
    heads = None
    if exercise.heads and expectations and names and names[-1] == exercise.heads.axis:
        heads = _count(exercise.heads.count, expectations, case, typed or ())
    return Frame("token" if token else "row", "r", heads)


def _count(
    name: str, expectations: Expectations, case: TestCase | None, typed: Sequence[Value | Partial]
) -> int | None:
    """The argument that says how many heads there are, or None where it says nothing useful."""
    at = next((n for n, p in enumerate(expectations.parameters) if p.name == name), len(typed))
    if case is not None:
        given = case.arguments[at] if at < len(case.arguments) else None
        return given if isinstance(given, int) and given > 1 else None
    number = typed[at] if at < len(typed) else None
    whole = isinstance(number, int) and not isinstance(number, bool)
    return number if whole and isinstance(number, int) and 1 < number < 1_000 else None


def _found(verdict: str, mismatch: Mismatch | None, line: int | None) -> str:
    if mismatch is None:
        what = VERDICT_WORDS.get(verdict, "off")
        return f"line {line} {what}" if line and verdict == "runtime_error" else what
    if mismatch.size == 1 and mismatch.kind in ("values", "not_finite"):
        return "nan" if mismatch.nan else "inf" if mismatch.inf else _off_by(mismatch.worst_abs)
    if mismatch.kind == "values":
        return f"{mismatch.wrong} of {mismatch.size} off{_worst(mismatch.worst_abs)}"
    if mismatch.kind == "shape" and mismatch.got_shape is not None:
        return f"shape {shape_words(mismatch.got_shape)}"
    words = {
        "type": f"returned {mismatch.got_type or 'no array'}",
        "dtype": f"dtype {mismatch.dtype}",
        "not_finite": _lost(mismatch),
        "arguments_changed": f"changed {mismatch.argument_name or 'an argument'}",
    }
    return words.get(mismatch.kind, "off")


def _worst(number: float | None) -> str:
    return "" if number is None or not math.isfinite(number) else f", worst {number:.4g}"


def _lost(mismatch: Mismatch) -> str:
    """ "3 nan", "1 inf", "3 nan, 1 inf"."""
    counts = ((mismatch.nan, "nan"), (mismatch.inf, "inf"))
    return ", ".join(f"{n} {word}" for n, word in counts if n)


def _off_by(number: float | None) -> str:
    return "off" if number is None or not math.isfinite(number) else f"off by {number:.4g}"
