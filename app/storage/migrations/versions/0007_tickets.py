"""Tickets of people whom a campus brought in; and whose a source is, found without a scan."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from app.storage.schema import UtcTime

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "lti_tickets",
        sa.Column("token_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("registration", sa.String(36), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("then", sa.String(20), nullable=False),
        sa.Column("launch", sa.Text(), nullable=False),
        sa.Column("expires_at", UtcTime(), nullable=False),
        sa.Column("course", sa.String(36), nullable=True),
        sa.Column("learner", sa.String(36), nullable=True),
        sa.Column("account", sa.String(36), nullable=True),
        sa.ForeignKeyConstraint(
            ["registration"],
            ["lti_registrations.id"],
            name="fk_lti_tickets_registration_lti_registrations",
        ),
        sa.ForeignKeyConstraint(
            ["course"], ["lti_contexts.id"], name="fk_lti_tickets_course_lti_contexts"
        ),
        sa.ForeignKeyConstraint(
            ["learner"], ["learners.id"], name="fk_lti_tickets_learner_learners"
        ),
        sa.ForeignKeyConstraint(
            ["account"], ["accounts.id"], name="fk_lti_tickets_account_accounts"
        ),
        sa.PrimaryKeyConstraint("token_hash", name="pk_lti_tickets"),
    )
    op.create_index("ix_lti_tickets_expires_at", "lti_tickets", ["expires_at"])
    op.create_index("ix_lti_tickets_learner", "lti_tickets", ["learner"])
    op.create_index("ix_submissions_source", "submissions", ["source"])
