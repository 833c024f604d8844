"""How far this machine's clock is from the database's."""

from __future__ import annotations

import time

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from app.ports import StoreAway
from app.storage.database import Database
from app.storage.migrate import DatabaseUnreadable, first_line

NOW = "SELECT extract(epoch FROM clock_timestamp())"


def clock_off(url: str) -> float:
    """Seconds that this clock is ahead of a PostgreSQL's. Raises NoDatabase."""
    database = Database(url)
    try:
        with database.read() as connection:
            before = time.time()
            there = connection.execute(text(NOW)).scalar()
            return (before + time.time()) / 2 - float(there or 0.0)
    except (SQLAlchemyError, StoreAway) as error:
        raise DatabaseUnreadable(first_line(error)) from error
    finally:
        database.close()
