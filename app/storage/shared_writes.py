"""What is written for each submission where the database holds the queue, in few statements.

Each statement is a trip to PostgreSQL, and two processes wake up for it. So what SQLite is asked
one after another goes together here:

    hold the learner ▸ count, and look for the key ▸ source and submission ▸ (the job: `jobs/`)
    report, notice, and which of its parts are missing
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, text

from app.model import LearnerId
from app.records import NewSubmission, SecondLook
from app.storage.away import telling_away
from app.storage.database import NOT_FOR_THE_DISK, WRITING, Database
from app.storage.learners import ensure
from app.storage.queueing import CHANNEL
from app.storage.report_bodies import Packed, keep_parts

_LOCK = f"pg_advisory_xact_lock_shared({WRITING})"
_PATH = "set_config('search_path', 'public,queue', true)"
_LOCKED = text(f"SELECT {_LOCK}, {_PATH}")
_HELD = text("SELECT joined_to FROM learners WHERE id = :learner FOR NO KEY UPDATE")
_LOCKED_AND_HELD = text(f"""
WITH locked AS MATERIALIZED (SELECT {_LOCK}, {_PATH})
SELECT joined_to FROM locked, learners WHERE id = :learner FOR NO KEY UPDATE OF learners
""")  # noqa: S608 - of our own words
"""The row is read again once it is held, so that it is as the last one with the lock left it."""

_STANDING = text("""
SELECT clock_timestamp() AS now,
    (SELECT count(*) FROM submissions one LEFT JOIN reports ON reports.submission = one.id
     WHERE one.learner = :learner AND reports.submission IS NULL
        AND one.created_at > clock_timestamp() - interval '1 hour'
        AND NOT EXISTS (
            SELECT 1 FROM queue.faults
            WHERE faults.submission = one.id AND faults.parked_at IS NOT NULL)) AS waiting,
    EXISTS (
        SELECT 1 FROM submissions WHERE learner = :learner AND exercise = :exercise
        AND source = :source AND idempotency_key = :key) AS known
""")
"""What has waited for an hour could not be judged, and is no reason to take no more; nor is one
whose exercise was withdrawn: it may never get a report."""

_ADD = text("""
WITH kept AS (
    INSERT INTO sources (hash, text) VALUES (:source, :text) ON CONFLICT DO NOTHING)
INSERT INTO submissions
    (id, learner, exercise, source, created_at, idempotency_key, attempted_at)
VALUES (:id, :learner, :exercise, :source, :created_at, :key, :attempted_at)
ON CONFLICT (learner, exercise, source, idempotency_key) DO NOTHING RETURNING id
""")

_RECORD = text(f"""
WITH locked AS MATERIALIZED (SELECT {_LOCK}, {NOT_FOR_THE_DISK}),
    missing AS MATERIALIZED (
        SELECT given.hash FROM unnest(CAST(:parts AS bytea[])) AS given (hash)
        WHERE NOT EXISTS (SELECT 1 FROM report_parts WHERE report_parts.hash = given.hash)),
    kept AS (
        INSERT INTO reports
            (submission, digest, verdict, passed, total, mask, body, recorded_at)
        SELECT :submission, :digest, :verdict, CAST(:passed AS integer),
            CAST(:total AS integer), CAST(:mask AS integer), :body, clock_timestamp()
        FROM locked WHERE NOT EXISTS (SELECT 1 FROM missing)
        ON CONFLICT DO NOTHING RETURNING submission),
    named AS (
        INSERT INTO report_mistakes (submission, place, misconception)
        SELECT kept.submission, given.place - 1, given.name
        FROM kept, unnest(CAST(:mistakes AS text[])) WITH ORDINALITY AS given (name, place))
SELECT EXISTS (SELECT 1 FROM kept) AS first, EXISTS (SELECT 1 FROM missing) AS lacks,
    pg_notify(:channel, :submission) AS notice
""")  # noqa: S608 - of our own words
"""It stores nothing while a part is missing that the report speaks of."""

_LOOKED = text(f"""
WITH locked AS MATERIALIZED (SELECT {_LOCK})
INSERT INTO second_looks (submission, exercise, digest, looked_at)
SELECT submissions.id, :exercise, :digest, CAST(:looked_at AS timestamptz)
FROM locked, submissions WHERE submissions.id = :submission ON CONFLICT DO NOTHING
""")  # noqa: S608 - of our own words


@dataclass(frozen=True)
class BeforeSubmitting:
    """The database's clock, how many of a learner's wait, and whether a key is known."""

    now: datetime
    waiting: int
    known: bool


def hold(connection: Connection, learner: LearnerId, at: datetime) -> LearnerId:
    """Who has a learner's work now, held until the transaction ends; their row is made.

    The first of a transaction: it takes the writers' lock.
    """
    row = connection.execute(_LOCKED_AND_HELD, {"learner": learner}).first()
    if row is None:
        connection.execute(_LOCKED)
        ensure(connection, learner, at)
        row = connection.execute(_HELD, {"learner": learner}).one()
    if row.joined_to is None:
        return learner
    connection.execute(_HELD, {"learner": row.joined_to})
    return LearnerId(row.joined_to)


def standing(connection: Connection, learner: LearnerId, new: NewSubmission) -> BeforeSubmitting:
    """How a learner who is held stands before a new submission."""
    asked = {
        "learner": learner,
        "exercise": new.exercise,
        "source": hashlib.sha256(new.source).digest(),
        "key": new.key,
    }
    row = connection.execute(_STANDING, asked).one()
    return BeforeSubmitting(row.now.astimezone(UTC), row.waiting, row.known)


def add(connection: Connection, values: Mapping[str, object], source: bytes) -> bool:
    """Store a submission's row and its source; false where one of its key came in between."""
    named = {**values, "key": values["idempotency_key"], "text": source}
    return connection.execute(_ADD, named).first() is not None


def record(
    database: Database, values: Mapping[str, Any], packed: Packed, mistakes: Sequence[str]
) -> bool:
    """Store a report once, with a notice; whether it was. Parts of it come first, where missing.

    Raises IntegrityError where there is no such submission.
    """
    named = {**values, "body": packed.text, "parts": list(packed.parts), "channel": CHANNEL}
    named["mistakes"] = list(mistakes)
    with telling_away(is_sqlite=False), database.outside_transactions() as connection:
        row = connection.execute(_RECORD, named).one()
    if row.lacks:
        with database.write_what_can_be_made_again() as connection:
            keep_parts(connection, packed.parts)
        return record(database, values, packed, mistakes)
    return bool(row.first)


def looked(database: Database, look: SecondLook) -> None:
    """Keep once that a look found nothing."""
    named = {
        "submission": look.submission,
        "exercise": look.exercise,
        "digest": look.digest,
        "looked_at": look.looked_at,
    }
    with telling_away(is_sqlite=False), database.outside_transactions() as connection:
        connection.execute(_LOOKED, named)
