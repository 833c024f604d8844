"""Our own faults, told to the learner with an id and to the log with everything."""

from __future__ import annotations

import secrets

import structlog

from app import metrics
from app.catalog import ExerciseErrors
from app.grading import judge
from app.model import Exercise, Expectations, SubmissionId
from app.records import Json
from app.report import to_json
from app.service.expecting import lines

log = structlog.get_logger()


def fault_report(
    exercise: Exercise,
    expectations: Expectations | None,
    error: BaseException,
    submission: SubmissionId | None = None,
) -> Json:
    """A `grader_error` report; its id is in the log beside the reason."""
    error_id = secrets.token_hex(4)
    metrics.GRADER_ERRORS.inc()
    reason = lines(error) if isinstance(error, ExerciseErrors) else repr(error)
    log.error(
        "grader_error",
        error_id=error_id,
        exercise=exercise.slug,
        submission=submission,
        reason=reason,
        exc_info=error,
    )
    return to_json(judge.fault(exercise, expectations, error_id, submission))
