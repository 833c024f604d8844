"""Which submissions have no report: asked at each start, whatever the table has grown to.

Up to a mark all have one, and are not looked at. It follows a day behind.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, select, update

from app.model import SubmissionId
from app.storage.schema import report_shrinking, reports, submissions

BEHIND = timedelta(days=1)
"""Ids begin with the time they were made at, and clocks may be set back by so much."""

JUDGED = report_shrinking.c.name == "judged"


def unreported(connection: Connection) -> tuple[SubmissionId, ...]:
    """Those without a report, oldest first."""
    mark = connection.execute(select(report_shrinking.c.up_to).where(JUDGED)).scalar() or ""
    query = (
        select(submissions.c.id)
        .outerjoin(reports)
        .where(submissions.c.id >= mark, reports.c.submission.is_(None))
        .order_by(submissions.c.id)
    )
    return tuple(SubmissionId(row.id) for row in connection.execute(query))


def move_mark(connection: Connection) -> None:
    """Note up to where all have a report."""
    reached = min([_first_id(datetime.now(UTC) - BEHIND), *unreported(connection)[:1]])
    connection.execute(
        update(report_shrinking)
        .where(JUDGED, report_shrinking.c.up_to < reached)
        .values(up_to=reached)
    )


def _first_id(at: datetime) -> str:
    """No UUIDv7 made since this time comes before it."""
    digits = f"{int(at.timestamp() * 1000):012x}"
    return f"{digits[:8]}-{digits[8:]}"
