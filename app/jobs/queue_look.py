"""The queue as `doctor` asks for it: nothing is made, and what is missing is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import psycopg

from app.jobs.one_secret import LIVE
from app.jobs.queue_tables import address, applied, dispatchers
from app.ports import StoreAway


@dataclass(frozen=True)
class QueueLook:
    """Which release made it, how many dispatchers live, the secrets' hashes by web process."""

    release: str | None
    dispatchers: int = 0
    secrets: Mapping[str, str] = field(default_factory=dict)


def look_at_queue(url: str) -> QueueLook:
    """The queue of a database; no release where it was not made yet. Raises StoreAway."""
    try:
        release = applied(url)
        if release is None:
            return QueueLook(None)
        return QueueLook(release, dispatchers(url), _secrets(url))
    except psycopg.Error as error:
        raise StoreAway(str(error)) from error


def _secrets(url: str) -> Mapping[str, str]:
    try:
        with psycopg.connect(address(url)) as connection:
            return dict(connection.execute(LIVE).fetchall())
    except psycopg.errors.UndefinedTable:  # of a release before this one
        return {}
