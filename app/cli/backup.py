"""`mlgrind backup` and `restore`: the database and the secret in one file, while a server runs.

The file is an SQLite database whichever one the server uses, so a backup of one kind restored on
the other is the move between them. It is one consistent state, and a restore is one transaction to
everybody else. The secret travels along, for without it every learner's cookie would end: guard the
file like it.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.common import Database, open_store, our_faults, settings_with, stop
from app.cli.secret import place_for, put

if TYPE_CHECKING:
    from app.config import Settings
    from app.storage.database import Database as Connections

BACKUP_EXAMPLE = "Example: mlgrind backup /backups/monday.db"
RESTORE_EXAMPLE = "Example: mlgrind restore /backups/monday.db"
KEPT = "mlgrind_backup"
"""The table a backup has more than its database: the secret."""


def backup(
    file: Annotated[Path, typer.Argument(help="The file to write.")],
    replace: Annotated[
        bool, typer.Option("--replace", help="Write over a file that is there.")
    ] = False,
    database: Database = None,
) -> None:
    """Copy everything learners did into one file, also while a server runs.

    A file that is there is left alone unless --replace is given; then it is replaced whole.
    """
    if file.exists() and not replace:
        stop(f"{file} already exists. Name another file, or give --replace to overwrite it.")
    settings = settings_with(database=database)
    source = database_of(settings)
    if source.path is not None and not source.path.exists():
        stop(f"There is nothing to back up: {source.path} does not exist.")
    secret = settings.secret_path
    with our_faults():
        _write(source, secret.read_bytes() if secret.exists() else b"", file)
    where = _shown(source)
    print(f"Backed up {where} to {file}. It holds the server's secret: keep it to yourself.")


def restore(
    file: Annotated[Path, typer.Argument(help="A file that `mlgrind backup` wrote.")],
    database: Database = None,
    secret_out: Annotated[
        Path | None,
        typer.Option(
            "--secret-out", help="Write the secret here, and leave MLGRIND_SECRET_FILE alone."
        ),
    ] = None,
) -> None:
    """Put everything back as it was at a backup, also while a server runs.

    What is there now is kept first, as a backup in the data directory. Where the secret was
    another, restart the server, so that the cookies of then are known again. A backup of SQLite
    may be restored on PostgreSQL, and the other way round.
    """
    settings = settings_with(database=database)
    with our_faults():
        secret = _check(file)
        place = place_for(secret, settings, secret_out)
        open_store(settings).close()
        target = database_of(settings)
        before = _keep(settings, target)
        _copy_back(file, target, settings)
        _defer_left(settings)
        changed = place is not None and put(secret, place)
    print(f"Restored {_shown(target)} from {file}. What was there before is in {before}.")
    if changed and secret_out is not None:
        print(f"The secret is in {secret_out}: mount it as the server's MLGRIND_SECRET_FILE.")
    elif changed:
        print("The secret changed too: restart the server so that it recognises learners' cookies.")


def _defer_left(settings: Settings) -> None:
    """A backup of an earlier release is brought up to date; what was in line then is so again."""
    from app.queue_parts import shares_queue

    store = open_store(settings)
    if shares_queue(settings):
        from app.jobs.sweeps import defer_restored

        defer_restored(settings.database_url, store.submissions.unreported())
    store.close()


def _keep(settings: Settings, target: Connections) -> Path:
    """A backup of what is about to be replaced, under the time of day; never over another."""
    secret = settings.secret_path
    held = secret.read_bytes() if secret.exists() else b""
    folder = settings.data if target.path is None else target.path.parent
    endings = (f"-{n}" for n in count(2))
    stem = f"before-restore-{datetime.now():%Y%m%d-%H%M%S}"
    names = (folder / f"{stem}{more}.db" for more in chain([""], endings))
    kept = next(name for name in names if not name.exists())
    _write(target, held, kept)
    return kept


def database_of(settings: Settings) -> Connections:
    """The connections to the settings' database; status 2 and a sentence where there are none."""
    from app.storage.database import Database as Opened
    from app.storage.database import NoDatabase

    try:
        return Opened(settings.database_url)
    except (NoDatabase, ValueError) as error:
        stop(str(error))


