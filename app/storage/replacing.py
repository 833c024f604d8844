"""A report that takes the place of one that stands; the other is kept as an earlier grading's."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, insert, select, update

from app.model import SubmissionId
from app.records import Json
from app.storage import report_bodies
from app.storage.database import Database
from app.storage.queueing import its_time, tell
from app.storage.report_columns import columns_of, name_mistakes
from app.storage.schema import reports
from app.storage.schema_classes import past_reports

COLUMNS = ("digest", "verdict", "passed", "total", "mask", "body")


def put_in_place(
    connection: Connection,
    submission: SubmissionId,
    new: Mapping[str, Any],
    at: datetime,
    regrade: str | None = None,
) -> None:
    """Put a report's columns in the place of those that stand, which become a past report."""
    old = connection.execute(select(reports).where(reports.c.submission == submission)).one()
    connection.execute(
        insert(past_reports).values(
            submission=submission,
            grading=old.grading,
            recorded_at=old.recorded_at,
            replaced_at=at,
            regrade=regrade,
            **{name: getattr(old, name) for name in COLUMNS},
        )
    )
    connection.execute(
        update(reports)
        .where(reports.c.submission == submission)
        .values(grading=old.grading + 1, recorded_at=at, **{name: new[name] for name in COLUMNS})
    )
    name_mistakes(connection, submission, report_bodies.read(connection, new["body"]))


def replace_report(
    database: Database, submission: SubmissionId, report: Json, at: datetime
) -> bool:
    """Replace the report that stands; false where there is none. Raises StoreAway."""
    packed = report_bodies.pack(report)
    with database.write() as connection:
        there = select(reports.c.submission).where(reports.c.submission == submission)
        if connection.execute(there.with_for_update()).first() is None:
            return False
        columns = {**columns_of(report), "body": report_bodies.keep(connection, packed)}
        here = connection.dialect.name == "sqlite"
        put_in_place(connection, submission, columns, at if here else its_time(connection))
        tell(connection, submission)
        return True
