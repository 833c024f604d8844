"""A report as the page tells it: verdict line, headline, reasons, rows. One view for all pages.

It is made from a report as it is stored, and never from anything the jail sent directly.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from app.catalog import ExerciseErrors
from app.grading.aside import aside
from app.grading.sentences.phrases import headline, size
from app.model import (
    Diagnosis,
    Exercise,
    Expectations,
    NamedMistake,
    Problem,
    Report,
    Slug,
    TestResult,
    Verdict,
)
from app.ports import SandboxFault
from app.records import Json
from app.report import from_json
from app.service import Service
from app.web.html.text import milliseconds
from app.web.report.accepted import largest_error
from app.web.report.addresses import TestAddresses
from app.web.report.addresses import addresses as addresses_of
from app.web.report.rows import Row, rows, titles
from app.web.report.trace import ProbeView, TraceView, probe_view, trace_view

_NOT_RUN = frozenset({Verdict.SYNTAX_ERROR, Verdict.POLICY_ERROR})
_WITH_NUMBERS = frozenset({Verdict.WRONG_ANSWER, Verdict.RUNTIME_ERROR})
_LARGE = 24
"""A visible test with more numbers than this is worth a smaller one."""


@dataclass(frozen=True)
class Fact:
    """A number under the report, and what it is measured against."""

    name: str
    value: str
    of: str = ""


@dataclass(frozen=True)
class ReportView:
    """Everything the report macro shows; `cells` are the six cells' classes."""

    kind: str
    verdict: str
    passed: int
    total: int
    score: str
    cells: tuple[str, ...]
    headline: str
    text: str
    help: str
    diagnosis: Diagnosis | None
    findings: tuple[str, ...]
    problems: tuple[Problem, ...]
    normalised: tuple[str, ...]
    hint: int | None
    rows: tuple[Row, ...]
    load_stdout: str
    facts: tuple[Fact, ...]
    judged: str
    error_id: str | None
    trace: TraceView | None
    probe: ProbeView | None
    subject: str
    subject_is: str
    digest_changed: bool
    offers_small: bool = False
    has_draws: bool = False

    @property
    def named(self) -> tuple[NamedMistake, ...]:
        """The mistakes of a list, where more than one is told of; the headline says how many."""
        found = self.diagnosis
        if found is None or (len(found.mistakes) < 2 and found.complete):
            return ()
        return found.mistakes if self.headline == found.message else ()

    @property
    def tells_problem(self) -> bool:
        """Whether the headline tells the one problem, so that no list needs to tell it again."""
        return any(headline(each.message)[0] in self.headline for each in self.problems)

    @property
    def line_of_mistake(self) -> int | None:
        """The line of the one mistake that is named, where that line is at fault."""
        found = self.diagnosis.mistakes if self.diagnosis is not None else ()
        one = found[0] if len(found) == 1 and not self.named else None
        return one.line if one is not None and one.line_kind == "own" else None

    @property
    def accepted(self) -> bool:
        """Whether every test passed."""
        return self.verdict == "accepted"

    @property
    def ours(self) -> bool:
        """Whether it could not be judged: our fault, or without an id the exercise's author's."""
        return self.verdict == "grader_error"


def view(
    report: Report,
    exercise: Exercise,
    expectations: Expectations | None,
    addresses: Mapping[str, TestAddresses] = MappingProxyType({}),
) -> ReportView:
    """The view of a report; expectations of another digest draw no heads. It lacks what has an
    address, by test.
    """
    same = expectations is not None and expectations.digest == report.digest
    first, rest = headline(report.message)
    names = titles(expectations) if same and expectations is not None else {}
    return ReportView(
        kind=_kind(report),
        verdict=report.verdict.value,
        passed=report.passed,
        total=report.total,
        score=_score(report),
        cells=tuple(_cell(test.verdict) for test in report.tests),
        headline=first,
        text=rest,
        help=report.help,
        diagnosis=report.diagnosis,
        findings=_findings(report),
        problems=report.problems,
        normalised=report.normalised,
        hint=report.hint,
        rows=rows(
            report.tests, exercise, expectations if same else None, report.subject, addresses
        ),
        load_stdout=report.load_stdout,
        facts=_facts(report, exercise),
        judged=_judged_how(report, exercise),
        error_id=report.error_id,
        trace=aside("trace_view", lambda: trace_view(report.trace, names, report.message), None),
        probe=aside("probe_view", lambda: probe_view(report.probe), None),
        subject=names.get(report.subject or "", ""),
        subject_is=_subject_is(report, names),
        digest_changed=report.digest != exercise.digest,
        offers_small=bool(expectations and expectations.draws) and _hard_to_see(report),
        has_draws=bool(expectations and expectations.draws),
    )