def _shown(database: Connections) -> str:
    from app.storage.database import shown

    return str(database.path or shown(str(database.url)))


def _write(source: Connections, secret: bytes, file: Path) -> None:
    """Write beside the target and rename: a backup is whole or not there. Mode 600."""
    descriptor, name = tempfile.mkstemp(dir=file.absolute().parent, prefix=f".{file.name}-")
    os.close(descriptor)
    try:
        _fill(source, Path(name))
        with closing(sqlite3.connect(name)) as copy:
            copy.execute("PRAGMA journal_mode=DELETE")
            copy.execute(f"CREATE TABLE {KEPT} (secret BLOB NOT NULL)")
            copy.execute(f"INSERT INTO {KEPT} VALUES (?)", (secret,))  # noqa: S608 - our own name
            copy.commit()
        os.replace(name, file)
    except BaseException:
        os.unlink(name)
        raise


def _fill(source: Connections, file: Path) -> None:
    """Copy a database into an empty file: SQLite's by its pages, another one by its rows."""
    if source.path is not None:
        with closing(sqlite3.connect(source.path)) as live, closing(sqlite3.connect(file)) as copy:
            live.backup(copy)
        return
    from app.storage.copying import copy as copy_rows
    from app.storage.database import Database as Opened
    from app.storage.migrate import migrate

    migrate(source)  # what an earlier release made has not all the tables
    kept = Opened(f"sqlite:///{file.absolute()}")
    try:
        migrate(kept)
        copy_rows(source, kept)
    finally:
        kept.close()
        source.close()


def _check(file: Path) -> bytes:
    """The secret in a backup. Exits with status 2 where it is none, damaged or a later one's."""
    from app.storage.schema import HEAD

    if not file.is_file():
        stop(f"{file} is not a file.")
    try:
        with closing(_opened(file)) as copy:
            (state,) = copy.execute("PRAGMA quick_check").fetchone()
            row = copy.execute(f"SELECT secret FROM {KEPT}").fetchone()  # noqa: S608 - our own name
            (made_by,) = copy.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.Error as error:
        stop(f"{file} is not a backup of ML Grind: {error}")
    if state != "ok" or row is None:
        stop(f"{file} is damaged: {state}")
    if str(made_by) > HEAD:
        stop(f"{file} was made by a later ML Grind. Restore it with that one; nothing was changed.")
    return bytes(row[0])


def _copy_back(file: Path, target: Connections, settings: Settings) -> None:
    if target.path is None:
        _copy_rows_back(file, target, settings)
        return
    with (
        closing(_opened(file)) as copy,
        closing(sqlite3.connect(target.path, timeout=30)) as live,
    ):
        copy.backup(live)
        live.execute("PRAGMA journal_mode=WAL")
        live.execute(f"DROP TABLE IF EXISTS {KEPT}")
        live.commit()


def _copy_rows_back(file: Path, target: Connections, settings: Settings) -> None:
    """By rows, from a copy of the backup that is brought up to date: the backup stays as it is."""
    from app.storage.copying import copy as copy_rows
    from app.storage.database import Database as Opened
    from app.storage.migrate import migrate

    with tempfile.TemporaryDirectory(dir=settings.data, prefix=".restore-") as folder:
        current = Path(folder) / "backup.db"
        with closing(_opened(file)) as found, closing(sqlite3.connect(current)) as copy:
            found.backup(copy)
        source = Opened(f"sqlite:///{current.absolute()}")
        try:
            migrate(source)
            copy_rows(source, target)
        finally:
            source.close()
            target.close()


def _opened(file: Path) -> sqlite3.Connection:
    """A backup, to be read only."""
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
