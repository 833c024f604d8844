"""`mlgrind queue`: submissions that could not be judged, and the queue as it is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.common import NOT_ACCEPTED, Database, printable, settings_with, stop

if TYPE_CHECKING:
    from app.jobs.parked import ParkedJobs

EXAMPLE = "Example, once the fault is mended: mlgrind queue retry"
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
DAY_S = 86400
"""For so long it is known who judged what."""

NEEDS = "Only a PostgreSQL database holds a queue: set MLGRIND_DATABASE to one."

app = typer.Typer(
    help="Submissions that could not be judged: list them, try them again; judge a runner's anew.",
    no_args_is_help=True,
)


def _url(database: str | None) -> str:
    """The address of the database, whose queue is there."""
    settings = settings_with(database=database)
    from app.cli.common import open_store
    from app.queue_parts import shares_queue

    if not shares_queue(settings):
        stop(NEEDS)
    open_store(settings).close()
    return settings.database_url


def _parked(database: str | None) -> ParkedJobs:
    url = _url(database)
    from app.jobs.parked import ParkedJobs

    return ParkedJobs(url)


@app.command("list", short_help="List what is parked, and why.")
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


@app.command("retry", short_help="Put parked submissions into the queue again.")
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


@app.command("regrade", short_help="Judge again what a runner has judged.")
def regrade(
    runner: Annotated[str, typer.Option(help="Its name in MLGRIND_RUNNERS, or its address.")],
    since: Annotated[
        str, typer.Option(help="How far back: a number with s, m, h or d; at most a day.")
    ] = "1h",
    database: Database = None,
) -> None:
    """Judge again on other runners what a runner has judged; a verdict that differs replaces its.

    For a runner that is no longer believed: see the page /staff/operator. Of submissions without a
    known runner, those of that time are judged again, too.
    """
    seconds = _seconds(since)
    url = _url(database)
    from app.jobs.judging_again import judge_again

    found = judge_again(url, runner, seconds)
    print(f"{found} submissions are in the queue, to be judged again.")


def _seconds(since: str) -> float:
    number, unit = since[:-1], since[-1:]
    if not number.isdecimal() or unit not in UNITS or not 0 < int(number) * UNITS[unit] <= DAY_S:
        stop(f"{since} is no time to look back: write 1h, say, or 90m; at most 1d.")
    return float(int(number) * UNITS[unit])


@app.command("drain", short_help="Wait until no submission waits or runs.")
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
