"""The calls of tests, judged one by one and told as one test each.

A hidden test may hold several calls. All are compared; what is told is of the first that is off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from app.grading.decide import judge_case
from app.grading.sentences import case as case_words
from app.grading.sentences.judged_case import JudgedCase
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
    about = exercise, expectations.parameters
    return tuple(
        _of_test(judge_case(*about, call, execution, number), at)
        for (number, at, call), execution in zip(calls, executions, strict=True)
    )


def _of_test(scene: JudgedCase, at: int | None) -> JudgedCase:
    return scene if at is None else replace(scene, call=at)


def one_a_test(scenes: Sequence[JudgedCase]) -> tuple[JudgedCase, ...]:
    """Of each test the first call that is off, else its first call."""
    return tuple(_first_off(group) for group in _by_test(scenes))


def results(scenes: Sequence[JudgedCase]) -> tuple[TestResult, ...]:
    """The result of each test, in the words of the call it is told of; it cost what all did.

    The scenes are as they are shown.
    """
    return tuple(map(_result, _by_test(scenes)))


def _result(group: Sequence[JudgedCase]) -> TestResult:
    found = case_words.result(_first_off(group))
    if len(group) == 1:
        return found
    return replace(found, cpu_ms=sum(scene.execution.cpu_ms for scene in group))


def _by_test(scenes: Sequence[JudgedCase]) -> list[list[JudgedCase]]:
    return [list(group) for _, group in groupby(scenes, key=lambda scene: scene.number)]


def _first_off(group: Sequence[JudgedCase]) -> JudgedCase:
    return next((s for s in group if s.verdict is not Verdict.ACCEPTED), group[0])
