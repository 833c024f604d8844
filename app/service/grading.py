"""From a stored submission to its stored report: the one way, wherever it is judged.

A submission is judged in this process's line or by a dispatcher on another machine; both call this.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import structlog

from app import metrics
from app.logs import bound
from app.model import Exercise, Expectations, Lane, Verdict
from app.ports import Jails, SubmissionStore
from app.records import Json, Submission
from app.report import to_json
from app.service.faults import fault_report
from app.service.judging import judge_submission
from app.service.tracing import with_trace

log = structlog.get_logger()


@dataclass(frozen=True)
class Grading:
    """What it takes: the jails, the submissions, and a clock."""

    jails: Jails
    store: SubmissionStore
    now: Callable[[], datetime]

    def grade(
        self,
        submission: Submission,
        exercise: Exercise,
        expectations: Expectations,
        *,
        see: bool,
        lane: Lane,
    ) -> Json | None:
        """Judge and store the report; None where the code left the fast lane.

        With `see`, the report of one that is off also shows what the code does. Raises
        SandboxFault.
        """
        with bound(submission=submission.id), metrics.GRADE_SECONDS.labels("run").time():
            report = judge_submission(
                self.jails,
                exercise,
                expectations,
                submission.source,
                lane=lane,
                submission=submission.id,
            )
        if report is None:
            return None
        if see and report.verdict is not Verdict.ACCEPTED and lane is Lane.FAST:
            report = with_trace(self.jails, exercise, expectations, submission.source, report)
        return self.record(submission, to_json(report))

    def record(self, submission: Submission, report: Json) -> Json:
        """Store a report, unless there is one; the first stands, but for one of our own fault."""
        now = self.now()
        keep = self.store.record if submission.report is None else self.store.correct
        with metrics.GRADE_SECONDS.labels("record").time():
            kept = keep(submission.id, report, now)
        if kept:
            metrics.VERDICTS.labels(str(report["verdict"])).inc()
            metrics.LATENCY.observe((now - submission.created_at).total_seconds())
        else:
            metrics.VERDICT_CONFLICTS.inc()
            log.warning("report_not_kept", submission=submission.id)
        return report

    def record_fault(
        self,
        submission: Submission,
        exercise: Exercise,
        expectations: Expectations | None,
        error: BaseException,
    ) -> Json:
        """Store a report that says it is our fault, so that nothing is counted."""
        report = fault_report(exercise, expectations, error, submission.id)
        return self.record(submission, report)
