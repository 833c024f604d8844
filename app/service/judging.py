"""One source, one exercise, one report: the way through sandbox and grader, and nothing else.

Used by the line's jobs and by the command line alike, so that both give one and the same report.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.grading import grader
from app.model import (
    Call,
    Execution,
    Exercise,
    Expectations,
    Lane,
    Order,
    Ran,
    Report,
    Source,
    SubmissionId,
    TestCase,
    Value,
)
from app.ports import Sandbox
from app.service.errors import BadArguments, NoSuchCase
from app.service.seeing import probe_cases

ARGUMENT_BYTES = 4 * 1024
"""Custom arguments are typed by hand; what is longer is code in the wrong place."""


def judge_submission(
    sandbox: Sandbox,
    exercise: Exercise,
    expectations: Expectations,
    source: bytes,
    *,
    lane: Lane,
    submission: SubmissionId | None = None,
) -> Report | None:
    """Judge a source on the six tests; None where it left the fast lane. Raises SandboxFault."""
    order = grader.order(exercise, expectations, source, expectations.tests, lane)
    ran = sandbox.run(order)
    if ran.left_fast_lane:
        return None
    return grader.judge(exercise, expectations, ran, source=source, submission=submission)


def visible_cases(
    exercise: Exercise, expectations: Expectations, name: str | None = None
) -> tuple[TestCase, ...]:
    """What a run is tried on: the visible tests and the examples, or one of them by name.

    Probes are tried only where they are named. Raises NoSuchCase, also for a hidden test's name.
    """
    cases = (*(t for t in expectations.tests if t.visible), *expectations.examples)
    if name is None:
        probes = probe_cases(exercise, expectations)
        return tuple(case for case in cases if not any(case is probe for probe in probes))
    chosen = tuple(case for case in cases if case.name == name)
    if not chosen:
        raise NoSuchCase(name)
    return chosen


def judge_run(
    sandbox: Sandbox,
    exercise: Exercise,
    expectations: Expectations,
    source: bytes,
    cases: Sequence[TestCase],
    *,
    lane: Lane,
) -> Report | None:
    """Try a source on visible cases; None where it left the fast lane. Raises SandboxFault."""
    ran = sandbox.run(grader.order(exercise, expectations, source, cases, lane))
    if ran.left_fast_lane:
        return None
    return grader.judge_run(exercise, expectations, ran, cases, source=source)


def judge_custom(
    sandbox: Sandbox,
    exercise: Exercise,
    expectations: Expectations,
    source: bytes,
    arguments: str,
    *,
    lane: Lane,
) -> Report | None:
    """Try a source on arguments the learner typed, beside the reference.

    Three children: one turns the text into values, then one runs the learner's code and another
    the reference on them; the truth and the learner's code never share a process.
    Raises BadArguments with a sentence, and SandboxFault.
    """
    made = sandbox.run(_arguments_order(exercise, arguments, lane))
    if made.left_fast_lane:
        return None
    values = _arguments(made, expectations)
    case = TestCase("custom", "", True, values, None)
    ran = sandbox.run(grader.order(exercise, expectations, source, (case,), lane))
    if ran.left_fast_lane:
        return None
    call = Call(exercise.entry_point, values)
    reference = Order((exercise.source("reference.py"),), (call,), exercise.limits, Lane.AUTHOR)
    return grader.judge_custom(
        exercise, expectations, values, ran, sandbox.run(reference), source=source
    )


def _arguments_order(exercise: Exercise, text: str, lane: Lane) -> Order:
    source = text.encode("utf-8", "surrogatepass")
    if len(source) > ARGUMENT_BYTES:
        raise BadArguments(f"Arguments can be up to {ARGUMENT_BYTES:,} bytes of text.")
    if not source.strip():
        raise BadArguments("Type the arguments, separated by commas.")
    wrapped = b"import numpy as np\ndef arguments():\n    return (\n" + source + b"\n)\n"
    call = Call("arguments", ())
    return Order((Source("arguments", wrapped),), (call,), exercise.limits, lane)


def _arguments(made: Ran, expectations: Expectations) -> tuple[Value, ...]:
    """The values of typed arguments. Raises BadArguments where there are none to use."""
    if made.problems:
        problem = made.problems[0]
        told = problem.message if problem.kind == "policy" else "separate them as in a call."
        raise BadArguments(f"These arguments can't be read: {told}")
    execution = made.executions[0] if made.executions else made.loading
    if execution.ended != "returned":
        raise BadArguments(_why(execution))
    made_value = execution.value
    values = made_value if isinstance(made_value, tuple) else (made_value,)
    names = [parameter.name for parameter in expectations.parameters]
    needed = sum(parameter.default is None for parameter in expectations.parameters)
    if not needed <= len(values) <= len(names):
        raise BadArguments(
            f"The function takes {len(names)} arguments ({', '.join(names)}); "
            f"here {'is' if len(values) == 1 else 'are'} {len(values)}."
        )
    return values


def _why(execution: Execution) -> str:
    if execution.raised is not None:
        return f"These arguments raise {execution.raised.type}: {execution.raised.message}"
    return f"These arguments can't be used ({execution.ended.replace('_', ' ')})."
