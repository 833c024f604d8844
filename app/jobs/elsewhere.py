"""Judging a submission once more on other runners than those it was judged by."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from app.model import Exercise, Expectations, Lane, Report
from app.ports import KIND, Jails, Kind, Sandbox
from app.ports.runners import ANSWERED_BY, RunnerId, Runners
from app.records import Submission
from app.service.judging import judge_submission


class LeftFast(Exception):
    """The code left the fast lane: it is judged once more in the slow one."""


@dataclass(frozen=True)
class Case:
    """A submission whose report stands, and what it is judged by."""

    stored: Submission
    exercise: Exercise
    expectations: Expectations
    lane: Lane


@dataclass(frozen=True)
class Elsewhere:
    """Judges behind all that anybody waits for; safe to use from several threads."""

    runners: Runners
    house: Sandbox

    def judge(self, case: Case, left_out: Collection[RunnerId]) -> tuple[RunnerId, Report]:
        """Which runner it was judged by, and the report, which is not stored.

        Raises LeftFast, and SandboxFault where no other runner is there.
        """
        answered: list[RunnerId] = []
        noting = ANSWERED_BY.set(answered)
        kind = KIND.set(Kind.SECOND_LOOK)  # it leaves a place of each runner free
        try:
            jails = Jails(self.runners.without(left_out), self.house)
            about = (case.exercise, case.expectations, case.stored.source)
            report = judge_submission(jails, *about, lane=case.lane, submission=case.stored.id)
        finally:
            KIND.reset(kind)
            ANSWERED_BY.reset(noting)
        if report is None:
            raise LeftFast
        return answered[0], report
