"""What a runner that is no longer believed has judged, judged again by others.

A verdict that differs takes the other's place, which is kept as that of an earlier grading; one
that is the same stands as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import psycopg
import structlog

from app.jobs.deferring import AGAIN, Deferring
from app.jobs.elsewhere import Case, Elsewhere
from app.jobs.judged_by import JudgedBy
from app.jobs.queue_tables import address
from app.model import SubmissionId, Verdict
from app.ports import SubmissionStore
from app.report import to_json

log = structlog.get_logger()

_OF_RUNNER = """
SELECT report.submission FROM public.reports report
LEFT JOIN judged_by ON judged_by.submission = report.submission
WHERE report.recorded_at > now() - make_interval(secs => %(since)s)
    AND (judged_by.submission IS NULL OR judged_by.name = %(runner)s
        OR judged_by.address = %(runner)s)
ORDER BY report.submission
"""


@dataclass(frozen=True)
class JudgingAgain:
    """Judges one again on another runner; safe to use from several threads."""

    elsewhere: Elsewhere
    judged_by: JudgedBy
    store: SubmissionStore
    now: Callable[[], datetime]

    def judge(self, case: Case) -> Verdict:
        """What it comes to now. Raises LeftFast, SandboxFault, StoreAway and psycopg.Error."""
        before = self.judged_by.by(case.stored.id)
        left_out = () if before is None else (before,)
        runner, report = self.elsewhere.judge(case, left_out)
        stood = None if case.stored.report is None else case.stored.report["verdict"]
        if report.verdict != stood:
            self.store.replace(case.stored.id, to_json(report), self.now())
            log.warning(
                "verdict_replaced", submission=case.stored.id, was=stood, verdict=report.verdict
            )
        self.judged_by.note(case.stored.id, runner, ask=False)
        return report.verdict


def judge_again(url: str, runner: str, since_s: float) -> int:
    """Defer all that a runner has judged in the last seconds; how many. Raises psycopg.Error.

    `runner` is its name or its address. What is not known to be another's is judged again, too.
    """
    deferring = Deferring()
    with psycopg.connect(address(url)) as connection:
        asked = {"runner": runner, "since": since_s}
        found = [row[0] for row in connection.execute(_OF_RUNNER, asked).fetchall()]
        for submission in found:
            deferring.defer_later(connection, SubmissionId(submission), AGAIN)
    return len(found)
