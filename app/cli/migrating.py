"""`mlgrind migrate`: bring the database up to date, before the new release's processes start."""

from __future__ import annotations

from app.cli.common import Database, open_store, our_faults, settings_with

EXAMPLE = "Example, once for all machines: MLGRIND_DATABASE=postgresql://db/grind mlgrind migrate"


def migrate(database: Database = None) -> None:
    """Make the tables of the database and of its queue, or bring them up to date.

    `serve` and `dispatcher` do it too; of several at once, one does. Migrations only add, so that
    processes of the release before go on meanwhile.
    """
    settings = settings_with(database=database)
    with our_faults():
        open_store(settings).close()
    print("The database is up to date.")
