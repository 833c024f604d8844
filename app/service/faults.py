"""Our own faults, told to the learner with an id and to the log with everything; and authors'."""

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
    """A `grader_error` report; its id is in the log beside the reason.

    An exercise whose files fail is its author's fault: its report has no id.
    """
    if isinstance(error, ExerciseErrors):
        log.warning("not_judged", exercise=exercise.slug, submission=submission, why=lines(error))
        return to_json(judge.fault(exercise, expectations, None, submission))
    error_id = secrets.token_hex(4)
    metrics.GRADER_ERRORS.inc()
    log.error(
        "grader_error",
        error_id=error_id,
        exercise=exercise.slug,
        submission=submission,
        reason=repr(error),
        exc_info=error,
    )
    return to_json(judge.fault(exercise, expectations, error_id, submission))
