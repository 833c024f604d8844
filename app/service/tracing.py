"""What the code does, shown beside a report: one more run, traced, that no verdict ever hears of.

It has a child and limits of its own. Where it fails, takes too long or is our own fault, the report
goes out without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import structlog

from app.grading import judge
from app.grading.aside import aside
from app.grading.endless import with_slow_loop
from app.grading.sentences import headline
from app.grading.trace.describe import describe_trace
from app.grading.trace.labelled_cells import choose, describe_cells
from app.model import (
    Exercise,
    Expectations,
    Lane,
    Order,
    ProbeResult,
    Ran,
    Report,
    ShapeTrace,
    TestCase,
    Trace,
    Verdict,
)
from app.ports import Jails, Sandbox, SandboxFault
from app.service.mistake_lines import with_mistake_lines

log = structlog.get_logger()

OFF = ""
SLOW_LOOK_S = 0.4
"""CPU of one more look at code that took too long: several times what its trace may use."""

_NOT_SEEN = (Verdict.SYNTAX_ERROR, Verdict.POLICY_ERROR, Verdict.GRADER_ERROR)


def with_trace(
    jails: Jails,
    exercise: Exercise,
    expectations: Expectations,
    source: bytes,
    report: Report,
    trace: str | None = None,
) -> Report:
    """The report with the shape trace of its subject, and the probe where something is off.

    `trace` is "" where nothing of all that is to be shown, else it names the case to trace where
    every case passes. Never raises: the verdict stands without them.
    """
    if report.verdict in _NOT_SEEN or all(t.verdict is Verdict.NOT_RUN for t in report.tests):
        return report
    if trace == OFF:
        return report
    return aside(
        "trace", lambda: _seen(jails, exercise, expectations, source, report, trace), report
    )


def _seen(
    jails: Jails,
    exercise: Exercise,
    expectations: Expectations,
    source: bytes,
    report: Report,
    trace: str | None,
) -> Report:
    traced = traced_case(exercise, expectations, report.subject, trace)
    certain = traced_case(exercise, expectations, None, None)
    timed_out = _timed_out(report)
    quiet = report.verdict is Verdict.ACCEPTED or timed_out
    probes = () if quiet else probe_cases(exercise, expectations)
    shown = [case for case in (certain, traced) if case is not None]
    if traced is certain or timed_out:  # more than one slow call is beyond the fast lane
        shown = shown[-1:]
    look = _slow_look if timed_out else _look
    ran = _traced(jails.learners, look(exercise, expectations, source, (*shown, *probes)))
    if ran is None or len(ran.executions) != len(shown) + len(probes):
        return report
    traces = {one.call: one for one in ran.traces}

    def described() -> list[ShapeTrace | None]:
        """The certain case first: what is said of the other is read by it."""
        found: list[ShapeTrace | None] = []
        for at, case in enumerate(shown):
            guide, one = (found[0] if found else None), traces.get(at)
            seen = None
            if one is not None:
                execution = ran.executions[at]
                seen = describe_trace(exercise, expectations, case, execution, one, guide)
            found.append(seen)
        return found

    def chosen() -> ProbeResult | None:
        return choose(_pictures(exercise, expectations, probes, ran, traces, len(shown)))

    nothing: list[ShapeTrace | None] = []
    found = aside("trace", described, nothing)
    about = next((one for one in found if one and one.case == report.subject), None)
    worded = report if about is None else headline.with_trace(report, about)
    if about is not None:
        slow = worded
        worded = aside("slow_loop", lambda: with_slow_loop(slow, source, about), worded)
    visible = found[-1] if found else None
    if certain is not None and not timed_out and (trace_of := traces.get(0)) is not None:
        worded = _lined(jails.house, exercise, expectations, worded, certain, trace_of)
    return replace(worded, trace=visible, probe=aside("probe", chosen, None))


def _timed_out(report: Report) -> bool:
    """Whether the subject took too long, so that there is no more to see than where."""
    subject = (test for test in report.tests if test.name == report.subject)
    return any(test.verdict is Verdict.TIME_LIMIT for test in subject)


def _lined(
    house: Sandbox,
    exercise: Exercise,
    expectations: Expectations,
    report: Report,
    case: TestCase,
    trace: Trace,
) -> Report:
    return aside(
        "lines",
        lambda: with_mistake_lines(house, exercise, expectations, report, case, trace),
        report,
    )


def traced_case(
    exercise: Exercise, expectations: Expectations, subject: str | None, name: str | None
) -> TestCase | None:
    """The case to trace: the report's subject, if that is visible, else the one that is named.

    Any other name gives the exercise's own: what is shown beside a report is no reason to refuse.
    """
    cases = (*expectations.tests, *expectations.examples)
    visible = {case.name: case for case in cases if case.visible}
    wanted = (visible.get(one or "") for one in (subject, name, exercise.trace))
    return next((case for case in wanted if case is not None), None)


def probe_cases(exercise: Exercise, expectations: Expectations) -> tuple[TestCase, ...]:
    """The examples that are the exercise's probes."""
    wanted = () if exercise.probe is None else exercise.probe.cases
    return tuple(case for case in expectations.examples if case.name in wanted)


def _look(
    exercise: Exercise, expectations: Expectations, source: bytes, cases: Sequence[TestCase]
) -> Order:
    order = judge.order(exercise, expectations, source, cases, Lane.FAST)
    return replace(order, trace=True)


def _slow_look(
    exercise: Exercise, expectations: Expectations, source: bytes, cases: Sequence[TestCase]
) -> Order:
    """The same for code that took too long: to its first noted lines and no further."""
    order = judge.order(exercise, expectations, source, cases, Lane.SLOW)
    limits = replace(order.limits, cpu_s=SLOW_LOOK_S, budget_cpu_s=SLOW_LOOK_S)
    return replace(order, trace=True, limits=limits)


def _traced(sandbox: Sandbox, order: Order) -> Ran | None:
    if not order.calls:
        return None
    try:
        ran = sandbox.run(order)
    except SandboxFault as fault:
        log.warning("not_traced", reason=str(fault))
        return None
    return None if ran.left_fast_lane and not ran.traces else ran


def _pictures(
    exercise: Exercise,
    expectations: Expectations,
    probes: Sequence[TestCase],
    ran: Ran,
    traces: dict[int, Trace],
    before: int,
) -> list[ProbeResult]:
    """Up to the first that shows something moved."""
    found: list[ProbeResult] = []
    for at, case in enumerate(probes, before):
        one = describe_cells(exercise, expectations, case, ran.executions[at], traces.get(at))
        found += [] if one is None else [one]
        if one is not None and one.shows_something:
            break
    return found
