"""`mlgrind shrink`: reports of earlier releases are made small, also while servers run."""

from __future__ import annotations

import typer

from app.cli.common import Database, open_store, settings_with

EXAMPLE = "Example: mlgrind shrink"
STEP = 50


def shrink(database: Database = None) -> None:
    """Make the reports that earlier releases stored small, a few at a time.

    A server on SQLite does it by itself. On PostgreSQL call it once no server of an earlier
    release is left, since those cannot read small reports. It may be stopped and called again.
    """
    store = open_store(settings_with(database=database))
    try:
        while store.submissions.shrink(STEP):
            pass
    finally:
        store.close()
    typer.echo("All reports are small.")
