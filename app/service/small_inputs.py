"""An exercise's draws at work: a small input where code goes wrong, and a random one to try.

Draws are random legal inputs that no test has, so all of them may be shown. The author's `draw` and
the reference run in children of their own, never beside a learner's code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.expectations.author_files import Author
from app.expectations.draws import INPUTS, case, named, number_of, order_source
from app.expectations.stages import stages
from app.grading import judge
from app.grading.decide import is_right
from app.model import (
    Call,
    Exercise,
    Expectations,
    Lane,
    Order,
    Ran,
    Report,
    TestCase,
)
from app.ports import Jails, Sandbox
from app.service.errors import NoDraws
from app.service.tracing import with_trace

MOST_NUMBER = 10**9
"""Draws are numbered from 0 to below this."""

NONE_OFF = (
    "The test that fails needs larger or rarer numbers than these. Its row says what it probes, and"
    " in which rows and columns you are off."
)

FIRST = 64
"""So many of the smallest draws are tried first: most code that is off fails one of them."""


def first_off(
    sandbox: Sandbox,
    exercise: Exercise,
    expectations: Expectations,
    source: bytes,
    draws: Sequence[TestCase],
    lane: Lane,
) -> TestCase | None:
    """The first of these draws on which a source is not right; None where it is right on all.

    Draws that the exercise's limits left no time for do not count. Raises SandboxFault, and
    LeftFastLane where it has to be tried again in the slow lane.
    """
    found = first_off_in_company(sandbox, exercise, expectations, source, draws, lane)
    return None if found is None else found[0]


def first_off_in_company(
    sandbox: Sandbox,
    exercise: Exercise,
    expectations: Expectations,
    source: bytes,
    draws: Sequence[TestCase],
    lane: Lane,
) -> tuple[TestCase, Ran] | None:
    """As `first_off`, and what the code gave there, behind its calls on the draws before it."""
    ran = sandbox.run(judge.order(exercise, expectations, source, draws, lane))
    if ran.left_fast_lane:
        raise LeftFastLane
    for draw, execution in zip(draws, ran.executions, strict=False):
        if execution.ended == "not_run":
            return None
        if not is_right(exercise, draw, execution):
            return draw, replace(ran, executions=(execution,), traces=())
    return None


class LeftFastLane(Exception):
    """The code takes longer than the fast lane gives it."""


def judge_smallest(
    jails: Jails,
    exercise: Exercise,
    expectations: Expectations,
    source: bytes,
    *,
    lane: Lane,
) -> Report | None:
    """The run of a source on the smallest draw where it is off, with trace, as a visible case.

    Where no draw is off, the smallest one, and words that say so. None where it left the fast lane.
    Raises NoDraws and SandboxFault.
    """
    if not expectations.draws:
        raise NoDraws(exercise.slug)
    try:
        draw = None
        for part in (expectations.draws[:FIRST], expectations.draws[FIRST:]):
            draw = draw or first_off(jails.learners, exercise, expectations, source, part, lane)
    except LeftFastLane:
        return None
    report = judge_draw(
        jails, exercise, expectations, source, draw or expectations.draws[0], lane=lane
    )
    if draw is not None or report is None:
        return report
    return replace(
        report,
        message=f"Your code is right on all {len(expectations.draws)} small inputs.",
        help=NONE_OFF,
    )


def judge_draw(
    jails: Jails,
    exercise: Exercise,
    expectations: Expectations,
    source: bytes,
    draw: TestCase,
    *,
    lane: Lane,
) -> Report | None:
    """The run of a source on one draw, traced against the reference's stages on it."""
    shown = with_report_words(draw)
    ran = jails.learners.run(judge.order(exercise, expectations, source, (shown,), lane))
    if ran.left_fast_lane:
        return None
    report = judge.judge_run(exercise, expectations, ran, (shown,), source=source)
    known = _with_stages(jails.house, exercise, expectations, shown)
    return with_trace(jails, exercise, known, source, report, shown.name)


def with_report_words(draw: TestCase) -> TestCase:
    """A draw with the words that a report has for it."""
    return replace(draw, purpose=f"Random input {number_of(draw)}.")


def _with_stages(
    house: Sandbox, exercise: Exercise, expectations: Expectations, draw: TestCase
) -> Expectations:
    """What is known of the exercise with this draw as an example: the reference's stages on it."""
    author = Author(exercise, house)
    found = stages(author, (draw,))
    examples = (*expectations.examples, draw)
    return replace(expectations, examples=examples, stages={**expectations.stages, **found})


def random_case(
    house: Sandbox, exercise: Exercise, expectations: Expectations, number: int
) -> TestCase:
    """The draw of a number, from 0 to below MOST_NUMBER. Raises NoDraws and SandboxFault."""
    if not expectations.draws:
        raise NoDraws(exercise.slug)
    kept = named(expectations, number)
    if kept is not None:
        return kept
    drawn = house.run(
        Order(
            (exercise.source(INPUTS), order_source()),
            (Call("drawn", (number,)),),
            exercise.limits,
            Lane.AUTHOR,
        )
    )
    arguments = drawn.executions[0].value if drawn.executions else None
    if not isinstance(arguments, tuple):
        raise NoDraws(exercise.slug)
    call = Call(exercise.entry_point, arguments)
    order = Order((exercise.source("reference.py"),), (call,), exercise.limits, Lane.AUTHOR)
    answer = house.run(order).executions
    if not answer or answer[0].ended != "returned":
        raise NoDraws(exercise.slug)
    return case(number, arguments, answer[0].value)
