"""One source, one exercise, one report: the way through sandbox and grader, and nothing else.

Used by the line's jobs and by the command line alike, so that both give one and the same report.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import TypeVar

import structlog

from app import metrics
from app.expectations.triples import proved
from app.grading import judge
from app.model import (
    Call,
    Execution,
    Exercise,
    Expectations,
    Lane,
    Order,
    Ran,
    Report,
    SubmissionId,
    TestCase,
)
from app.ports import EagerSandbox, Jails, Sandbox, SandboxFault
from app.service import custom_arguments
from app.service.errors import NoSuchCase
from app.service.tracing import probe_cases

T = TypeVar("T")

log = structlog.get_logger()


def judge_submission(
    jails: Jails,
    exercise: Exercise,
    expectations: Expectations,
    source: bytes,
    *,
    lane: Lane,
    submission: SubmissionId | None = None,
) -> Report | None:
    """Judge a source on the six tests; None where it left the fast lane. Raises SandboxFault.

    In the fast lane the code also runs on a few draws, after the tests: they take no part in the
    verdict, and confirm what is said of a mistake. They are waited for only where something is
    about to be said. Where three known mistakes are suspected, they are put together and run on
    all tests first.
    """
    tests = expectations.tests
    draws = expectations.confirming_draws if lane is Lane.FAST else ()
    order = judge.order(exercise, expectations, source, (*tests, *draws), lane)
    work = partial(_judged, jails.house, exercise, expectations, source, submission)
    return _run_first(jails.learners, order, len(expectations.calls), work)


def _run_first(
    sandbox: Sandbox, order: Order, calls: int, then: Callable[[Ran, Callable[[], Ran]], T]
) -> T:
    """What `then` makes of the first calls, as soon as the sandbox can tell of them."""
    if isinstance(sandbox, EagerSandbox) and calls < len(order.calls):
        return sandbox.run_first(order, calls, then)
    whole = sandbox.run(order)
    return then(replace(whole, executions=whole.executions[:calls]), lambda: whole)


def _judged(
    house: Sandbox,
    exercise: Exercise,
    expectations: Expectations,
    source: bytes,
    submission: SubmissionId | None,
    ran: Ran,
    rest: Callable[[], Ran],
) -> Report | None:
    if ran.left_fast_lane:
        return None

    @cache
    def drawn() -> Sequence[Execution]:
        return _on_draws(rest, len(expectations.calls))

    def judged(known: Expectations) -> Report:
        about = (exercise, known, ran)
        return judge.judge(*about, source=source, submission=submission, drawn=drawn)

    with metrics.GRADE_SECONDS.labels("compare").time():
        report = judged(expectations)
    suspects = judge.suspected(exercise, expectations, ran, report)
    if not suspects:
        return report
    known = expectations if drawn() else replace(expectations, confirming=())
    try:
        known = replace(known, proved=proved(exercise, known, house, suspects))
    except SandboxFault as fault:  # the verdict stands without a name
        log.warning("not_proved", exercise=exercise.slug, reason=str(fault))
        return report
    return judged(known)


def _on_draws(rest: Callable[[], Ran], tests: int) -> Sequence[Execution]:
    """What the code gave on the draws; () where it took too long there, which confirms nothing."""
    try:
        whole = rest()
    except SandboxFault as fault:
        log.warning("not_confirmed", reason=str(fault))
        return ()
    return () if whole.left_fast_lane else whole.executions[tests:]


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
    wanted: str | None = None,
) -> Report | None:
    """Try a source on visible cases; None where it left the fast lane. Raises SandboxFault.

    The report speaks of the case `wanted`, else of the first that is off.
    """
    ran = sandbox.run(judge.order(exercise, expectations, source, cases, lane))
    if ran.left_fast_lane:
        return None
    return judge.judge_run(exercise, expectations, ran, cases, source=source, wanted=wanted)


def judge_custom(
    jails: Jails,
    exercise: Exercise,
    expectations: Expectations,
    source: bytes,
    arguments: str,
    *,
    lane: Lane,
) -> Report | None:
    """Try a source on arguments the learner typed, beside the reference.

    One child turns the text into values (one for each way to read it), then one runs the learner's
    code and another the reference on them; the truth and the learner's code never share a process.
    Raises BadArguments with a sentence, and SandboxFault.
    """
    for order in custom_arguments.orders(exercise, expectations, arguments, lane):
        made = jails.learners.run(order)
        if made.left_fast_lane:
            return None
        if not custom_arguments.is_unread(made):
            break
    values = custom_arguments.values(made, expectations)
    case = TestCase("custom", "", True, values, None)
    ran = jails.learners.run(judge.order(exercise, expectations, source, (case,), lane))
    if ran.left_fast_lane:
        return None
    call = Call(exercise.entry_point, values)
    reference = Order((exercise.source("reference.py"),), (call,), exercise.limits, Lane.AUTHOR)
    return judge.judge_custom(
        exercise, expectations, values, ran, jails.house.run(reference), source=source
    )
