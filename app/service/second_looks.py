"""A second look at what is accepted: the same source on random legal inputs, behind all else.

A submission that is off on one stays accepted. Its page says so calmly, and the hole in the tests
is kept for the host and the author (`mlgrind holes`). A look that gave way is not made up for.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import datetime

import structlog

from app import metrics
from app.expectations.draws import number_of
from app.grading import judge
from app.model import Exercise, Expectations, Lane, Report
from app.ports import Job, Kind, LookStore, Sandbox
from app.records import Json, SecondLook, Submission
from app.report import to_json
from app.service.exercises import Exercises
from app.service.flow import Flow
from app.service.judging import judge_run
from app.service.small_inputs import LeftFastLane, first_off_in_company, with_report_words
from app.service.telling_draws import telling_draws

log = structlog.get_logger()

KEPT_BETWEEN_CALLS = (
    "Called on this input alone, your code is right; here it was called on others before. Does it"
    " keep something from one call to the next?"
)
SLOW_SHARE = 10
"""Slow code gets as many inputs as fit into this part of its limits."""


@dataclass(frozen=True)
class SmallestDraw:
    """The smallest draw a source is off on, and its result as a report spells it; else None."""

    draw: int | None = None
    test: Json | None = None


class SecondLooks:
    """Looks again, keeps what was seen, and tells it; safe to use from several threads."""

    def __init__(
        self,
        exercises: Exercises,
        flow: Flow,
        looks: LookStore,
        sandbox: Sandbox,
        now: Callable[[], datetime],
    ) -> None:
        self._exercises = exercises
        self._flow = flow
        self._looks = looks
        self._sandbox = sandbox
        self._now = now

    def begin(
        self, submission: Submission, turn: str, exercise: Exercise, expectations: Expectations
    ) -> None:
        """Queue a look at an accepted submission, behind all that anybody waits for."""
        if not expectations.draws:
            return

        def work(lane: Lane) -> Json | None:
            about = (submission, exercise, expectations)
            look = look_at(self._sandbox, *about, lane, self._now)
            if look is None:
                return None
            self._looks.record(look)
            metrics.SECOND_LOOKS.labels("right" if look.draw is None else "off").inc()
            return {"draw": look.draw}

        job = Job(f"look {submission.id}", turn, Kind.SECOND_LOOK, work)
        self._flow.put(job).add_done_callback(_log_failure)

    def get(self, submission: Submission) -> SecondLook | None:
        """What a look saw; None where there was none, not yet, or where a class does not tell."""
        rules = self._exercises.rulebook.rules(submission.learner, submission.exercise)
        return self._looks.get(submission.id) if rules.tells_hidden else None


def look_at(
    sandbox: Sandbox,
    submission: Submission,
    exercise: Exercise,
    expectations: Expectations,
    lane: Lane,
    now: Callable[[], datetime],
) -> SecondLook | None:
    """A look at a submission, to be kept; None where it left the fast lane. Raises SandboxFault."""
    found = look_again(sandbox, exercise, expectations, submission.source, lane)
    if found is None:
        return None
    about = (submission.id, exercise.slug, exercise.digest)
    return SecondLook(*about, now(), found.draw, found.test)


def look_again(
    sandbox: Sandbox, exercise: Exercise, expectations: Expectations, source: bytes, lane: Lane
) -> SmallestDraw | None:
    """What 64 draws say of a source; None where it left the fast lane.

    Slow code gets as many draws as fit into a tenth of its limits; what it prints is dropped.
    Raises SandboxFault.
    """
    tried = exercise if lane is Lane.FAST else _with_a_tenth(exercise)
    draws = telling_draws(exercise, expectations)
    try:
        found = first_off_in_company(sandbox, tried, expectations, source, draws, lane)
    except LeftFastLane:
        return None
    if found is None:
        return SmallestDraw()
    draw, ran = found
    shown = with_report_words(draw)
    report = judge_run(sandbox, tried, expectations, source, (shown,), lane=lane)
    if report is None:
        return None
    if report.passed:
        if ran.executions[0].ended not in ("returned", "raised"):
            return SmallestDraw()
        report = _in_company(judge.judge_run(tried, expectations, ran, (shown,), source=source))
    quiet = replace(report, tests=tuple(replace(test, stdout=None) for test in report.tests))
    (test,) = json.loads(json.dumps(to_json(quiet)["tests"]))
    return SmallestDraw(number_of(draw), test)


def _in_company(report: Report) -> Report:
    """The report on a draw that is right alone, and wrong behind others in one process."""
    (test,) = report.tests
    return replace(report, tests=(replace(test, message=f"{test.message} {KEPT_BETWEEN_CALLS}"),))


def _with_a_tenth(exercise: Exercise) -> Exercise:
    own = exercise.limits
    return replace(
        exercise,
        limits=replace(
            own,
            budget_cpu_s=own.budget_cpu_s / SLOW_SHARE,
            budget_wall_s=own.budget_wall_s / SLOW_SHARE,
        ),
    )


def _log_failure(done: Future[Json]) -> None:
    """Log what kept a look from being made: no caller waits for it who could be told."""
    error = None if done.cancelled() else done.exception()
    if error is not None:
        log.info("no_second_look", reason=str(error))