def _hard_to_see(report: Report) -> bool:
    """Whether no failing test can be looked at: all of them are hidden, or large."""
    off = [test for test in report.tests if test.verdict in _WITH_NUMBERS]
    shown = [test for test in off if test.visible]
    return _kind(report) == "submission" and bool(off) and all(map(_is_large, shown))


def _is_large(test: TestResult) -> bool:
    """Whether a visible test holds more numbers than one looks through."""
    if test.mismatch is None:
        return False
    return max(test.mismatch.size, math.prod(test.mismatch.expected_shape or ())) > _LARGE


def _subject_is(report: Report, names: Mapping[str, str]) -> str:
    """Why the report speaks of this case, and what it tells of it."""
    off = [t for t in report.tests if t.verdict not in (Verdict.ACCEPTED, Verdict.NOT_RUN)]
    subject = next((test for test in off if test.name == report.subject), None)
    if subject is None:
        return "passes; every shape and value here is from it"
    what = "test" if report.submission else "one"
    why = f"the first {what} that fails" if off[0] is subject else f"a {what} that fails"
    if subject.visible:
        return f"{why}; every shape and value here is from it"
    shapes = names.get(report.trace.case) if report.trace else None
    return f"{why}; the shapes beside your code are from “{shapes}”" if shapes else why


def _findings(report: Report) -> tuple[str, ...]:
    """What else is true of the subject's output, beyond what headline and help say already."""
    said = f"{report.message} {report.help}"
    about = [f for f in report.findings if report.subject is None or report.subject in f.cases]
    return tuple(each.message for each in about if each.message not in said)


def _kind(report: Report) -> str:
    if report.submission:
        return "submission"
    names = [test.name for test in report.tests]
    is_own = len(names) == 1 and (names[0] == "custom" or names[0].startswith("draw_"))
    return "custom" if is_own else "run"


def _score(report: Report) -> str:
    """ "1 of 6 test cases passed", "2 of 2 examples equal", "Not run": said, and read aloud."""
    if report.verdict in _NOT_RUN:
        return "Not run"
    if report.verdict is Verdict.GRADER_ERROR:
        return "Not judged"
    if _kind(report) == "custom":
        return "Equal to the reference" if report.passed else "Not equal to the reference"
    if report.verdict is Verdict.NOT_SHOWN and report.total < len(report.tests):
        return f"{report.passed} of {report.total} visible test cases passed"
    what = "test cases passed" if report.submission else "examples equal"
    return f"{report.passed} of {report.total} {what}"


def _cell(verdict: Verdict) -> str:
    if verdict is Verdict.ACCEPTED:
        return "p"
    quiet = {Verdict.NOT_RUN, Verdict.NOT_SHOWN, Verdict.GRADER_ERROR, *_NOT_RUN}
    return "" if verdict in quiet else "x"


def _facts(report: Report, exercise: Exercise) -> tuple[Fact, ...]:
    limits = exercise.limits
    right = report.verdict is Verdict.ACCEPTED
    error = aside("largest_error", lambda: largest_error(report), None) if right else None
    place = "on this input" if _kind(report) == "custom" else "on the visible tests"
    exact = () if error is None else (Fact("Largest error", _error(error), place),)
    return (
        *exact,
        Fact("Processor time", milliseconds(report.cpu_ms), f"of {limits.budget_cpu_s:g} s"),
        Fact("Peak memory", size(report.peak_memory_bytes), f"of {size(limits.memory_bytes)}"),
    )


def _error(number: float) -> str:
    """ "0", "4.4e−16"."""
    return "0" if number == 0 else _power(number, 1)


def _judged_how(report: Report, exercise: Exercise) -> str:
    if _score(report) in ("Not run", "Not judged"):
        return ""
    tolerance = exercise.tolerance
    took = milliseconds(report.wall_ms)
    return f"Judged in {took} at rtol {_power(tolerance.rtol)}, atol {_power(tolerance.atol)}."


def _power(number: float, digits: int = 0) -> str:
    return f"{number:.{digits}e}".replace("e-0", "e−").replace("e-", "e−").replace("e+0", "e")


def report_view(service: Service, report: Json, secret: bytes | None = None) -> ReportView:
    """A stored report as the page tells it. Raises NoSuchExercise.

    With `secret`, a submission's has addresses in place of what others share with it.
    """
    found, known = from_json(report), expected(service, Slug(str(report["exercise"])))
    same = known if known is not None and known.digest == found.digest else None
    at = {} if secret is None else addresses_of(report, same, secret)
    return view(found, service.exercises.get(found.exercise), known, at)


def expected(service: Service, slug: Slug) -> Expectations | None:
    """What an exercise expects, or None while its author's mistake or our fault is in the way."""
    try:
        return service.exercises.expectations(slug)
    except (ExerciseErrors, SandboxFault):
        return None
