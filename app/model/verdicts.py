"""Ids, and the verdicts with their order: the only place that says which of two is worse."""

from __future__ import annotations

from enum import StrEnum
from typing import NewType

Slug = NewType("Slug", str)
SubmissionId = NewType("SubmissionId", str)
LearnerId = NewType("LearnerId", str)

REPORT_FORMAT = 1


class Verdict(StrEnum):
    """What a submission or one of its test cases came to; declared from best to worst."""

    ACCEPTED = "accepted"
    NOT_RUN = "not_run"
    NOT_SHOWN = "not_shown"
    WRONG_ANSWER = "wrong_answer"
    RUNTIME_ERROR = "runtime_error"
    OUTPUT_LIMIT = "output_limit"
    MEMORY_LIMIT = "memory_limit"
    TIME_LIMIT = "time_limit"
    SANDBOX_KILLED = "sandbox_killed"
    POLICY_ERROR = "policy_error"
    SYNTAX_ERROR = "syntax_error"
    GRADER_ERROR = "grader_error"


_SEVERITY = {verdict: rank for rank, verdict in enumerate(Verdict)}


def worst(verdicts: tuple[Verdict, ...]) -> Verdict:
    """The verdict that wins, the one declared last in `Verdict`.

    `not_run` is only ever a case's verdict: some other case carries the reason, so it never wins
    over anything but `accepted`. `not_shown` stands in what a learner is told, never in a report
    that is kept. No verdicts at all is our fault: `grader_error`.
    """
    return max(verdicts, key=_SEVERITY.__getitem__, default=Verdict.GRADER_ERROR)
