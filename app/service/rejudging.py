"""Submissions that ended in our own fault, judged again once the fault is mended."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from app.catalog import ExerciseErrors
from app.model import Exercise, Expectations, Lane, Slug, SubmissionId, Verdict
from app.ports import Jails, SandboxFault, SubmissionStore
from app.records import Submission
from app.report import to_json
from app.service.judging import judge_submission
from app.service.tracing import with_trace


@dataclass(frozen=True)
class Rejudged:
    """What became of one: its new verdict, or None and why it stays as it is."""

    submission: SubmissionId
    exercise: Slug
    verdict: Verdict | None
    why: str = ""


@dataclass(frozen=True)
class Rejudging:
    """What it takes: the submissions, the jails, and the exercises as they are now."""

    store: SubmissionStore
    jails: Jails
    exercise: Callable[[Slug], Exercise | None]
    expectations: Callable[[Exercise], Expectations]
    now: Callable[[], datetime]

    def faults(self) -> Iterator[Rejudged]:
        """Judge every fault of ours again, oldest first; a report that stands is never touched."""
        for submission in self.store.faults():
            stored = self.store.get(submission)
            if stored is not None:
                yield self._again(stored)

    def _again(self, stored: Submission) -> Rejudged:
        exercise = self.exercise(stored.exercise)
        if exercise is None:
            return Rejudged(stored.id, stored.exercise, None, "its exercise is offered no more")
        try:
            verdict = self._verdict(stored, exercise)
        except (ExerciseErrors, SandboxFault) as error:
            return Rejudged(stored.id, stored.exercise, None, str(error))
        return Rejudged(stored.id, stored.exercise, verdict)

    def _verdict(self, stored: Submission, exercise: Exercise) -> Verdict:
        expectations = self.expectations(exercise)
        seen = (self.jails, exercise, expectations, stored.source)
        report = judge_submission(*seen, lane=Lane.SLOW, submission=stored.id)
        if report is None:
            raise SandboxFault("no report")
        if report.verdict is not Verdict.ACCEPTED:
            report = with_trace(*seen, report)
        self.store.correct(stored.id, to_json(report), self.now())
        return report.verdict
