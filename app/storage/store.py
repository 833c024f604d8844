"""The store: one database, opened, brought up to date, and offered as the port `Store`."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy.exc import OperationalError, SQLAlchemyError

from app.ports import StoreAway
from app.storage.alone import Alone
from app.storage.database import Database, NoDatabase, shown
from app.storage.drafts import SqlDrafts
from app.storage.learners import SqlLearners
from app.storage.links import SqlLinks
from app.storage.looks import SqlLooks
from app.storage.migrate import DatabaseUnreadable, first_line, migrate, version
from app.storage.opened_hints import SqlLadder
from app.storage.queueing import Queueing
from app.storage.schema import HEAD
from app.storage.school import SqlSchool
from app.storage.submissions import SqlSubmissions


class SqlStore:
    """The port `Store` on SQLite or PostgreSQL; safe to use from several threads."""

    def __init__(self, url: str, queueing: Queueing | None = None) -> None:
        """Open the database at `url`, making an SQLite file, and run the missing migrations.

        With `queueing`, a submission's job goes into the database's queue as it is stored.

        Raises NoDatabase where it cannot be used: it cannot be reached, a later ML Grind has used
        it, its driver is missing.
        """
        self.database = Database(url)
        self.shared = not self.database.is_sqlite
        if self.database.path is not None:
            _make_private(self.database.path)
        _bring_up_to_date(self.database)
        self.submissions = SqlSubmissions(self.database, queueing)
        self.learners = SqlLearners(self.database)
        self.ladder = SqlLadder(self.database)
        self.drafts = SqlDrafts(self.database)
        self.links = SqlLinks(self.database)
        self.looks = SqlLooks(self.database)
        self.school = SqlSchool(self.database)
        self._alone = Alone(self.database)

    def answers(self) -> bool:
        """Whether the database answers and its schema is the one this code knows."""
        try:
            with self.database.read() as connection:
                return version(connection) == HEAD
        except (SQLAlchemyError, StoreAway):
            return False

    def does_chores(self) -> bool:
        """Whether this process is the one that does what is to be done once."""
        return self._alone.holds()

    def close(self) -> None:
        """Let the connections go."""
        self._alone.close()
        self.database.close()


def _bring_up_to_date(database: Database) -> None:
    try:
        migrate(database)
    except (OperationalError, StoreAway) as error:
        database.close()
        raise DatabaseUnreadable(f"{shown(str(database.url))}: {first_line(error)}") from error
    except NoDatabase:
        database.close()
        raise


def _make_private(path: Path) -> None:
    """What learners wrote is readable by no other user of this machine."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.touch(mode=0o600)
