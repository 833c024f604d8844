"""Reports that were stored before there were parts are made small, a few at a time."""

from __future__ import annotations

from sqlalchemy import Connection, select, update

from app.storage import report_bodies
from app.storage.schema import report_shrinking, reports


def shrink_reports(connection: Connection, most: int) -> bool:
    """Make up to `most` of them small, in the order of their ids; whether there may be more."""
    at = connection.execute(
        select(report_shrinking).where(report_shrinking.c.name == "reports").with_for_update()
    ).first()
    if at is None or at.up_to >= at.until:
        return False
    query = (
        select(reports.c.submission, reports.c.body)
        .where(reports.c.submission > at.up_to, reports.c.submission <= at.until)
        .order_by(reports.c.submission)
        .limit(most)
    )
    rows = connection.execute(query).all()
    for row in rows:
        _shrink(connection, row.submission, row.body)
    up_to = rows[-1].submission if len(rows) == most else at.until
    connection.execute(
        update(report_shrinking).where(report_shrinking.c.name == "reports").values(up_to=up_to)
    )
    return bool(up_to < at.until)


def _shrink(connection: Connection, submission: str, body: str) -> None:
    if body.startswith(report_bodies.PACKED):
        return
    small = report_bodies.keep(connection, report_bodies.read(connection, body))
    same = (reports.c.submission == submission, reports.c.body == body)
    connection.execute(update(reports).where(*same).values(body=small))
