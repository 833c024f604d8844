"""The tables of classes: staff and their sessions, people, assignments, and what staff decided.

Points are whole hundredths and shares whole ten-thousandths. Whose learner somebody is stands in
`enrolments`; nothing links a submission to an assignment but learner, exercise and time.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from app.storage.schema import HASH, ID, SLUG, UtcTime, metadata

NAME = String(200)
WORD = String(20)


def _key(name: str, table: str) -> Column[str]:
    return Column(name, ID, ForeignKey(f"{table}.id"), primary_key=True)


def _to(name: str, table: str, *, nullable: bool = False) -> Column[str]:
    return Column(name, ID, ForeignKey(f"{table}.id"), nullable=nullable)


def _when(name: str, *, nullable: bool = False) -> Column[object]:
    return Column(name, UtcTime, nullable=nullable)


accounts = Table(
    "accounts",
    metadata,
    Column("id", ID, primary_key=True),
    Column("login", NAME, nullable=True, unique=True),
    Column("name", NAME, nullable=False),
    Column("password", String(200), nullable=True),
    Column("host", Boolean, nullable=False),
    _when("made_at"),
    _when("disabled_at", nullable=True),
)

account_links = Table(
    "account_links",
    metadata,
    Column("token_hash", HASH, primary_key=True),
    _to("account", "accounts"),
    _when("made_at"),
    _when("expires_at"),
    _when("used_at", nullable=True),
)

lti_registrations = Table(
    "lti_registrations",
    metadata,
    Column("id", ID, primary_key=True),
    Column("issuer", String(500), nullable=False),
    Column("client_id", String(255), nullable=False),
    Column("auth_url", Text, nullable=False),
    Column("token_url", Text, nullable=False),
    Column("token_audience", Text, nullable=True),
    Column("jwks_url", Text, nullable=False),
    Column("origins", Text, nullable=False),
    Column("name", NAME, nullable=False),
    Column("state", WORD, nullable=False),
    _when("made_at"),
    UniqueConstraint("issuer", "client_id"),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id_hash", HASH, primary_key=True),
    _to("account", "accounts", nullable=True),
    _to("learner", "learners", nullable=True),
    _to("registration", "lti_registrations", nullable=True),
    Column("framed", Boolean, nullable=False),
    _when("made_at"),
    _when("seen_at"),
    _when("expires_at"),
    CheckConstraint("(account IS NULL) <> (learner IS NULL)", name="ck_sessions_whose"),
    Index(None, "account"),
    Index(None, "expires_at"),
)

classes = Table(
    "classes",
    metadata,
    Column("id", ID, primary_key=True),
    Column("title", NAME, nullable=False),
    Column("term", NAME, nullable=False),
    Column("zone", String(64), nullable=False),
    Column("join_code", String(16), nullable=True, unique=True),
    _when("join_until", nullable=True),
    Column("join_by", WORD, nullable=False),
    Column("retention_days", Integer, nullable=False),
    _when("made_at"),
    _when("archived_at", nullable=True),
)

class_staff = Table(
    "class_staff",
    metadata,
    _key("class", "classes"),
    _key("account", "accounts"),
    Column("role", WORD, nullable=False),
    _when("added_at"),
    Index(None, "account"),
)

enrolments = Table(
    "enrolments",
    metadata,
    Column("id", ID, primary_key=True),
    _to("class", "classes"),
    _to("learner", "learners", nullable=True),
    Column("name", NAME, nullable=False),
    Column("sort_name", NAME, nullable=False),
    Column("student_id", NAME, nullable=True),
    Column("campus_login", NAME, nullable=True),
    Column("section", NAME, nullable=False),
    Column("seat_hash", HASH, nullable=True, unique=True),
    _when("seat_until", nullable=True),
    Column("state", WORD, nullable=False),
    _when("joined_at", nullable=True),
    _when("removed_at", nullable=True),
    _to("merged_into", "enrolments", nullable=True),
    UniqueConstraint("class", "learner"),
    UniqueConstraint("class", "student_id"),
    Index(None, "learner"),
)

assignments = Table(
    "assignments",
    metadata,
    Column("id", ID, primary_key=True),
    _to("class", "classes"),
    Column("exercise", SLUG, nullable=False),
    Column("title", NAME, nullable=False),
    Column("position", Integer, nullable=False),
    Column("points", Integer, nullable=False),
    _when("opens_at"),
    _when("due_at"),
    _when("closes_at"),
    Column("late", WORD, nullable=False),
    Column("late_share", Integer, nullable=False),
    Column("scoring", WORD, nullable=False),
    Column("counts", WORD, nullable=False),
    Column("attempts", Integer, nullable=True),
    Column("hint_share", Integer, nullable=False),
    Column("feedback", WORD, nullable=False),
    _when("reveal_at", nullable=True),
    Column("solution", WORD, nullable=False),
    Column("reserved", Boolean, nullable=False),
    _when("made_at"),
    _when("removed_at", nullable=True),
    CheckConstraint("opens_at <= due_at AND due_at <= closes_at", name="ck_assignments_dates"),
    Index(
        "uq_assignments_class_exercise",
        "class",
        "exercise",
        unique=True,
        sqlite_where=text("removed_at IS NULL"),  # on PostgreSQL too: by migration 0003 alone,
        # since naming that dialect here would load it in every process on SQLite
    ),
    Index(None, "exercise"),
)

extensions = Table(
    "extensions",
    metadata,
    _key("assignment", "assignments"),
    _key("enrolment", "enrolments"),
    _when("due_at", nullable=True),
    _when("closes_at", nullable=True),
    Column("attempts", Integer, nullable=True),
    Column("excused", Boolean, nullable=False),
    Column("note", Text, nullable=False),
    _to("by", "accounts", nullable=True),
    _when("at"),
)

overrides = Table(
    "overrides",
    metadata,
    _key("assignment", "assignments"),
    _key("enrolment", "enrolments"),
    Column("points", Integer, nullable=True),
    Column("held", Boolean, nullable=False),
    Column("reason", Text, nullable=False),
    Column("note", Text, nullable=False),
    _to("by", "accounts", nullable=True),
    _when("at"),
)

report_mistakes = Table(
    "report_mistakes",
    metadata,
    Column("submission", ID, ForeignKey("submissions.id"), primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("misconception", SLUG, nullable=False),
    Index(None, "misconception", "submission"),
)

regrades = Table(
    "regrades",
    metadata,
    Column("id", ID, primary_key=True),
    Column("exercise", SLUG, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("reason", Text, nullable=False),
    Column("rule", WORD, nullable=False),
    _to("by", "accounts", nullable=True),
    _to("class", "classes", nullable=True),
    _when("at"),
    Column("state", WORD, nullable=False),
    Index(None, "state"),
)


def _report() -> tuple[Column[object], ...]:
    """The columns of a report, kept aside."""
    return (
        Column("digest", String(64), nullable=True),
        Column("verdict", String(20), nullable=True),
        Column("passed", Integer, nullable=True),
        Column("total", Integer, nullable=True),
        Column("mask", Integer, nullable=True),
        Column("body", Text, nullable=True),
    )


past_reports = Table(
    "past_reports",
    metadata,
    _key("submission", "submissions"),
    Column("grading", Integer, primary_key=True),
    *_report(),
    _when("recorded_at"),
    _when("replaced_at"),
    _to("regrade", "regrades", nullable=True),
)

regraded = Table(
    "regraded",
    metadata,
    _key("regrade", "regrades"),
    _key("submission", "submissions"),
    *_report(),
    _when("judged_at", nullable=True),
)

exercise_versions = Table(
    "exercise_versions",
    metadata,
    Column("exercise", SLUG, primary_key=True),
    Column("digest", String(64), primary_key=True),
    Column("files", Text, nullable=False),
    _when("seen_at"),
)

audit = Table(
    "audit",
    metadata,
    Column("id", ID, primary_key=True),
    _when("at"),
    Column("actor", String(80), nullable=False),
    _to("class", "classes", nullable=True),
    Column("action", String(40), nullable=False),
    Column("object", String(80), nullable=False),
    Column("detail", Text, nullable=False),
    Index(None, "class", "id"),
)

deletion_requests = Table(
    "deletion_requests",
    metadata,
    _key("enrolment", "enrolments"),
    _when("at"),
    Column("answer", Text, nullable=False),
    _when("answered_at", nullable=True),
)
