"""The first schema: learners and their work.

A migration is history: it spells its tables out and never imports `schema.py`, which moves on.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

ID = sa.String(36)
SLUG = sa.String(100)
HASH = sa.LargeBinary(32)
TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    _people()
    _submissions()
    _ladder()
    _drafts_and_links()


def _learner_key() -> sa.Column[str]:
    return sa.Column("learner", ID, nullable=False)


def _learner_exists(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["learner"], ["learners.id"], name=f"fk_{table}_learner_learners"
    )


def _people() -> None:
    op.create_table(
        "learners",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(80), nullable=False, server_default=""),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("joined_to", ID, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_learners"),
        sa.ForeignKeyConstraint(
            ["joined_to"], ["learners.id"], name="fk_learners_joined_to_learners"
        ),
    )
    op.create_index("ix_learners_joined_to", "learners", ["joined_to"])
    op.create_table(
        "recovery_codes",
        _learner_key(),
        sa.Column("code_hash", HASH, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("learner", name="pk_recovery_codes"),
        sa.UniqueConstraint("code_hash", name="uq_recovery_codes_code_hash"),
        _learner_exists("recovery_codes"),
    )


def _submissions() -> None:
    op.create_table(
        "sources",
        sa.Column("hash", HASH, nullable=False),
        sa.Column("text", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_sources"),
    )
    op.create_table(
        "submissions",
        sa.Column("id", ID, nullable=False),
        _learner_key(),
        sa.Column("exercise", SLUG, nullable=False),
        sa.Column("source", HASH, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("idempotency_key", sa.String(255), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_submissions"),
        _learner_exists("submissions"),
        sa.ForeignKeyConstraint(["source"], ["sources.hash"], name="fk_submissions_source_sources"),
        sa.UniqueConstraint(
            "learner",
            "exercise",
            "source",
            "idempotency_key",
            name="uq_submissions_learner_exercise_source_idempotency_key",
        ),
    )
    op.create_index(
        "ix_submissions_learner_exercise_id", "submissions", ["learner", "exercise", "id"]
    )
    op.create_table(
        "reports",
        sa.Column("submission", ID, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("verdict", sa.String(20), nullable=False),
        sa.Column("passed", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("recorded_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("submission", name="pk_reports"),
        sa.ForeignKeyConstraint(
            ["submission"], ["submissions.id"], name="fk_reports_submission_submissions"
        ),
    )


def _ladder() -> None:
    op.create_table(
        "hint_reveals",
        _learner_key(),
        sa.Column("exercise", SLUG, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("revealed_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("learner", "exercise", "number", name="pk_hint_reveals"),
        _learner_exists("hint_reveals"),
    )
    op.create_table(
        "solution_reveals",
        _learner_key(),
        sa.Column("exercise", SLUG, nullable=False),
        sa.Column("revealed_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("learner", "exercise", name="pk_solution_reveals"),
        _learner_exists("solution_reveals"),
    )
    op.create_table(
        "follow_up_answers",
        _learner_key(),
        sa.Column("exercise", SLUG, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("text", sa.LargeBinary, nullable=False),
        sa.Column("outcome", sa.String(20), nullable=False),
        sa.Column("answered_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("learner", "exercise", "number", name="pk_follow_up_answers"),
        _learner_exists("follow_up_answers"),
    )


def _drafts_and_links() -> None:
    op.create_table(
        "drafts",
        _learner_key(),
        sa.Column("exercise", SLUG, nullable=False),
        sa.Column("device", sa.String(64), nullable=False),
        sa.Column("version", ID, nullable=False),
        sa.Column("source", sa.LargeBinary, nullable=False),
        sa.Column("saved_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("learner", "exercise", "device", name="pk_drafts"),
        _learner_exists("drafts"),
    )
    op.create_table(
        "shares",
        sa.Column("submission", ID, nullable=False),
        sa.Column("token_hash", HASH, nullable=False),
        sa.Column("nonce", sa.LargeBinary(16), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("submission", name="pk_shares"),
        sa.UniqueConstraint("token_hash", name="uq_shares_token_hash"),
        sa.ForeignKeyConstraint(
            ["submission"], ["submissions.id"], name="fk_shares_submission_submissions"
        ),
    )


def downgrade() -> None:
    for table in (
        "shares",
        "drafts",
        "follow_up_answers",
        "solution_reveals",
        "hint_reveals",
        "reports",
        "submissions",
        "sources",
        "recovery_codes",
        "learners",
    ):
        op.drop_table(table)
