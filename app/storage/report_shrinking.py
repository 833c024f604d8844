"""Reports that were stored before there were parts are made small, a few at a time.

So are the earlier reports of regraded submissions, and those that a regrade keeps aside. Packing
takes many times what writing does, so it is done before the transaction in which it is written:
no write of others waits for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, Table, Update, func, select, update

from app.model.bounds import STORED_REPORT_BYTES
from app.storage import report_bodies
from app.storage.database import add_once
from app.storage.report_bodies import Packed
from app.storage.schema import report_shrinking, reports
from app.storage.schema_classes import past_reports, regraded
from app.storage.tally import AnyRow

TABLES = (reports, past_reports, regraded)


@dataclass(frozen=True)
class PackedReports:
    """The next reports of a table, packed: those after `since`, up to `up_to` of `until`."""

    table: Table
    since: str
    up_to: str
    until: str
    small: tuple[tuple[Update, Packed], ...]


def pack_next(connection: Connection, most: int) -> tuple[PackedReports, ...]:
    """Pack up to `most` submissions of each table, up to the first that has more; only reads."""
    return tuple(_steps(connection, most))


def write_packed(connection: Connection, steps: tuple[PackedReports, ...]) -> bool:
    """Write what was packed, and how far it came. Returns whether there may be more."""
    small = [change for step in steps for change in step.small]
    parts = {key: text for _, packed in small for key, text in packed.parts.items()}
    report_bodies.keep_parts(connection, parts)
    for change, packed in small:
        connection.execute(change.values(body=packed.text))
    for step in steps:
        _move(connection, step)
    return any(step.up_to < step.until for step in steps)


def _steps(connection: Connection, most: int) -> Iterator[PackedReports]:
    for table in TABLES:
        mark = _mark(connection, table)
        if mark is not None and mark.up_to >= mark.until:
            continue
        since, until = ("", _last(connection, table)) if mark is None else (mark.up_to, mark.until)
        step = _packed(connection, table, since, until, most)
        yield step
        if step.up_to < until:
            return


def _packed(
    connection: Connection, table: Table, since: str, until: str, most: int
) -> PackedReports:
    next_ones = (
        select(table.c.submission)
        .distinct()
        .where(table.c.submission > since, table.c.submission <= until)
        .order_by(table.c.submission)
        .limit(most)
    )
    names = [row.submission for row in connection.execute(next_ones)]
    bodies = select(*table.primary_key.columns, table.c.body).where(
        table.c.submission.in_(names),
        report_bodies.length(table.c.body) <= STORED_REPORT_BYTES,
    )
    small = tuple(
        (_change(table, row), report_bodies.pack(report_bodies.read(connection, row.body)))
        for row in connection.execute(bodies).all()
        if not row.body.startswith(report_bodies.PACKED)
    )
    return PackedReports(table, since, names[-1] if len(names) == most else until, until, small)


def _mark(connection: Connection, table: Table) -> AnyRow | None:
    """How far a table is shrunk, and up to where it has to be: what came later is small."""
    query = select(report_shrinking).where(report_shrinking.c.name == table.name)
    return connection.execute(query).first()


def _last(connection: Connection, table: Table) -> str:
    return str(connection.execute(select(func.max(table.c.submission))).scalar() or "")


def _move(connection: Connection, step: PackedReports) -> None:
    """Note how far it came, unless somebody else came further in the meantime."""
    name = step.table.name
    add_once(connection, report_shrinking, name=name, up_to="", until=step.until)
    mine = (report_shrinking.c.name == name, report_shrinking.c.up_to == step.since)
    connection.execute(update(report_shrinking).where(*mine).values(up_to=step.up_to))


def _change(table: Table, row: AnyRow) -> Update:
    """Replaces one body, unless somebody else has in the meantime."""
    same = [column == row._mapping[column.name] for column in table.primary_key.columns]
    return update(table).where(*same, table.c.body == row.body)
