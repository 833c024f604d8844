"""The tables, in words that SQLite and PostgreSQL both understand.

Ids are text (UUIDv7), times UTC. What learners wrote is kept as bytes, since it may hold NUL and
lone surrogates, which PostgreSQL's text does not take; reports are ASCII-only JSON text for the
same reason. Changing a table needs a new file in `migrations/versions/` and its name in `HEAD`.
"""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.types import TypeDecorator

HEAD = "0007"
"""The newest migration; a database that says so needs nothing done (and Alembic no import)."""


class UtcTime(TypeDecorator[datetime]):
    """An aware UTC datetime; SQLite, which knows no zones, keeps it as the text of the UTC time."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuse a naive time: it would be read back as another moment."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time without a zone does not go into the database")
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give the zone back that SQLite forgot."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

ID = String(36)
SLUG = String(100)
HASH = LargeBinary(32)

learners = Table(
    "learners",
    metadata,
    Column("id", ID, primary_key=True),
    Column("name", String(80), nullable=False, server_default=""),
    Column("created_at", UtcTime, nullable=False),
    Column("joined_to", ID, ForeignKey("learners.id"), nullable=True),
    Index(None, "joined_to"),
)

sources = Table(
    "sources",
    metadata,
    Column("hash", HASH, primary_key=True),
    Column("text", LargeBinary, nullable=False),
)

submissions = Table(
    "submissions",
    metadata,
    Column("id", ID, primary_key=True),
    Column("learner", ID, ForeignKey("learners.id"), nullable=False),
    Column("exercise", SLUG, nullable=False),
    Column("source", HASH, ForeignKey("sources.hash"), nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("idempotency_key", String(255), nullable=True),
    Column("attempted_at", UtcTime, nullable=True),
    UniqueConstraint("learner", "exercise", "source", "idempotency_key"),
    Index(None, "learner", "exercise", "id"),
    Index(None, "source"),
)

reports = Table(
    "reports",
    metadata,
    Column("submission", ID, ForeignKey("submissions.id"), primary_key=True),
    Column("digest", String(64), nullable=False),
    Column("verdict", String(20), nullable=False),
    Column("passed", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("body", Text, nullable=False),
    Column("recorded_at", UtcTime, nullable=False),
    Column("grading", Integer, nullable=False, server_default="0"),
    Column("mask", Integer, nullable=True),
    Index(None, "submission", "verdict", "passed", "total", "mask", "recorded_at"),
)

report_parts = Table(
    "report_parts",
    metadata,
    Column("hash", HASH, primary_key=True),
    Column("text", LargeBinary, nullable=False),
)

report_shrinking = Table(
    "report_shrinking",
    metadata,
    Column("name", String(20), primary_key=True),
    Column("up_to", ID, nullable=False),
    Column("until", ID, nullable=False),
)

second_looks = Table(
    "second_looks",
    metadata,
    Column("submission", ID, ForeignKey("submissions.id"), primary_key=True),
    Column("exercise", SLUG, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("looked_at", UtcTime, nullable=False),
    Column("draw", Integer, nullable=True),
    Column("test", Text, nullable=True),
    Index(None, "exercise", "digest", "draw"),
)

holes = Table(
    "holes",
    metadata,
    Column("exercise", SLUG, primary_key=True),
    Column("digest", String(64), primary_key=True),
    Column("draw", Integer, primary_key=True),
    Column("found_at", UtcTime, nullable=False),
)

hint_reveals = Table(
    "hint_reveals",
    metadata,
    Column("learner", ID, ForeignKey("learners.id"), primary_key=True),
    Column("exercise", SLUG, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("revealed_at", UtcTime, nullable=False),
)

solution_reveals = Table(
    "solution_reveals",
    metadata,
    Column("learner", ID, ForeignKey("learners.id"), primary_key=True),
    Column("exercise", SLUG, primary_key=True),
    Column("revealed_at", UtcTime, nullable=False),
)

follow_up_answers = Table(
    "follow_up_answers",
    metadata,
    Column("learner", ID, ForeignKey("learners.id"), primary_key=True),
    Column("exercise", SLUG, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("text", LargeBinary, nullable=False),
    Column("outcome", String(20), nullable=False),
    Column("answered_at", UtcTime, nullable=False),
)

drafts = Table(
    "drafts",
    metadata,
    Column("learner", ID, ForeignKey("learners.id"), primary_key=True),
    Column("exercise", SLUG, primary_key=True),
    Column("device", String(64), primary_key=True),
    Column("version", ID, nullable=False),
    Column("source", LargeBinary, nullable=False),
    Column("saved_at", UtcTime, nullable=False),
)

recovery_codes = Table(
    "recovery_codes",
    metadata,
    Column("learner", ID, ForeignKey("learners.id"), primary_key=True),
    Column("code_hash", HASH, nullable=False, unique=True),
    Column("created_at", UtcTime, nullable=False),
)

shares = Table(
    "shares",
    metadata,
    Column("submission", ID, ForeignKey("submissions.id"), primary_key=True),
    Column("token_hash", HASH, nullable=False, unique=True),
    Column("nonce", LargeBinary(16), nullable=False),
    Column("created_at", UtcTime, nullable=False),
)
