"""Lines for named mistakes: what the helpers give with and without each, held against the trace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.expectations.modes import mode_of, sources_of
from app.grading.sentences.named import is_set, set_list
from app.grading.trace.lines import Heard, with_lines
from app.model import (
    Call,
    Exercise,
    Expectations,
    Lane,
    Misconception,
    Order,
    Report,
    TestCase,
    Trace,
    Value,
)
from app.ports import Sandbox


def with_mistake_lines(
    house: Sandbox,
    exercise: Exercise,
    expectations: Expectations,
    report: Report,
    case: TestCase,
    trace: Trace,
) -> Report:
    """The report with a line for each mistake that is named, where the trace tells it.

    One order of the author's files, no learner's code. Raises SandboxFault.
    """
    diagnosis = report.diagnosis
    slugs = {m.slug: m for m in expectations.misconceptions}
    if diagnosis is None or not all(m.misconception in slugs for m in diagnosis.mistakes):
        return report
    known = [slugs[one.misconception] for one in diagnosis.mistakes]
    if not known or not expectations.helpers:
        return report
    heard = _heard(house, exercise, expectations, known, case)
    named = with_lines(exercise, case, trace, diagnosis.mistakes, known, heard)
    lined = replace(diagnosis, mistakes=named)
    if not is_set(diagnosis):
        return replace(report, diagnosis=lined)
    said = report.help.replace(set_list(diagnosis), set_list(lined))
    return replace(report, diagnosis=lined, help=said)


def _heard(
    house: Sandbox,
    exercise: Exercise,
    expectations: Expectations,
    known: Sequence[Misconception],
    case: TestCase,
) -> tuple[Heard, ...]:
    """What the helpers give with all these mistakes in place, then without each of them."""
    modes = [mode_of(one, by_itself=len(known) == 1) for one in known]
    every = tuple(range(len(known)))
    chains = (every, *(tuple(n for n in every if n != left) for left in every))
    sources = sources_of(exercise, expectations.helpers, expectations.parameters, modes)
    call = Call("predicted", (chains, case.arguments))
    ran = house.run(Order(sources, (call,), exercise.limits, Lane.AUTHOR))
    value = ran.executions[0].value if ran.executions else None
    return tuple(_pairs(row) for row in value) if isinstance(value, tuple) else ()


def _pairs(row: Value) -> Heard:
    if not isinstance(row, tuple):
        return ()
    named = zip(row[::2], row[1::2], strict=False)
    return [(name, value) for name, value in named if isinstance(name, str)]
