"""Runs: a source tried on visible cases or own arguments; nothing is stored."""

from __future__ import annotations

import threading
from concurrent.futures import Future

from app import metrics
from app.catalog import ExerciseErrors
from app.futures import then
from app.logs import bound, carried
from app.model import Exercise, Expectations, Lane, LearnerId, Report, Slug
from app.ports import Jails, Job, Kind
from app.records import Json, Learner
from app.report import to_json
from app.service.door import Door
from app.service.errors import BadArguments, ExerciseBroken, NoDraws, NoSuchCase, Refused
from app.service.exercises import Exercises
from app.service.expecting import lines
from app.service.faults import fault_report
from app.service.flow import Flow
from app.service.judging import judge_custom, judge_run, visible_cases
from app.service.small_inputs import judge_draw, judge_smallest, random_case
from app.service.tokens import Sequence
from app.service.tracing import with_trace


class Runs:
    """Tries sources; safe to use from several threads."""

    def __init__(
        self, exercises: Exercises, door: Door, flow: Flow, jails: Jails, ids: Sequence
    ) -> None:
        self._exercises = exercises
        self._door = door
        self._flow = flow
        self._jails = jails
        self._ids = ids
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
        draw: int | None = None,
        smallest: bool = False,
        trace: str | None = None,
        live: bool = False,
        address: str = "",
    ) -> Future[Json]:
        """Try a source on all visible cases, on the one named, or on arguments as source text.

        With `draw`, try it on the random input of that number; with `smallest`, on the smallest
        random input where it is off.

        `trace` names the case that the report speaks of and whose shapes are traced: the first
        that is off where it is None, no trace and no probe where it is "". The future gives the
        report as JSON with `"submission": null`, or fails with NoSuchCase, NoDraws, BadArguments
        (one sentence for the learner) or Refused("line_full"). Cancelling it takes the run out of
        the line; a learner's next live run takes the place of the one before.
        Raises NoSuchExercise, ExerciseBroken, Closed and Refused at once.
        """
        who = self._door.learner(learner)
        exercise = self._exercises.get_for(who.id, slug)
        self._door.check_length(source)
        self._exercises.get_sound(slug)
        self._check_open(
            who, slug, own=arguments is not None or draw is not None, smallest=smallest
        )
        if not self._exercises.rulebook.rules(who.id, slug).helps:
            trace = ""
        self._door.check_jail(now=True)
        self._door.admit(who, address, "live" if live else "run", writes=False)

        def judge(expectations: Expectations, lane: Lane) -> Report | None:
            if arguments is not None:
                return judge_custom(
                    self._jails, exercise, expectations, source, arguments, lane=lane
                )
            if smallest:
                return judge_smallest(self._jails, exercise, expectations, source, lane=lane)
            if draw is not None:
                found = random_case(self._jails.house, exercise, expectations, draw)
                return judge_draw(self._jails, exercise, expectations, source, found, lane=lane)
            return self._on_cases(exercise, expectations, source, case, trace, lane)

        turn, marks = self._door.open_run(who, address), carried()

        def job(expectations: Expectations) -> Job[Json]:
            def work(lane: Lane) -> Json | None:
                with bound(**marks):
                    report = judge(expectations, lane)
                return None if report is None else to_json(report)

            kind = Kind.LIVE if live else Kind.RUN
            return Job(self._ids.next(), turn, kind, work)

        queued = self._flow.put_after(self._exercises.expected(exercise), job)
        queued.add_done_callback(_count)
        future = then(queued, lambda done: _report_of(exercise, done))
        self._door.closes_with(turn, address, future)
        if live:
            self._replace_live(who.id, future)
        return future

    def _check_open(self, who: Learner, slug: Slug, *, own: bool, smallest: bool) -> None:
        """Raise Closed for what the learner's class keeps shut."""
        if own:
            self._exercises.check_helps(who.id, slug)
        if smallest:
            self._exercises.check_tells_hidden(who.id, slug)

    def _on_cases(
        self,
        exercise: Exercise,
        expectations: Expectations,
        source: bytes,
        case: str | None,
        trace: str | None,
        lane: Lane,
    ) -> Report | None:
        cases = visible_cases(exercise, expectations, case)
        report = judge_run(
            self._jails.learners, exercise, expectations, source, cases, lane=lane, wanted=trace
        )
        if report is None:
            return None
        return with_trace(self._jails, exercise, expectations, source, report, trace)

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


def _report_of(exercise: Exercise, done: Future[Json]) -> Json:
    """The report; our own fault is told in one; the caller's, the author's and refusals raised."""
    error = done.exception()
    if error is None:
        return done.result()
    if isinstance(error, NoSuchCase | NoDraws | BadArguments | Refused):
        raise error
    if isinstance(error, ExerciseErrors):
        raise ExerciseBroken(exercise.slug, lines(error)) from error
    return fault_report(exercise, None, error)


def _count(done: Future[Json]) -> None:
    metrics.RUNS.labels(_outcome(done)).inc()


def _outcome(done: Future[Json]) -> str:
    if done.cancelled():
        return "cancelled"
    error = done.exception()
    if error is None:
        return "judged"
    if isinstance(error, Refused):
        return error.kind
    theirs = NoSuchCase | NoDraws | BadArguments | ExerciseErrors
    return "refused" if isinstance(error, theirs) else "fault"
