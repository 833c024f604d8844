"""What is written for each submission where the database holds the queue, in few statements.

Each statement is a trip to PostgreSQL, and two processes wake up for it. So what SQLite is asked
one after another goes together here:

    hold the learner ▸ count, and look for the key ▸ source and submission ▸ (the job: `jobs/`)
    report, notice, and which of its parts are missing
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, text

from app.model import LearnerId
from app.records import NewSubmission
from app.storage.learners import ensure
from app.storage.report_bodies import Packed, keep_these

_HELD = text("SELECT joined_to FROM learners WHERE id = :learner FOR NO KEY UPDATE")

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

_RECORD = text("""
WITH kept AS (
    INSERT INTO reports (submission, digest, verdict, passed, total, mask, body, recorded_at)
    VALUES (
        :submission, :digest, :verdict, :passed, :total, :mask, :body, clock_timestamp())
    ON CONFLICT DO NOTHING RETURNING submission)
SELECT EXISTS (SELECT 1 FROM kept) AS first, pg_notify(:channel, :submission) AS notice,
    ARRAY(
        SELECT given.hash FROM unnest(CAST(:parts AS bytea[])) AS given (hash)
        WHERE NOT EXISTS (SELECT 1 FROM report_parts WHERE report_parts.hash = given.hash)
    ) AS missing
""")


@dataclass(frozen=True)
class Standing:
    """The database's clock, how many of a learner's wait, and whether a key is known."""

    now: datetime
    waiting: int
    known: bool


def hold(connection: Connection, learner: LearnerId, at: datetime) -> LearnerId:
    """Who has a learner's work now, held until the transaction ends; their row is made."""
    row = connection.execute(_HELD, {"learner": learner}).first()
    if row is None:
        ensure(connection, learner, at)
        row = connection.execute(_HELD, {"learner": learner}).one()
    if row.joined_to is None:
        return learner
    connection.execute(_HELD, {"learner": row.joined_to})
    return LearnerId(row.joined_to)


def standing(connection: Connection, learner: LearnerId, new: NewSubmission) -> Standing:
    """How a learner who is held stands before a new submission."""
    asked = {
        "learner": learner,
        "exercise": new.exercise,
        "source": hashlib.sha256(new.source).digest(),
        "key": new.key,
    }
    row = connection.execute(_STANDING, asked).one()
    return Standing(row.now.astimezone(UTC), row.waiting, row.known)


def add(connection: Connection, values: Mapping[str, object], source: bytes) -> bool:
    """Store a submission's row and its source; false where one of its key came in between."""
    named = {**values, "key": values["idempotency_key"], "text": source}
    return connection.execute(_ADD, named).first() is not None


def record(connection: Connection, values: Mapping[str, Any], packed: Packed, channel: str) -> bool:
    """Store a report once, with a notice and the parts that are not there yet; whether it was.

    Raises IntegrityError where there is no such submission.
    """
    parts = {"parts": list(packed.parts), "channel": channel}
    row = connection.execute(_RECORD, {**values, **parts, "body": packed.text}).one()
    if row.missing:
        keep_these(connection, packed.parts, row.missing)
    return bool(row.first)
