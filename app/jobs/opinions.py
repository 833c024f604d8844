"""A second opinion: a submission whose verdict stands is judged again on another runner.

    the same verdict ▸ agree      another ▸ a third runner ▸ one more look by those that agree
        ▸ odd: one runner was contradicted by two others, and gets no more orders
        ▸ varies: the code gives those runners different verdicts itself
        ▸ undecided: no two agree, no third runner is there, or a limit may be why

Verdicts are compared, and nothing else: processors differ in the last bit. Code can be written to
differ from machine to machine; so a limit convicts no runner, and never more than a third of them
are left out for this.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, NamedTuple

import structlog

from app import metrics
from app.jobs.elsewhere import Case, Elsewhere
from app.jobs.judged_by import JudgedBy
from app.jobs.opinion_rows import OpinionRows
from app.model import Verdict
from app.ports import SandboxFault
from app.ports.runners import RunnerId

log = structlog.get_logger()

Result = Literal["agree", "odd", "varies", "undecided", "not_asked"]

LIMITS = frozenset({Verdict.TIME_LIMIT, Verdict.MEMORY_LIMIT, Verdict.SANDBOX_KILLED})
"""Verdicts that a busy machine may give and an idle one not."""

THREE = 3


class Opinion(NamedTuple):
    """What one runner's run of a submission came to."""

    runner: RunnerId
    verdict: Verdict

    def __str__(self) -> str:
        return f"{self.runner}: {self.verdict.value}"


def odd_one(opinions: Collection[Opinion]) -> Opinion | None:
    """Of three, the one that the two others contradict; None where no two agree, or all do."""
    verdicts = [one.verdict for one in opinions]
    alone = [one for one in opinions if verdicts.count(one.verdict) == 1]
    return alone[0] if len(opinions) == THREE and len(alone) == 1 else None


@dataclass(frozen=True)
class Opinions:
    """Asks twice, and then a third; safe to use from several threads."""

    elsewhere: Elsewhere
    judged_by: JudgedBy
    rows: OpinionRows

    def ask(self, case: Case) -> Result:
        """Ask about one whose verdict stands. Raises LeftFast, StoreAway and psycopg.Error."""
        asked: list[Opinion] = []
        try:
            result = self._ask(case, asked)
        except SandboxFault as fault:  # no other runner is there, or none answered
            result = "undecided" if _differ(asked) else "not_asked"
            log.info("opinion_not_given", submission=case.stored.id, reason=str(fault))
        metrics.SECOND_OPINIONS.labels(result).inc()
        if _differ(asked):
            self.rows.keep(case.stored.id, result, "; ".join(map(str, asked)))
            log.warning("opinions_differ", submission=case.stored.id, result=result)
        return result

    def _ask(self, case: Case, asked: list[Opinion]) -> Result:
        first = _standing(case, self.judged_by.by(case.stored.id))
        if first is None:
            return "not_asked"
        asked.append(first)
        for _ in range(THREE - 1):
            asked.append(self._opinion(case, [one.runner for one in asked]))
            if not _differ(asked):
                return "agree"
        odd = odd_one(asked)
        if odd is None or odd.verdict in LIMITS:
            return "undecided"
        (agreed,) = {one.verdict for one in asked} - {odd.verdict}
        if self._opinion(case, [odd.runner]).verdict is not agreed:
            return "varies"
        detail = f"{odd.verdict.value}, and two others {agreed.value}"
        return "odd" if self.elsewhere.runners.distrust(odd.runner, detail) else "undecided"

    def _opinion(self, case: Case, left_out: Collection[RunnerId]) -> Opinion:
        runner, report = self.elsewhere.judge(case, left_out)
        return Opinion(runner, report.verdict)


def _standing(case: Case, runner: RunnerId | None) -> Opinion | None:
    """The verdict that stands; None where nothing can be said of it."""
    report = case.stored.report
    if runner is None or report is None or report["digest"] != case.exercise.digest:
        return None
    verdict = Verdict(str(report["verdict"]))
    return None if verdict is Verdict.GRADER_ERROR else Opinion(runner, verdict)


def _differ(asked: Collection[Opinion]) -> bool:
    return len({one.verdict for one in asked}) > 1
