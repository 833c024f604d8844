"""`mlgrind export`: what was submitted, as a table for a spreadsheet."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from app.classroom.tables import harmless
from app.cli.common import Database, settings_with, stop

if TYPE_CHECKING:
    from app.records import ExportRow

EXAMPLE = "Example: mlgrind export submissions --csv > submissions.csv"
COLUMNS = ("name", "exercise", "verdict", "passed", "total", "time", "hints", "learner", "id")


class What(StrEnum):
    """What can be exported."""

    SUBMISSIONS = "submissions"


def export(
    what: Annotated[What, typer.Argument(help="What to export.")],
    as_csv: Annotated[bool, typer.Option("--csv", help="As comma-separated values.")] = False,
    excel: Annotated[
        bool, typer.Option("--excel", help="Begin with the mark by which Excel knows UTF-8.")
    ] = False,
    database: Database = None,
) -> None:
    """Write one row a submission to standard output: name, exercise, verdict, time, hints.

    Works beside a running server. Cells never start a formula in a spreadsheet.
    """
    if not as_csv:
        stop(f"Say in which form: --csv.\n{EXAMPLE}")
    from app.main import build_store

    store = build_store(settings_with(database=database))
    try:
        out = open(sys.stdout.fileno(), "w", encoding="utf-8", newline="", closefd=False)
        if excel:
            out.write("\ufeff")
        write_csv(store.submissions.export(), out)
        out.flush()
    finally:
        store.close()


def write_csv(rows: Iterable[ExportRow], out: TextIO) -> None:
    """The table with its head line (RFC 4180)."""
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow(
            (
                harmless(row.name),
                harmless(row.exercise),
                row.verdict or "in line",
                row.passed,
                row.total,
                row.created_at.isoformat(timespec="seconds"),
                row.hints,
                row.learner,
                row.submission,
            )
        )
