"""Every known mistake through the page's path: what is said, shown and marked is of one case."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from app import catalog
from app.grading.sentences.headline import UNKNOWN
from app.model import Exercise, Expectations, Lane, Report, TestCase
from app.ports import Jails, Sandbox
from app.service.judging import judge_run, judge_submission, visible_cases
from app.service.tracing import with_trace
from app.web.report.view import ReportView, view
from tests.grading.conftest import ROOT
from tests.known import expected

EXERCISES = sorted(path.parent.name for path in (ROOT / "exercises").glob("*/exercise.toml"))
WRONG = sorted((ROOT / "tests" / "cases" / "wrong").glob("*.py"))
OF_CASES = "multi-head-attention"
KNOWN_OF_CASES = frozenset(path.stem.partition("_")[2] for path in WRONG)
"""Mistakes of that exercise that a program of the cases makes, told of in a test of their own."""

_SHAPE = re.compile(r"\(\d+(?:, \d+)+,?\)")


def mistakes(exercise: Exercise) -> Iterator[tuple[str, bytes]]:
    """Each mistake as a learner would hand it in: a file of its own with the entry point."""
    entry = exercise.entry_point
    right = exercise.files["reference.py"].decode()
    for path in exercise.python_files("mistakes"):
        text = exercise.files[path].decode()
        own = [n.name for n in ast.parse(text).body if isinstance(n, ast.FunctionDef)]
        stem = Path(path).stem
        for name in (n for n in own if not n.startswith("_")):
            if stem in right and f"def {stem}(" in right:
                yield name, f"{right}\n{text}\n{stem} = {name}\n".encode()
            else:
                both = re.sub(rf"\b{entry}\b", f"{entry}_right", f"{right}\n{text}")
                yield name, f"{both}\n{entry} = {name}\n".encode()


def check(
    exercise: Exercise, expectations: Expectations, report: Report, cases: tuple[TestCase, ...]
) -> list[str]:
    """What a report says of any other case than its subject; nothing where it tells one story."""
    if report.subject is None:
        return []
    shown: ReportView = view(report, exercise, expectations)
    subject = next(case for case in cases if case.name == report.subject)
    faults = []
    words = " ".join((report.message, report.help, *shown.findings))
    others = [case.name for case in cases if case is not subject]
    faults += [f"names {name}" for name in others if f"`{name}`" in words]
    if subject.visible and report.trace is not None and report.trace.case != subject.name:
        faults.append(f"shapes of {report.trace.case}")
    opened = [row.name for row in shown.rows if row.opened]
    if opened != [subject.name]:
        faults.append(f"row {opened} is open")
    result = next(test for test in report.tests if test.name == subject.name)
    own = " ".join((result.message, result.help))
    lines = report.trace.lines if report.trace is not None and subject.visible else ()
    traced = {str(one.shape) for line in lines for one in (*line.first, *line.last)}
    known = {*_SHAPE.findall(own), *traced, *_sizes(subject)}
    said = () if report.diagnosis is not None else _SHAPE.findall(words)
    faults += [f"shape {shape} is of no array here" for shape in said if shape not in known]
    if UNKNOWN[:-1] in words and (report.diagnosis or shown.findings):
        faults.append("not recognised, and yet more is known")
    numbers = [line.line for line in lines if line.state == "differs"]
    if len(set(numbers)) > 1:
        faults.append(f"two lines are the first: {numbers}")
    return faults


def _sizes(case: TestCase) -> set[str]:
    parts = case.expected if isinstance(case.expected, tuple) else (case.expected,)
    return {str(getattr(part, "shape", ())) for part in parts}


def story(
    jail: Sandbox, exercise: Exercise, expectations: Expectations, source: bytes
) -> list[str]:
    """All faults of the reports of a run and of a submission of one source.

    Of two reports about one case one is traced: the other's trace would be the same.
    """
    tried = visible_cases(exercise, expectations)
    run = judge_run(jail, exercise, expectations, source, tried, lane=Lane.SLOW)
    submission = judge_submission(Jails.one(jail), exercise, expectations, source, lane=Lane.SLOW)
    assert run is not None and submission is not None
    traced = with_trace(Jails.one(jail), exercise, expectations, source, submission)
    if run.subject != submission.subject:
        run = with_trace(Jails.one(jail), exercise, expectations, source, run)
    faults = check(exercise, expectations, run, tried)
    faults += check(exercise, expectations, traced, expectations.tests)
    named = [one.diagnosis and one.diagnosis.misconception for one in (run, traced)]
    if all(named) and named[0] != named[1]:
        faults.append(f"a run names {named[0]}, a submission {named[1]}")
    return faults


@pytest.mark.parametrize("slug", EXERCISES)
def test_every_mistake_is_told_of_one_case(jail: Sandbox, slug: str) -> None:
    exercise = catalog.load(ROOT / "exercises" / slug)
    expectations = expected(exercise, jail)
    elsewhere = KNOWN_OF_CASES if slug == OF_CASES else frozenset()
    sources = {name: source for name, source in mistakes(exercise) if name not in elsewhere}
    told = {name: story(jail, exercise, expectations, one) for name, one in sources.items()}
    assert told
    assert {name: faults for name, faults in told.items() if faults} == {}


def test_every_wrong_program_is_told_of_one_case(jail: Sandbox) -> None:
    exercise = catalog.load(ROOT / "exercises" / OF_CASES)
    expectations = expected(exercise, jail)
    told = {p.name: story(jail, exercise, expectations, p.read_bytes()) for p in WRONG}
    assert len(told) > 50
    assert {name: faults for name, faults in told.items() if faults} == {}
