"""The calls of tests, judged one by one and told as one test each.

A hidden test may hold several calls. All are compared; what is told is of the first that is off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from app.grading.decide import judge_case
from app.grading.sentences import case as case_words
from app.grading.sentences.judged_case import JudgedCase, as_shown
from app.model import (
    Execution,
    Exercise,
    Expectations,
    TestCase,
    TestResult,
    Verdict,
)


def judged_calls(
    exercise: Exercise,
    expectations: Expectations,
    cases: Sequence[TestCase],
    executions: Sequence[Execution],
) -> tuple[JudgedCase, ...]:
    """Every call of these cases, judged. Raises ValueError where executions are missing."""
    calls = [
        (number, at if case.more else None, call)
        for number, case in enumerate(cases)
        for at, call in enumerate(case.calls)
    ]
    if len(executions) != len(calls):
        raise ValueError(f"{len(executions)} executions for {len(calls)} calls")
    return tuple(
        replace(judge_case(exercise, expectations.parameters, call, execution, number), call=at)
        for (number, at, call), execution in zip(calls, executions, strict=True)
    )


def one_a_test(scenes: Sequence[JudgedCase]) -> tuple[JudgedCase, ...]:
    """Of each test the first call that is off, else its first call."""
    return tuple(_first_off(group) for group in _by_test(scenes))


def results(scenes: Sequence[JudgedCase]) -> tuple[TestResult, ...]:
    """The result of each test, in the words of the call it is told of; it cost what all did."""
    return tuple(
        replace(
            case_words.result(as_shown(_first_off(group))),
            cpu_ms=sum(as_shown(scene).execution.cpu_ms for scene in group),
        )
        for group in _by_test(scenes)
    )


def _by_test(scenes: Sequence[JudgedCase]) -> list[list[JudgedCase]]:
    return [list(group) for _, group in groupby(scenes, key=lambda scene: scene.number)]


def _first_off(group: Sequence[JudgedCase]) -> JudgedCase:
    return next((s for s in group if s.verdict is not Verdict.ACCEPTED), group[0])
