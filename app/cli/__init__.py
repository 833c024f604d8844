"""The command line: `mlgrind serve`, `grade`, `check`, `new`, `import`, `doctor` and the rest.

Each command imports what it needs when it is called, so that none pays for another's.
"""

from __future__ import annotations

import os
import sys

import typer

from app.cli import (
    accounts,
    backup,
    campus,
    check,
    classes,
    doctor,
    draft,
    export,
    grade,
    holes,
    rejudge,
    serve,
    shrink,
)

app = typer.Typer(
    name="mlgrind",
    help="Learn to write the core of machine learning by hand, with feedback that teaches.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("serve", epilog=serve.EXAMPLE)(serve.serve)
app.command("grade", epilog=grade.EXAMPLE)(grade.grade)
app.command("check", epilog=check.EXAMPLE)(check.check)
app.command("new", epilog=draft.NEW_EXAMPLE)(draft.new)
app.command("import", epilog=draft.IMPORT_EXAMPLE)(draft.import_)
app.command("doctor", epilog=doctor.EXAMPLE)(doctor.doctor)
app.command("holes", epilog=holes.EXAMPLE)(holes.holes)
app.command("export", epilog=export.EXAMPLE)(export.export)
app.command("rejudge", epilog=rejudge.EXAMPLE)(rejudge.rejudge)
app.add_typer(classes.app, name="class", epilog=classes.EXAMPLE)
app.add_typer(accounts.app, name="account", epilog=accounts.EXAMPLE)
app.add_typer(campus.app, name="campus", epilog=campus.EXAMPLE)
app.command("retention", epilog=accounts.RETENTION_EXAMPLE)(accounts.retention)
app.command("shrink", epilog=shrink.EXAMPLE)(shrink.shrink)
app.command("backup", epilog=backup.BACKUP_EXAMPLE)(backup.backup)
app.command("restore", epilog=backup.RESTORE_EXAMPLE)(backup.restore)


def main() -> None:
    """The `mlgrind` program. A terminal that cannot show a letter gets its escape."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    # Our own sums are small: further threads would only keep a CPU from whoever else needs it.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    app()
