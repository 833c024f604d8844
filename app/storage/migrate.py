"""Brings a database to the newest schema; Alembic is loaded only where something is to be done."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import SQLAlchemyError

from app.ports import StoreAway
from app.storage.database import Database, NoDatabase
from app.storage.schema import HEAD

VERSIONS = Path(__file__).parent / "migrations"


class DatabaseTooNew(NoDatabase):
    """The database was written by a later ML Grind; older code must not touch it."""


class DatabaseUnfit(NoDatabase):
    """The database cannot hold what learners write; the text says what to do."""


class DatabaseUnreadable(NoDatabase):
    """The database cannot be opened or read; the text is its own words."""


def look(url: str) -> str | None:
    """The migration the database at `url` stands at, None where there is none yet.

    Nothing is made or changed. Raises NoDatabase.
    """
    database = Database(url)
    if database.path is not None and not database.path.exists():
        return None
    try:
        with database.read() as connection:
            _check_encoding(connection)
            return version(connection)
    except (SQLAlchemyError, StoreAway) as error:
        raise DatabaseUnreadable(first_line(error)) from error
    finally:
        database.close()


def first_line(error: SQLAlchemyError | StoreAway) -> str:
    """What the database said, without our statement."""
    return str(error).split("\n", 1)[0]


def version(connection: Connection) -> str | None:
    """The migration a database stands at, or None where it holds nothing of ours."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)


def migrate(database: Database) -> None:
    """Run the missing migrations in one transaction; of several processes at once, one does.

    Raises DatabaseTooNew where the database knows a migration that this code does not, and
    DatabaseUnfit where PostgreSQL keeps its text in another encoding than UTF8.
    """
    with database.read() as connection:
        _check_encoding(connection)
        if version(connection) == HEAD:
            return
    _upgrade(database)


def _check_encoding(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        return
    found = connection.execute(text("SHOW server_encoding")).scalar()
    if found != "UTF8":
        raise DatabaseUnfit(
            f"the database keeps text as {found}; ML Grind needs UTF8. Make another one:"
            " createdb --encoding=UTF8 --template=template0 mlgrind"
        )


def _upgrade(database: Database) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(VERSIONS))
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    with database.write() as connection:  # alone: others that start now wait, and find it done
        here = version(connection)
        if here == HEAD:
            return
        if here is not None and here not in known:
            raise DatabaseTooNew(
                f"the database stands at version {here}, which this ML Grind does not know: "
                "it was used by a later one. Update ML Grind, or restore a backup from before."
            )
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
