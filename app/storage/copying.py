"""Everything of one database put into another, whichever two they are: in one view, at one stroke.

So a backup is an SQLite file for every database, and a backup on one kind restored on the other is
the move between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, Table, bindparam, func, select, update

from app.storage import schema_classes, schema_lti
from app.storage.database import Database
from app.storage.schema import metadata

ROWS_AT_ONCE = 1_000
TABLES = (schema_classes, schema_lti)
"""The modules whose tables stand in `metadata` once they are loaded."""


def copy(source: Database, target: Database) -> None:
    """Put all rows of one in place of all the other's, both of the newest schema.

    What is written into `source` meanwhile is not in the copy; to others `target` changes at once.
    """
    with source.read() as reading, target.write() as writing:
        for table in reversed(metadata.sorted_tables):
            _clear(writing, table)
        for table in metadata.sorted_tables:
            _fill(reading, writing, table)


def counts(database: Database) -> Mapping[str, int]:
    """How many rows each table has."""
    with database.read() as connection:
        return {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar() or 0
            for table in metadata.sorted_tables
        }


def _clear(connection: Connection, table: Table) -> None:
    """Rows that name others of their own table let go of them first."""
    for column in _own(table):
        connection.execute(update(table).values({column: None}))
    connection.execute(table.delete())


def _fill(reading: Connection, writing: Connection, table: Table) -> None:
    """Rows that name others of their own table do so once all are there."""
    own = _own(table)
    for rows in _rows(reading, table):
        writing.execute(table.insert(), [{**row, **dict.fromkeys(own)} for row in rows])
    if not own:
        return
    (key,) = table.primary_key.columns
    link = (
        update(table)
        .where(key == bindparam("its_key"))
        .values({name: bindparam(f"its_{name}") for name in own})
    )
    for rows in _rows(reading, table):
        linked = [
            {"its_key": row[key.name], **{f"its_{name}": row[name] for name in own}}
            for row in rows
            if any(row[name] is not None for name in own)
        ]
        if linked:
            writing.execute(link, linked)


def _rows(connection: Connection, table: Table) -> Iterator[list[dict[str, Any]]]:
    """All rows, some at a time; the connection goes on seeing what it saw first."""
    options = {"yield_per": ROWS_AT_ONCE}
    result = connection.execute(select(table), execution_options=options)
    for rows in result.mappings().partitions():
        yield [dict(row) for row in rows]


def _own(table: Table) -> list[str]:
    """The columns that name rows of the same table."""
    return [key.parent.name for key in table.foreign_keys if key.column.table is table]
