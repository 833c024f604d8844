"""What of a report stands in columns of its own, so that no page of a class reads bodies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from sqlalchemy import Connection, bindparam, delete, insert, select

from app.model import LearnerId, Slug, SubmissionId, Verdict
from app.records import Json
from app.storage.schema import submissions
from app.storage.schema_classes import report_mistakes

_NAMED = (
    select(report_mistakes.c.submission, report_mistakes.c.misconception)
    .join(submissions, submissions.c.id == report_mistakes.c.submission)
    .where(submissions.c.learner == bindparam("who"), submissions.c.exercise == bindparam("slug"))
    .order_by(report_mistakes.c.place)
)


def columns_of(report: Json) -> dict[str, object]:
    """The columns of a report, but for its body and when it was recorded."""
    return {
        "digest": str(report["digest"]),
        "verdict": str(report["verdict"]),
        "passed": report["passed"],
        "total": report["total"],
        "mask": mask_of(report),
    }


def mask_of(report: Json) -> int:
    """Bit i is set where test i is right."""
    tests = cast("list[Mapping[str, object]]", report.get("tests") or [])
    right = Verdict.ACCEPTED.value
    return sum((test.get("verdict") == right) << n for n, test in enumerate(tests))


def mistakes_of(report: Json) -> tuple[str, ...]:
    """The misconceptions a report names: a single one, or each of a set."""
    told = cast("Mapping[str, object]", report.get("diagnosis") or {})
    several = cast("list[Mapping[str, object]]", told.get("mistakes") or [])
    named = several or ([told] if told.get("misconception") else [])
    return tuple(str(one["misconception"]) for one in named)


def mistakes_named(
    connection: Connection, learner: LearnerId, slug: Slug
) -> Mapping[str, list[str]]:
    """The misconceptions that reports of a learner's submissions name, by submission."""
    found: dict[str, list[str]] = {}
    for submission, misconception in connection.execute(_NAMED, {"who": learner, "slug": slug}):
        found.setdefault(submission, []).append(misconception)
    return found


def name_mistakes(connection: Connection, submission: SubmissionId, report: Json) -> None:
    """Keep which misconceptions a report names, in place of an earlier report's."""
    connection.execute(delete(report_mistakes).where(report_mistakes.c.submission == submission))
    for place, misconception in enumerate(mistakes_of(report)):
        connection.execute(
            insert(report_mistakes).values(
                submission=submission, place=place, misconception=misconception
            )
        )
