"""Campus systems that speak LTI 1.3: keys, registrations, courses, people, scores to send."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

ID = sa.String(36)
SLUG = sa.String(100)
HASH = sa.LargeBinary(32)
NAME = sa.String(200)
WORD = sa.String(20)
TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    _lti_keys()
    _lti_contexts()
    _lti_deployments()
    _lti_identities()
    _lti_offers()
    _lti_states()
    _lti_links()
    _lti_scores()


def _lti_keys() -> None:
    op.create_table(
        "lti_keys",
        sa.Column("kid", sa.String(length=64), nullable=False),
        sa.Column("private", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", TIME, nullable=False),
        sa.Column("signs_from", TIME, nullable=False),
        sa.Column("retired_at", TIME, nullable=True),
        sa.PrimaryKeyConstraint("kid", name="pk_lti_keys"),
    )


def _lti_contexts() -> None:
    op.create_table(
        "lti_contexts",
        sa.Column("id", ID, nullable=False),
        sa.Column("registration", ID, nullable=False),
        sa.Column("deployment", sa.String(length=255), nullable=False),
        sa.Column("context", sa.String(length=255), nullable=False),
        sa.Column("class", ID, nullable=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("lineitems_url", sa.Text(), nullable=True),
        sa.Column("nrps_url", sa.Text(), nullable=True),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("synced_at", TIME, nullable=True),
        sa.ForeignKeyConstraint(["class"], ["classes.id"], name="fk_lti_contexts_class_classes"),
        sa.ForeignKeyConstraint(
            ["registration"],
            ["lti_registrations.id"],
            name="fk_lti_contexts_registration_lti_registrations",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_lti_contexts"),
        sa.UniqueConstraint(
            "registration",
            "deployment",
            "context",
            name="uq_lti_contexts_registration_deployment_context",
        ),
    )
    op.create_index("ix_lti_contexts_class", "lti_contexts", ["class"], unique=False)


def _lti_deployments() -> None:
    op.create_table(
        "lti_deployments",
        sa.Column("registration", ID, nullable=False),
        sa.Column("deployment", sa.String(length=255), nullable=False),
        sa.Column("state", WORD, nullable=False),
        sa.Column("first_seen", TIME, nullable=False),
        sa.ForeignKeyConstraint(
            ["registration"],
            ["lti_registrations.id"],
            name="fk_lti_deployments_registration_lti_registrations",
        ),
        sa.PrimaryKeyConstraint("registration", "deployment", name="pk_lti_deployments"),
    )


def _lti_identities() -> None:
    op.create_table(
        "lti_identities",
        sa.Column("registration", ID, nullable=False),
        sa.Column("subject", sa.String(length=255), nullable=False),
        sa.Column("learner", ID, nullable=True),
        sa.Column("account", ID, nullable=True),
        sa.CheckConstraint(
            "learner IS NOT NULL OR account IS NOT NULL", name="ck_lti_identities_whose"
        ),
        sa.ForeignKeyConstraint(
            ["account"], ["accounts.id"], name="fk_lti_identities_account_accounts"
        ),
        sa.ForeignKeyConstraint(
            ["learner"], ["learners.id"], name="fk_lti_identities_learner_learners"
        ),
        sa.ForeignKeyConstraint(
            ["registration"],
            ["lti_registrations.id"],
            name="fk_lti_identities_registration_lti_registrations",
        ),
        sa.PrimaryKeyConstraint("registration", "subject", name="pk_lti_identities"),
    )
    op.create_index("ix_lti_identities_account", "lti_identities", ["account"], unique=False)
    op.create_index("ix_lti_identities_learner", "lti_identities", ["learner"], unique=False)


def _lti_offers() -> None:
    op.create_table(
        "lti_offers",
        sa.Column("token_hash", HASH, nullable=False),
        sa.Column("by", ID, nullable=True),
        sa.Column("expires_at", TIME, nullable=False),
        sa.Column("used_at", TIME, nullable=True),
        sa.ForeignKeyConstraint(["by"], ["accounts.id"], name="fk_lti_offers_by_accounts"),
        sa.PrimaryKeyConstraint("token_hash", name="pk_lti_offers"),
    )


def _lti_states() -> None:
    op.create_table(
        "lti_states",
        sa.Column("state_hash", HASH, nullable=False),
        sa.Column("nonce_hash", HASH, nullable=False),
        sa.Column("registration", ID, nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("deployment", sa.String(length=255), nullable=True),
        sa.Column("storage_target", sa.Text(), nullable=True),
        sa.Column("made_at", TIME, nullable=False),
        sa.Column("expires_at", TIME, nullable=False),
        sa.Column("used_at", TIME, nullable=True),
        sa.ForeignKeyConstraint(
            ["registration"],
            ["lti_registrations.id"],
            name="fk_lti_states_registration_lti_registrations",
        ),
        sa.PrimaryKeyConstraint("state_hash", name="pk_lti_states"),
    )
    op.create_index("ix_lti_states_expires_at", "lti_states", ["expires_at"], unique=False)


def _lti_links() -> None:
    op.create_table(
        "lti_links",
        sa.Column("context", ID, nullable=False),
        sa.Column("resource_link", sa.String(length=255), nullable=False),
        sa.Column("assignment", ID, nullable=True),
        sa.Column("lineitem_url", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["assignment"], ["assignments.id"], name="fk_lti_links_assignment_assignments"
        ),
        sa.ForeignKeyConstraint(
            ["context"], ["lti_contexts.id"], name="fk_lti_links_context_lti_contexts"
        ),
        sa.PrimaryKeyConstraint("context", "resource_link", name="pk_lti_links"),
    )


def _lti_scores() -> None:
    op.create_table(
        "lti_scores",
        sa.Column("assignment", ID, nullable=False),
        sa.Column("enrolment", ID, nullable=False),
        sa.Column("lineitem", sa.Text(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("max", sa.Integer(), nullable=False),
        sa.Column("submitted_at", TIME, nullable=True),
        sa.Column("as_of", TIME, nullable=False),
        sa.Column("state", WORD, nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("next_at", TIME, nullable=False),
        sa.Column("sent_as_of", TIME, nullable=True),
        sa.Column("error", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment"], ["assignments.id"], name="fk_lti_scores_assignment_assignments"
        ),
        sa.ForeignKeyConstraint(
            ["enrolment"], ["enrolments.id"], name="fk_lti_scores_enrolment_enrolments"
        ),
        sa.PrimaryKeyConstraint("assignment", "enrolment", name="pk_lti_scores"),
    )
    op.create_index("ix_lti_scores_state_next_at", "lti_scores", ["state", "next_at"], unique=False)


def downgrade() -> None:
    for table in (
        "lti_scores",
        "lti_links",
        "lti_states",
        "lti_offers",
        "lti_identities",
        "lti_deployments",
        "lti_contexts",
        "lti_keys",
    ):
        op.drop_table(table)
