"""What is decided of one call: how its value differs from the expected one, and its verdict."""

from __future__ import annotations

from app.grading.checker import changed_argument, check
from app.grading.sentences.judged_case import JudgedCase
from app.model import (
    Ended,
    Execution,
    Exercise,
    Mismatch,
    Parameter,
    TestCase,
    Tolerance,
    Verdict,
)

_VERDICTS: dict[Ended, Verdict] = {
    "returned": Verdict.ACCEPTED,
    "raised": Verdict.RUNTIME_ERROR,
    "crashed": Verdict.RUNTIME_ERROR,
    "output_limit": Verdict.OUTPUT_LIMIT,
    "memory_limit": Verdict.MEMORY_LIMIT,
    "time_limit": Verdict.TIME_LIMIT,
    "sleep_limit": Verdict.TIME_LIMIT,
    "killed": Verdict.SANDBOX_KILLED,
    "not_run": Verdict.NOT_RUN,
}


def verdict_of(execution: Execution, is_right: bool) -> Verdict:
    """The verdict of one call: how it ended, and for one that returned whether it is right."""
    if execution.ended == "returned" and not is_right:
        return Verdict.WRONG_ANSWER
    if execution.is_out_of_memory:
        return Verdict.MEMORY_LIMIT
    return _VERDICTS[execution.ended]


def mismatch_of(
    execution: Execution, case: TestCase, tolerance: Tolerance, arguments_unchanged: bool
) -> Mismatch | None:
    """The mismatch of an execution that returned: the value first, then changed arguments."""
    mismatch = check(execution.value, case.expected, tolerance)
    if mismatch is not None or not arguments_unchanged:
        return mismatch
    changed = changed_argument(case.arguments, execution.arguments)
    return None if changed is None else Mismatch("arguments_changed", argument=changed)


def is_right(exercise: Exercise, case: TestCase, execution: Execution) -> bool:
    """Whether one call returned what is expected, by the exercise's own rules."""
    if execution.ended != "returned":
        return False
    tolerance, unchanged = exercise.tolerance, exercise.arguments_unchanged
    return mismatch_of(execution, case, tolerance, unchanged) is None


def judge_case(
    exercise: Exercise,
    parameters: tuple[Parameter, ...],
    case: TestCase,
    execution: Execution,
    number: int,
) -> JudgedCase:
    """Judge one execution: the mismatch of its value, if it returned, and its verdict."""
    mismatch = None
    if execution.ended == "returned":
        mismatch = mismatch_of(execution, case, exercise.tolerance, exercise.arguments_unchanged)
    verdict = verdict_of(execution, mismatch is None)
    return JudgedCase(exercise, parameters, case, execution, mismatch, verdict, number)
