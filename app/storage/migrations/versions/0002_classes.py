"""Classes and who is in them: accounts, sessions, staff, enrolments.

A migration is history: it spells its tables out and never imports `schema.py`, which moves on.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

ID = sa.String(36)
SLUG = sa.String(100)
HASH = sa.LargeBinary(32)
NAME = sa.String(200)
WORD = sa.String(20)
TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    _accounts()
    _classes()
    _lti_registrations()
    _account_links()
    _class_staff()
    _enrolments()
    _sessions()


def _accounts() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", ID, nullable=False),
        sa.Column("login", NAME, nullable=True),
        sa.Column("name", NAME, nullable=False),
        sa.Column("password", NAME, nullable=True),
        sa.Column("host", sa.Boolean(), nullable=False),
        sa.Column("made_at", TIME, nullable=False),
        sa.Column("disabled_at", TIME, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
        sa.UniqueConstraint("login", name="uq_accounts_login"),
    )


def _classes() -> None:
    op.create_table(
        "classes",
        sa.Column("id", ID, nullable=False),
        sa.Column("title", NAME, nullable=False),
        sa.Column("term", NAME, nullable=False),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.Column("join_code", sa.String(length=16), nullable=True),
        sa.Column("join_until", TIME, nullable=True),
        sa.Column("join_by", WORD, nullable=False),
        sa.Column("retention_days", sa.Integer(), nullable=False),
        sa.Column("made_at", TIME, nullable=False),
        sa.Column("archived_at", TIME, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_classes"),
        sa.UniqueConstraint("join_code", name="uq_classes_join_code"),
    )


def _lti_registrations() -> None:
    op.create_table(
        "lti_registrations",
        sa.Column("id", ID, nullable=False),
        sa.Column("issuer", sa.String(length=500), nullable=False),
        sa.Column("client_id", sa.String(length=255), nullable=False),
        sa.Column("auth_url", sa.Text(), nullable=False),
        sa.Column("token_url", sa.Text(), nullable=False),
        sa.Column("token_audience", sa.Text(), nullable=True),
        sa.Column("jwks_url", sa.Text(), nullable=False),
        sa.Column("origins", sa.Text(), nullable=False),
        sa.Column("name", NAME, nullable=False),
        sa.Column("state", WORD, nullable=False),
        sa.Column("made_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_lti_registrations"),
        sa.UniqueConstraint("issuer", "client_id", name="uq_lti_registrations_issuer_client_id"),
    )


def _account_links() -> None:
    op.create_table(
        "account_links",
        sa.Column("token_hash", HASH, nullable=False),
        sa.Column("account", ID, nullable=False),
        sa.Column("made_at", TIME, nullable=False),
        sa.Column("expires_at", TIME, nullable=False),
        sa.Column("used_at", TIME, nullable=True),
        sa.ForeignKeyConstraint(
            ["account"], ["accounts.id"], name="fk_account_links_account_accounts"
        ),
        sa.PrimaryKeyConstraint("token_hash", name="pk_account_links"),
    )


def _class_staff() -> None:
    op.create_table(
        "class_staff",
        sa.Column("class", ID, nullable=False),
        sa.Column("account", ID, nullable=False),
        sa.Column("role", WORD, nullable=False),
        sa.Column("added_at", TIME, nullable=False),
        sa.ForeignKeyConstraint(
            ["account"], ["accounts.id"], name="fk_class_staff_account_accounts"
        ),
        sa.ForeignKeyConstraint(["class"], ["classes.id"], name="fk_class_staff_class_classes"),
        sa.PrimaryKeyConstraint("class", "account", name="pk_class_staff"),
    )
    op.create_index("ix_class_staff_account", "class_staff", ["account"], unique=False)


def _enrolments() -> None:
    op.create_table(
        "enrolments",
        sa.Column("id", ID, nullable=False),
        sa.Column("class", ID, nullable=False),
        sa.Column("learner", ID, nullable=True),
        sa.Column("name", NAME, nullable=False),
        sa.Column("sort_name", NAME, nullable=False),
        sa.Column("student_id", NAME, nullable=True),
        sa.Column("campus_login", NAME, nullable=True),
        sa.Column("section", NAME, nullable=False),
        sa.Column("seat_hash", HASH, nullable=True),
        sa.Column("seat_until", TIME, nullable=True),
        sa.Column("state", WORD, nullable=False),
        sa.Column("joined_at", TIME, nullable=True),
        sa.Column("removed_at", TIME, nullable=True),
        sa.Column("merged_into", ID, nullable=True),
        sa.ForeignKeyConstraint(["class"], ["classes.id"], name="fk_enrolments_class_classes"),
        sa.ForeignKeyConstraint(
            ["learner"], ["learners.id"], name="fk_enrolments_learner_learners"
        ),
        sa.ForeignKeyConstraint(
            ["merged_into"], ["enrolments.id"], name="fk_enrolments_merged_into_enrolments"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_enrolments"),
        sa.UniqueConstraint("class", "learner", name="uq_enrolments_class_learner"),
        sa.UniqueConstraint("class", "student_id", name="uq_enrolments_class_student_id"),
        sa.UniqueConstraint("seat_hash", name="uq_enrolments_seat_hash"),
    )
    op.create_index("ix_enrolments_learner", "enrolments", ["learner"], unique=False)


def _sessions() -> None:
    op.create_table(
        "sessions",
        sa.Column("id_hash", HASH, nullable=False),
        sa.Column("account", ID, nullable=True),
        sa.Column("learner", ID, nullable=True),
        sa.Column("registration", ID, nullable=True),
        sa.Column("framed", sa.Boolean(), nullable=False),
        sa.Column("made_at", TIME, nullable=False),
        sa.Column("seen_at", TIME, nullable=False),
        sa.Column("expires_at", TIME, nullable=False),
        sa.CheckConstraint("(account IS NULL) <> (learner IS NULL)", name="ck_sessions_whose"),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name="fk_sessions_account_accounts"),
        sa.ForeignKeyConstraint(["learner"], ["learners.id"], name="fk_sessions_learner_learners"),
        sa.ForeignKeyConstraint(
            ["registration"],
            ["lti_registrations.id"],
            name="fk_sessions_registration_lti_registrations",
        ),
        sa.PrimaryKeyConstraint("id_hash", name="pk_sessions"),
    )
    op.create_index("ix_sessions_account", "sessions", ["account"], unique=False)
    op.create_index("ix_sessions_expires_at", "sessions", ["expires_at"], unique=False)


def downgrade() -> None:
    for table in (
        "sessions",
        "enrolments",
        "class_staff",
        "account_links",
        "lti_registrations",
        "classes",
        "accounts",
    ):
        op.drop_table(table)
