"""`mlgrind queue`: submissions that could not be judged, and the queue as it is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.common import NOT_ACCEPTED, Database, printable, settings_with, stop

if TYPE_CHECKING:
    from app.jobs.parked import ParkedJobs

EXAMPLE = "Example, once the fault is mended: mlgrind queue retry"
NEEDS = "Only a PostgreSQL database holds a queue: set MLGRIND_DATABASE to one."

app = typer.Typer(
    help="Submissions that could not be judged: list them, try them again.", no_args_is_help=True
)


def _parked(database: str | None) -> ParkedJobs:
    settings = settings_with(database=database)
    from app.cli.common import open_store
    from app.queue_parts import shares_queue

    if not shares_queue(settings):
        stop(NEEDS)
    from app.jobs.parked import ParkedJobs

    open_store(settings).close()
    return ParkedJobs(settings.database_url)


@app.command("list")
def list_(
    as_json: Annotated[bool, typer.Option("--json", help="A JSON object a line.")] = False,
    database: Database = None,
) -> None:
    """List what is parked: submission, since when, how often it was tried, and why it failed."""
    for one in _parked(database).all():
        if as_json:
            row = {"submission": one.submission, "tries": one.tries, "reason": one.reason}
            print(json.dumps({**row, "runners": one.runners, "parked_at": one.at.isoformat()}))
        else:
            where = f" on {one.runners}" if one.runners else ""
            at = one.at.strftime("%Y-%m-%d %H:%M")
            print(printable(f"{one.submission}  {at}  {one.tries} tries{where}: {one.reason}"))


@app.command("retry")
def retry(
    submissions: Annotated[
        list[str] | None, typer.Argument(help="Submissions; all that are parked unless given.")
    ] = None,
    database: Database = None,
) -> None:
    """Put parked submissions into the queue again; a new report replaces the one of our fault."""
    found = _parked(database).retry(submissions or None)
    print(f"{len(found)} submissions are in the queue again.")
    missing = sorted(set(submissions or ()) - set(found))
    if missing:
        print(printable(f"Not parked: {', '.join(missing)}"))
        raise SystemExit(NOT_ACCEPTED)


@app.command("drain")
def drain(
    most: Annotated[float, typer.Option("--wait", help="Seconds to wait at most.")] = 60.0,
    database: Database = None,
) -> None:
    """Wait until no submission waits or runs: before a machine is taken away, say.

    Exit status 1 where some are left after the time.
    """
    left = _parked(database).drain(most)
    if left:
        print(f"{left} jobs are left.")
        raise SystemExit(NOT_ACCEPTED)
    print("The queue is empty.")
