"""Jobs about submissions whose verdict stands: second opinions, and what is judged again.

They stand behind everything that anybody waits for. One that can't be done is tried again some
times and then left; it never becomes a fault of ours in a learner's report.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import psycopg
import structlog

from app.jobs.deferring import AGAIN, REGRADE, SECOND
from app.jobs.elsewhere import Case, LeftFast
from app.jobs.grader import Grader, ToSlowQueue, TryAgain
from app.jobs.judging_again import JudgingAgain
from app.jobs.opinions import Opinions
from app.logs import bound
from app.model import Lane, SubmissionId
from app.ports import StoreAway

log = structlog.get_logger()

LATER_S = 30.0
MOST_TRIES = 60
"""Half an hour: a runner that two others contradict may have been the third of three."""


@dataclass(frozen=True)
class Afterwards:
    """What it takes to do them; safe to use from several threads."""

    grader: Grader
    opinions: Opinions
    again: JudgingAgain

    def work(self, what: str, submission: str, lane: Lane, tries: int) -> None:
        """Do one. Raises TryAgain and ToSlowQueue where it is not done with."""
        do: dict[str, Callable[[Case], object]] = {
            SECOND: self.opinions.ask,
            AGAIN: self.again.judge,
        }
        case = self._case(SubmissionId(submission), lane)
        if case is None or what not in do:
            return
        try:
            with bound(submission=submission), self.grader.running.one():
                do[what](case)
        except LeftFast as left:
            raise ToSlowQueue(REGRADE) from left
        except (StoreAway, psycopg.OperationalError, psycopg.InterfaceError):
            raise
        except Exception as error:  # noqa: BLE001 - the edge of a job: whatever it is, it is ours
            self._failed(what, submission, tries, error)

    def _case(self, submission: SubmissionId, lane: Lane) -> Case | None:
        """None where it is gone, has no report yet or its exercise is offered no more."""
        stored = self.grader.store.get(submission)
        exercise = None if stored is None else self.grader.exercise(stored.exercise)
        if stored is None or stored.report is None or exercise is None:
            return None
        return Case(stored, exercise, self.grader.expectations(exercise), lane)

    def _failed(self, what: str, submission: str, tries: int, error: Exception) -> None:
        reason = str(error) or type(error).__name__
        left = what != AGAIN or tries >= MOST_TRIES
        log.warning("afterwards_failed", what=what, submission=submission, reason=reason, left=left)
        if not left:
            raise TryAgain(self.grader.ladder.in_seconds(LATER_S), reason) from error
