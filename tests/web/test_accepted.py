"""An accepted report says how near the numbers are, and which known mistakes were met before."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from app.model import (
    Diagnosis,
    LearnerId,
    NamedMistake,
    Report,
    Slug,
    SubmissionId,
    TestResult,
    Verdict,
)
from app.records import Attempt, Submission
from app.report import to_json
from app.web.report.accepted import MetMistake, largest_error, mistakes_met

_NOW = datetime(2026, 11, 30, tzinfo=UTC)
_REPORT = Report(Slug("e"), "0" * 64, Verdict.ACCEPTED, 1, 1, "Right.", ())


def _test(got: Any, expected: Any) -> TestResult:
    return TestResult("a", "", True, Verdict.ACCEPTED, got=got, expected=expected, has_values=True)


def test_the_largest_error_is_that_of_all_visible_tests_and_parts() -> None:
    one = _test(np.array([1.0, 2.5]), np.array([1.0, 2.0]))
    two = _test((np.array([1.0]), np.array([0.0])), (np.array([1.0]), np.array([-0.75])))
    assert largest_error(replace(_REPORT, tests=(one, two))) == 0.75
    assert largest_error(replace(_REPORT, tests=(TestResult("b", "", False, one.verdict),))) is None


def test_each_mistake_met_is_told_once_with_its_first_try() -> None:
    def tried(number: int, verdict: str) -> Attempt:
        return Attempt(SubmissionId(f"s{number}"), Slug("e"), _NOW, verdict, 0, 1)

    def get(submission: str, learner: str) -> SimpleNamespace:
        title = "Scaled twice" if submission in ("s1", "s2") else "Split by a reshape"
        found = replace(_REPORT, diagnosis=Diagnosis("m", title, "It is.", None))
        return SimpleNamespace(report=to_json(found))

    service = cast(Any, SimpleNamespace(submissions=SimpleNamespace(get=get)))
    history = [tried(n, "accepted" if n == 4 else "wrong_answer") for n in (5, 4, 3, 2, 1)]
    accepted = Submission(SubmissionId("s4"), LearnerId("l"), Slug("e"), b"", _NOW)
    assert mistakes_met(service, history, accepted) == (
        MetMistake("Scaled twice", 1),
        MetMistake("Split by a reshape", 3),
    )


def test_each_of_two_mistakes_named_at_once_was_met() -> None:
    both = tuple(
        NamedMistake(slug, title, None) for slug, title in (("a", "Scaled twice"), ("b", "Cut"))
    )
    told = Diagnosis("a", "Two things are wrong", "They are.", None, mistakes=both)

    def get(submission: str, learner: str) -> SimpleNamespace:
        alone = Diagnosis("b", "Cut", "It is.", None, mistakes=both[1:])
        diagnosis = told if submission == "s1" else alone
        return SimpleNamespace(report=to_json(replace(_REPORT, diagnosis=diagnosis)))

    service = cast(Any, SimpleNamespace(submissions=SimpleNamespace(get=get)))
    history = [
        Attempt(SubmissionId(f"s{n}"), Slug("e"), _NOW, verdict, 0, 1)
        for n, verdict in ((3, "accepted"), (2, "wrong_answer"), (1, "wrong_answer"))
    ]
    accepted = Submission(SubmissionId("s3"), LearnerId("l"), Slug("e"), b"", _NOW)
    assert mistakes_met(service, history, accepted) == (
        MetMistake("Scaled twice", 1),
        MetMistake("Cut", 1),
    )
