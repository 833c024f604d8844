"""The command line: `mlgrind serve`, `grade`, `check`, `new`, `import`, `doctor` and the rest.

Each command imports what it needs when it is called, so that none pays for another's.
"""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import version
from typing import Annotated

import typer

from app.cli import (
    accounts,
    backup,
    campus,
    check,
    classes,
    dispatching,
    doctor,
    draft,
    export,
    grade,
    holes,
    migrating,
    queue,
    rejudge,
    runner,
    serve,
    shrink,
)
from app.cli.common import stop_where_the_database_is_away

app = typer.Typer(
    name="mlgrind",
    help="Learn to write the core of machine learning by hand, with feedback that teaches.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _say_version(asked: bool) -> None:
    if asked:
        python = platform.python_version()
        print(f"mlgrind {version('mlgrind')}, Python {python}, NumPy {version('numpy')}")
        raise typer.Exit


@app.callback()
def _options(
    _: Annotated[
        bool,
        typer.Option(
            "--version", callback=_say_version, is_eager=True, help="Say which releases run here."
        ),
    ] = False,
) -> None:
    pass


app.command(
    "serve", short_help="Serve the pages and judge what is submitted.", epilog=serve.EXAMPLE
)(serve.serve)
app.command(
    "grade", short_help="Judge files on an exercise's six test cases.", epilog=grade.EXAMPLE
)(grade.grade)
app.command(
    "check", short_help="Prove an exercise: tests, mistakes, sentences.", epilog=check.EXAMPLE
)(check.check)
app.command(
    "new", short_help="Make a folder for an exercise of your own.", epilog=draft.NEW_EXAMPLE
)(draft.new)
app.command(
    "import",
    short_help="Draft an exercise from a public problem folder.",
    epilog=draft.IMPORT_EXAMPLE,
)(draft.import_)
app.command(
    "doctor", short_help="Say whether this machine can serve safely.", epilog=doctor.EXAMPLE
)(doctor.doctor)
app.command(
    "holes", short_help="List random inputs on which accepted code fails.", epilog=holes.EXAMPLE
)(holes.holes)
app.command(
    "export", short_help="Print a table of submissions or completions.", epilog=export.EXAMPLE
)(export.export)
app.command(
    "rejudge", short_help="Judge again what failed through our own fault.", epilog=rejudge.EXAMPLE
)(rejudge.rejudge)
app.command(
    "dispatcher",
    short_help="Judge what a PostgreSQL queue holds.",
    epilog=dispatching.EXAMPLE,
)(dispatching.dispatcher)
app.command("migrate", short_help="Bring the database up to date.", epilog=migrating.EXAMPLE)(
    migrating.migrate
)
app.add_typer(
    queue.app,
    name="queue",
    short_help="List, retry and drain what a queue holds.",
    epilog=queue.EXAMPLE,
)
app.add_typer(classes.app, name="class", epilog=classes.EXAMPLE)
app.add_typer(accounts.app, name="account", epilog=accounts.EXAMPLE)
app.add_typer(campus.app, name="campus", epilog=campus.EXAMPLE)
app.command(
    "retention",
    short_help="Delete what is kept longer than promised.",
    epilog=accounts.RETENTION_EXAMPLE,
)(accounts.retention)
app.command("runner", epilog=runner.EXAMPLE)(runner.runner)
app.command("shrink", short_help="Make old stored reports small.", epilog=shrink.EXAMPLE)(
    shrink.shrink
)
app.command(
    "backup",
    short_help="Copy the data into one file, while serving too.",
    epilog=backup.BACKUP_EXAMPLE,
)(backup.backup)
app.command(
    "restore", short_help="Bring the data back from a backup.", epilog=backup.RESTORE_EXAMPLE
)(backup.restore)


def main() -> None:
    """The `mlgrind` program. A terminal that cannot show a letter gets its escape."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    # Our own sums are small: further threads would only keep a CPU from whoever else needs it.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        app()
    except Exception as error:
        stop_where_the_database_is_away(error)
        raise
