"""The tables of campus systems that speak LTI 1.3; `lti_registrations` stands with the sessions."""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from app.storage.schema import HASH, ID, UtcTime, metadata

lti_keys = Table(
    "lti_keys",
    metadata,
    Column("kid", String(64), primary_key=True),
    Column("private", LargeBinary, nullable=False),
    Column("made_at", UtcTime, nullable=False),
    Column("signs_from", UtcTime, nullable=False),
    Column("retired_at", UtcTime, nullable=True),
)

lti_offers = Table(
    "lti_offers",
    metadata,
    Column("token_hash", HASH, primary_key=True),
    Column("by", ID, ForeignKey("accounts.id"), nullable=True),
    Column("expires_at", UtcTime, nullable=False),
    Column("used_at", UtcTime, nullable=True),
)

lti_deployments = Table(
    "lti_deployments",
    metadata,
    Column("registration", ID, ForeignKey("lti_registrations.id"), primary_key=True),
    Column("deployment", String(255), primary_key=True),
    Column("state", String(20), nullable=False),
    Column("first_seen", UtcTime, nullable=False),
)

lti_contexts = Table(
    "lti_contexts",
    metadata,
    Column("id", ID, primary_key=True),
    Column("registration", ID, ForeignKey("lti_registrations.id"), nullable=False),
    Column("deployment", String(255), nullable=False),
    Column("context", String(255), nullable=False),
    Column("class", ID, ForeignKey("classes.id"), nullable=True),
    Column("title", Text, nullable=False),
    Column("lineitems_url", Text, nullable=True),
    Column("nrps_url", Text, nullable=True),
    Column("scopes", Text, nullable=False),
    Column("synced_at", UtcTime, nullable=True),
    UniqueConstraint("registration", "deployment", "context"),
    Index(None, "class"),
)

lti_links = Table(
    "lti_links",
    metadata,
    Column("context", ID, ForeignKey("lti_contexts.id"), primary_key=True),
    Column("resource_link", String(255), primary_key=True),
    Column("assignment", ID, ForeignKey("assignments.id"), nullable=True),
    Column("lineitem_url", Text, nullable=True),
)

lti_identities = Table(
    "lti_identities",
    metadata,
    Column("registration", ID, ForeignKey("lti_registrations.id"), primary_key=True),
    Column("subject", String(255), primary_key=True),
    Column("learner", ID, ForeignKey("learners.id"), nullable=True),
    Column("account", ID, ForeignKey("accounts.id"), nullable=True),
    CheckConstraint("learner IS NOT NULL OR account IS NOT NULL", name="ck_lti_identities_whose"),
    Index(None, "learner"),
    Index(None, "account"),
)

lti_states = Table(
    "lti_states",
    metadata,
    Column("state_hash", HASH, primary_key=True),
    Column("nonce_hash", HASH, nullable=False),
    Column("registration", ID, ForeignKey("lti_registrations.id"), nullable=False),
    Column("target", Text, nullable=False),
    Column("deployment", String(255), nullable=True),
    Column("storage_target", Text, nullable=True),
    Column("made_at", UtcTime, nullable=False),
    Column("expires_at", UtcTime, nullable=False),
    Column("used_at", UtcTime, nullable=True),
    Index(None, "expires_at"),
)

lti_tickets = Table(
    "lti_tickets",
    metadata,
    Column("token_hash", HASH, primary_key=True),
    Column("registration", ID, ForeignKey("lti_registrations.id"), nullable=False),
    Column("path", Text, nullable=False),
    Column("then", String(20), nullable=False),
    Column("launch", Text, nullable=False),
    Column("expires_at", UtcTime, nullable=False),
    Column("course", ID, ForeignKey("lti_contexts.id"), nullable=True),
    Column("learner", ID, ForeignKey("learners.id"), nullable=True),
    Column("account", ID, ForeignKey("accounts.id"), nullable=True),
    Index(None, "expires_at"),
    Index(None, "learner"),
)

lti_scores = Table(
    "lti_scores",
    metadata,
    Column("assignment", ID, ForeignKey("assignments.id"), primary_key=True),
    Column("enrolment", ID, ForeignKey("enrolments.id"), primary_key=True),
    Column("lineitem", Text, nullable=False),
    Column("points", Integer, nullable=False),
    Column("max", Integer, nullable=False),
    Column("submitted_at", UtcTime, nullable=True),
    Column("as_of", UtcTime, nullable=False),
    Column("state", String(20), nullable=False),
    Column("tries", Integer, nullable=False),
    Column("next_at", UtcTime, nullable=False),
    Column("sent_as_of", UtcTime, nullable=True),
    Column("error", Text, nullable=False),
    Index(None, "state", "next_at"),
)
