"""`mlgrind backup` and `restore`: the database and the secret in one file, while a server runs.

SQLite's own backup copies a consistent state; a restore is one transaction to everybody else. The
secret travels along, for without it every learner's cookie would end: guard the file like it.
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

from app.cli.common import Database, our_faults, settings_with, stop

if TYPE_CHECKING:
    from app.config import Settings

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
        stop(f"{file} is there already. Name another file, or give --replace to write over it.")
    settings = settings_with(database=database)
    source = _database_file(settings)
    if not source.exists():
        stop(f"There is nothing to back up: {source} does not exist.")
    secret = settings.data / "secret"
    with our_faults():
        _write(source, secret.read_bytes() if secret.exists() else b"", file)
    print(f"Backed up {source} to {file}. It holds the server's secret: keep it to yourself.")


def restore(
    file: Annotated[Path, typer.Argument(help="A file that `mlgrind backup` wrote.")],
    database: Database = None,
) -> None:
    """Put everything back as it was at a backup, also while a server runs.

    What is there now is kept first, as a backup beside the database. Where the secret was another,
    restart the server, so that the cookies of then are known again.
    """
    settings = settings_with(database=database)
    target = _database_file(settings)
    with our_faults():
        secret = _check(file)
        from app.main import build_store

        build_store(settings).close()
        before = _keep(settings, target)
        _copy_back(file, target)
        build_store(settings).close()  # a backup of an earlier release is brought up to date
        changed = _restore_secret(settings, secret)
    print(f"Restored {target} from {file}. What was there before is in {before}.")
    if changed:
        print("The secret changed too: restart the server, so that learners' cookies are known.")


def _keep(settings: Settings, target: Path) -> Path:
    """A backup of what is about to be replaced, under the time of day; never over another."""
    secret = settings.data / "secret"
    held = secret.read_bytes() if secret.exists() else b""
    endings = (f"-{n}" for n in count(2))
    stem = f"before-restore-{datetime.now():%Y%m%d-%H%M%S}"
    names = (target.parent / f"{stem}{more}.db" for more in chain([""], endings))
    kept = next(name for name in names if not name.exists())
    _write(target, held, kept)
    return kept


def _database_file(settings: Settings) -> Path:
    from app.storage.database import Database as Connections

    connections = Connections(settings.database_url)
    connections.close()
    if connections.path is None:
        stop("This is for SQLite; a PostgreSQL database is backed up with pg_dump.")
    return connections.path


def _write(source: Path, secret: bytes, file: Path) -> None:
    """Write beside the target and rename: a backup is whole or not there. Mode 600."""
    descriptor, name = tempfile.mkstemp(dir=file.absolute().parent, prefix=f".{file.name}-")
    os.close(descriptor)
    try:
        with closing(sqlite3.connect(source)) as live, closing(sqlite3.connect(name)) as copy:
            live.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
            copy.execute(f"CREATE TABLE {KEPT} (secret BLOB NOT NULL)")
            copy.execute(f"INSERT INTO {KEPT} VALUES (?)", (secret,))  # noqa: S608 - our own name
            copy.commit()
        os.replace(name, file)
    except BaseException:
        os.unlink(name)
        raise


def _check(file: Path) -> bytes:
    """The secret in a backup. Exits with status 2 where the file is none, or is damaged."""
    if not file.is_file():
        stop(f"{file} is no file.")
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as copy:
            (state,) = copy.execute("PRAGMA quick_check").fetchone()
            row = copy.execute(f"SELECT secret FROM {KEPT}").fetchone()  # noqa: S608 - our own name
    except sqlite3.Error as error:
        stop(f"{file} is not a backup of ML Grind: {error}")
    if state != "ok" or row is None:
        stop(f"{file} is damaged: {state}")
    return bytes(row[0])


def _copy_back(file: Path, target: Path) -> None:
    with (
        closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as copy,
        closing(sqlite3.connect(target, timeout=30)) as live,
    ):
        copy.backup(live)
        live.execute("PRAGMA journal_mode=WAL")
        live.execute(f"DROP TABLE IF EXISTS {KEPT}")
        live.commit()


def _restore_secret(settings: Settings, secret: bytes) -> bool:
    """Put the secret back; false where it is the same, or the backup had none."""
    path = settings.data / "secret"
    if not secret or (path.exists() and path.read_bytes() == secret):
        return False
    descriptor, name = tempfile.mkstemp(dir=settings.data, prefix=".secret-")  # mode 600
    with os.fdopen(descriptor, "wb") as written:
        written.write(secret)
    os.replace(name, path)
    return True
