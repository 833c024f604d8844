"""How a submission is read with its source and its report."""

from __future__ import annotations

import hashlib
from typing import Any

from sqlalchemy import Connection, Row, Select, select

from app.model import REPORT_FORMAT, LearnerId, Slug, SubmissionId
from app.records import Json, Submission
from app.storage import report_bodies
from app.storage.schema import reports, sources, submissions


def whole() -> Select[Any]:
    """The query of submissions with their sources and reports."""
    return (
        select(
            submissions.c.id,
            submissions.c.learner,
            submissions.c.exercise,
            submissions.c.created_at,
            sources.c.text,
            reports.c.verdict,
            reports.c.passed,
            reports.c.total,
            reports.c.digest,
            report_bodies.length(reports.c.body).label("length"),
            report_bodies.within(reports.c.body).label("body"),
        )
        .join(sources, sources.c.hash == submissions.c.source)
        .outerjoin(reports, reports.c.submission == submissions.c.id)
    )


def submission_of(connection: Connection, row: Row[Any]) -> Submission:
    """The submission of a row that `whole` gave."""
    return Submission(
        SubmissionId(row.id),
        LearnerId(row.learner),
        Slug(row.exercise),
        row.text,
        row.created_at,
        None if row.length is None else _report(connection, row),
    )


def _report(connection: Connection, row: Row[Any]) -> Json:
    """The report of a row; in place of one that is too long, what is known of it."""
    if row.body is not None:
        return report_bodies.read(connection, row.body)
    return {
        "format": REPORT_FORMAT,
        "submission": row.id,
        "exercise": row.exercise,
        "digest": row.digest,
        "verdict": row.verdict,
        "passed": row.passed,
        "total": row.total,
        "tests": [],
        "message": f"This report takes {row.length / 1e6:.0f} MB, more than is loaded today.",
        "help": "Submit the code again: reports are short now, and say the same.",
    }


def by_key(
    connection: Connection, learner: LearnerId, slug: Slug, source: bytes, key: str
) -> Submission | None:
    """The submission stored before under a key, if any."""
    query = whole().where(
        submissions.c.learner == learner,
        submissions.c.exercise == slug,
        submissions.c.source == hashlib.sha256(source).digest(),
        submissions.c.idempotency_key == key,
    )
    row = connection.execute(query).first()
    return None if row is None else submission_of(connection, row)
