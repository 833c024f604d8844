"""Reports that were stored before there were parts are made small, a few at a time.

So are the earlier reports of regraded submissions, and those that a regrade keeps aside.
"""

from __future__ import annotations

from sqlalchemy import Connection, Table, Update, func, select, update

from app.model.bounds import STORED_REPORT_BYTES
from app.storage import report_bodies
from app.storage.database import add_once
from app.storage.report_bodies import Packed
from app.storage.schema import report_shrinking, reports
from app.storage.schema_classes import past_reports, regraded
from app.storage.tally import AnyRow

TABLES = (reports, past_reports, regraded)


def shrink_reports(connection: Connection, most: int) -> bool:
    """Make the bodies of up to `most` submissions small, in the order of their ids.

    Returns whether there may be more.
    """
    small: list[tuple[Update, Packed]] = []
    more = any(_pack_some(connection, table, most, small) for table in TABLES)
    parts = {key: text for _, packed in small for key, text in packed.parts.items()}
    report_bodies.keep_parts(connection, parts)
    for change, packed in small:
        connection.execute(change.values(body=packed.text))
    return more


def _pack_some(
    connection: Connection, table: Table, most: int, small: list[tuple[Update, Packed]]
) -> bool:
    """The same in one table: how far it came stands in `report_shrinking` under its name."""
    at = _mark(connection, table)
    if at.up_to >= at.until:
        return False
    next_ones = (
        select(table.c.submission)
        .distinct()
        .where(table.c.submission > at.up_to, table.c.submission <= at.until)
        .order_by(table.c.submission)
        .limit(most)
    )
    names = [row.submission for row in connection.execute(next_ones)]
    bodies = select(*table.primary_key.columns, table.c.body).where(
        table.c.submission.in_(names),
        report_bodies.length(table.c.body) <= STORED_REPORT_BYTES,
    )
    for row in connection.execute(bodies).all():
        if not row.body.startswith(report_bodies.PACKED):
            packed = report_bodies.pack(report_bodies.read(connection, row.body))
            small.append((_change(table, row), packed))
    up_to = names[-1] if len(names) == most else at.until
    mine = report_shrinking.c.name == table.name
    connection.execute(update(report_shrinking).where(mine).values(up_to=up_to))
    return bool(up_to < at.until)


def _mark(connection: Connection, table: Table) -> AnyRow:
    """How far a table is shrunk, and up to where it has to be: what came later is small."""
    query = select(report_shrinking).where(report_shrinking.c.name == table.name)
    found = connection.execute(query.with_for_update()).first()
    if found is not None:
        return found
    last = connection.execute(select(func.max(table.c.submission))).scalar() or ""
    add_once(connection, report_shrinking, name=table.name, up_to="", until=last)
    return connection.execute(query.with_for_update()).one()


def _change(table: Table, row: AnyRow) -> Update:
    """Replaces one body, unless somebody else has in the meantime."""
    same = [column == row._mapping[column.name] for column in table.primary_key.columns]
    return update(table).where(*same, table.c.body == row.body)
