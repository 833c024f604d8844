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
from app.grading.trace.describe import describe_trace
from app.grading.trace.labelled_cells import choose, describe_cells
from app.model import (
    Exercise,
    Expectations,
    Lane,
    ProbeResult,
    Ran,
    Report,
    TestCase,
    Trace,
    Verdict,
)
from app.ports import Sandbox, SandboxFault

log = structlog.get_logger()

OFF = ""
_NOT_SEEN = (Verdict.SYNTAX_ERROR, Verdict.POLICY_ERROR, Verdict.GRADER_ERROR)


def with_sight(
    sandbox: Sandbox,
    exercise: Exercise,
    expectations: Expectations,
    source: bytes,
    report: Report,
    case: TestCase | None,
) -> Report:
    """The report with the shape trace of one case, and the probe where something is off.

    `case` is the case to trace, None for no trace. Never raises: the verdict stands without them.
    """
    return aside(
        "sight", lambda: _seen(sandbox, exercise, expectations, source, report, case), report
    )


def _seen(
    sandbox: Sandbox,
    exercise: Exercise,
    expectations: Expectations,
    source: bytes,
    report: Report,
    case: TestCase | None,
) -> Report:
    if report.verdict in _NOT_SEEN or not any(
        t.verdict is not Verdict.NOT_RUN for t in report.tests
    ):
        return report
    probes = () if report.verdict is Verdict.ACCEPTED else probe_cases(exercise, expectations)
    cases = (*([case] if case else []), *probes)
    ran = _traced(sandbox, exercise, expectations, source, cases)
    if ran is None or len(ran.executions) != len(cases):
        return report
    traces = {one.call: one for one in ran.traces}
    first = traces.get(0)
    shapes = None
    if case is not None and first is not None:
        shapes = aside(
            "trace",
            lambda: describe_trace(exercise, expectations, case, ran.executions[0], first),
            None,
        )
    before = len(cases) - len(probes)

    def chosen() -> ProbeResult | None:
        pictures = _pictures(exercise, expectations, probes, ran, traces, before)
        return choose(pictures)

    return replace(report, trace=shapes, probe=aside("probe", chosen, None))


def traced_case(
    exercise: Exercise, expectations: Expectations, name: str | None
) -> TestCase | None:
    """The case to trace: the exercise's own where none is named, None where it is switched off.

    A name that is no visible case or example gives the exercise's own: what is shown beside a
    report is no reason to refuse it.
    """
    if name == OFF:
        return None
    visible = {c.name: c for c in (*expectations.tests, *expectations.examples) if c.visible}
    return visible.get(name or exercise.trace) or visible.get(exercise.trace)


def probe_cases(exercise: Exercise, expectations: Expectations) -> tuple[TestCase, ...]:
    """The examples that are the exercise's probes."""
    wanted = () if exercise.probe is None else exercise.probe.cases
    return tuple(case for case in expectations.examples if case.name in wanted)


def _traced(
    sandbox: Sandbox,
    exercise: Exercise,
    expectations: Expectations,
    source: bytes,
    cases: Sequence[TestCase],
) -> Ran | None:
    if not cases:
        return None
    order = judge.order(exercise, expectations, source, cases, Lane.FAST)
    try:
        ran = sandbox.run(replace(order, trace=True))
    except SandboxFault as fault:
        log.warning("not_traced", exercise=exercise.slug, reason=str(fault))
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
