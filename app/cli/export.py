"""`mlgrind export`: what was submitted, as a table for a spreadsheet."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from app.classroom.tables import harmless
from app.cli.common import Database, open_store, settings_with, stop

if TYPE_CHECKING:
    from app.records import ExportRow

EXAMPLE = "Example: mlgrind export submissions --csv > submissions.csv"
LEARNER_COLUMNS = (
    *("name", "exercise", "accepted", "passed", "total", "submissions", "first_accepted"),
    *("hints", "solution_seen", "learner"),
)
COLUMNS = ("name", "exercise", "verdict", "passed", "total", "time", "hints", "learner", "id")


class What(StrEnum):
    """What can be exported."""

    SUBMISSIONS = "submissions"
    LEARNERS = "learners"


def export(
    what: Annotated[What, typer.Argument(help="What to export.")],
    as_csv: Annotated[bool, typer.Option("--csv", help="As comma-separated values.")] = False,
    excel: Annotated[
        bool, typer.Option("--excel", help="Begin with the mark by which Excel knows UTF-8.")
    ] = False,
    database: Database = None,
) -> None:
    """Write a table to standard output: one row per submission, or per learner and exercise.

    `submissions` has name, exercise, verdict, time, hints; `learners` has name, exercise, the best
    try, how many there were, when it was passed first, and whether the solution was seen before.

    Works beside a running server. Cells never start a formula in a spreadsheet.
    """
    if not as_csv:
        stop(f"Name a format: --csv.\n{EXAMPLE}")

    store = open_store(settings_with(database=database))
    try:
        out = open(sys.stdout.fileno(), "w", encoding="utf-8", newline="", closefd=False)
        if excel:
            out.write("\ufeff")
        write = write_csv if what is What.SUBMISSIONS else write_learners
        write(store.submissions.export(), out)
        out.flush()
    finally:
        store.close()


@dataclass
class _Work:
    """What one learner did on one exercise, as it adds up over submissions, oldest first."""

    row: ExportRow
    tries: int = 0
    first_passed: str = ""

    def add(self, row: ExportRow) -> None:
        """One more submission; those that were our fault, or are in line, do not count."""
        if row.verdict in ("", "grader_error"):
            return
        self.tries += 1
        if row.verdict == "accepted" and not self.first_passed:
            self.first_passed = row.created_at.isoformat(timespec="seconds")
            self.row = row
        elif not self.first_passed and row.passed >= self.row.passed:
            self.row = row


def write_learners(rows: Iterable[ExportRow], out: TextIO) -> None:
    """One row a learner and exercise, with its head line: the first pass, or else the best try."""
    found: dict[tuple[str, str], _Work] = {}
    for row in rows:
        found.setdefault((row.learner, row.exercise), _Work(row)).add(row)
    writer = csv.writer(out)
    writer.writerow(LEARNER_COLUMNS)
    for work in found.values():
        best = work.row
        writer.writerow(
            (
                harmless(best.name),
                harmless(best.exercise),
                "yes" if work.first_passed else "no",
                best.passed,
                best.total,
                work.tries,
                work.first_passed,
                best.hints,
                "yes" if best.solution else "no",
                best.learner,
            )
        )


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
