"""Runs: a source tried on visible cases or own arguments; nothing is stored."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future

from app import metrics
from app.model import Exercise, Expectations, Lane, LearnerId, Report, Slug
from app.ports import Job, Kind, LineFull
from app.records import Json
from app.report import to_json
from app.service.door import Core, Parts
from app.service.errors import BadArguments, ExerciseBroken, NoSuchCase, Refused
from app.service.faults import fault_report
from app.service.futures import fail, pass_on, succeed
from app.service.judging import judge_custom, judge_run, visible_cases
from app.service.tracing import traced_case, with_sight


class Running(Core):
    """The use cases around runs."""

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        self._live: dict[LearnerId, Future[Json]] = {}
        self._live_lock = threading.Lock()

    def run(
        self,
        learner: LearnerId,
        slug: Slug,
        source: bytes,
        *,
        case: str | None = None,
        arguments: str | None = None,
        trace: str | None = None,
        live: bool = False,
        address: str = "",
    ) -> Future[Json]:
        """Try a source on all visible cases, on the one named, or on arguments as source text.

        `trace` names the case whose shapes are traced: the exercise's own where it is None, no
        trace where it is "". The future gives the report as JSON with `"submission": null`, or
        fails with NoSuchCase, BadArguments (one sentence for the learner) or Refused("line_full").
        Cancelling it takes the run out of the line; a learner's next live run takes the place of
        the one before.
        Raises NoSuchExercise, ExerciseBroken and Refused at once.
        """
        exercise = self.exercise(slug)
        self._check_length(source)
        who = self.learner(learner)
        complaints = self._parts.expecting.complaints(slug)
        if complaints:
            raise ExerciseBroken(slug, complaints)
        self._check_wall()
        self._admit(who, address, "live" if live else "run", writes=False)

        def judge(expectations: Expectations, lane: Lane) -> Report | None:
            sandbox = self._parts.sandbox
            if arguments is not None:
                return judge_custom(sandbox, exercise, expectations, source, arguments, lane=lane)
            cases = visible_cases(exercise, expectations, case)
            report = judge_run(sandbox, exercise, expectations, source, cases, lane=lane)
            if report is None:
                return None
            traced = traced_case(exercise, expectations, trace)
            return with_sight(sandbox, exercise, expectations, source, report, traced)

        kind = Kind.LIVE if live else Kind.RUN
        future = self._in_line(exercise, self._turn(who, address), kind, judge)
        if live:
            self._replace_live(who.id, future)
        return future

    def _in_line(
        self,
        exercise: Exercise,
        turn: str,
        kind: Kind,
        judge: Callable[[Expectations, Lane], Report | None],
    ) -> Future[Json]:
        """Queue a judgement for when the exercise's expectations are there."""

        def work(expectations: Expectations, lane: Lane) -> Json | None:
            report = judge(expectations, lane)
            return None if report is None else to_json(report)

        inner = self._when_expected(exercise, turn, kind, work)
        outer: Future[Json] = Future()
        inner.add_done_callback(lambda done: self._tell(exercise, done, outer))
        outer.add_done_callback(lambda done: done.cancelled() and inner.cancel())
        return outer

    def _when_expected(
        self,
        exercise: Exercise,
        turn: str,
        kind: Kind,
        work: Callable[[Expectations, Lane], Json | None],
    ) -> Future[Json]:
        """A future for work that needs expectations first, and the line after them."""
        result: Future[Json] = Future()

        def expected(done: Future[Expectations]) -> None:
            error = None if done.cancelled() else done.exception()
            if done.cancelled() or result.cancelled():
                result.cancel()
            elif error is not None:
                fail(result, error)
            else:
                self._put(turn, kind, lambda lane: work(done.result(), lane), result)

        self._parts.expecting.get(exercise).add_done_callback(expected)
        return result

    def _put(
        self, turn: str, kind: Kind, work: Callable[[Lane], Json | None], result: Future[Json]
    ) -> None:
        try:
            queued = self._parts.line.put(Job(self._ids.next(), turn, kind, work))
        except LineFull as full:
            fail(result, full)
            return
        queued.add_done_callback(lambda done: pass_on(done, result))
        result.add_done_callback(lambda done: done.cancelled() and queued.cancel())

    def _tell(self, exercise: Exercise, done: Future[Json], outer: Future[Json]) -> None:
        """Pass a report on; turn what went wrong into words for whom it concerns."""
        error = None if done.cancelled() else done.exception()
        outcome = "cancelled" if done.cancelled() else "judged"
        if isinstance(error, LineFull):
            outcome = "line_full"
            fail(outer, self._refused("line_full", 2, "The line is full. We try again shortly."))
        elif isinstance(error, NoSuchCase | BadArguments | Refused):
            outcome = "refused"
            fail(outer, error)
        elif error is not None:
            outcome = "fault"
            succeed(outer, fault_report(exercise, None, error))
        else:
            pass_on(done, outer)
        metrics.RUNS.labels(outcome).inc()

    def _replace_live(self, learner: LearnerId, future: Future[Json]) -> None:
        with self._live_lock:
            before = self._live.get(learner)
            self._live[learner] = future
        if before is not None:
            before.cancel()
        future.add_done_callback(lambda done: self._live_done(learner, done))

    def _live_done(self, learner: LearnerId, done: Future[Json]) -> None:
        with self._live_lock:
            if self._live.get(learner) is done:
                del self._live[learner]
