"""Second looks at accepted submissions, and the holes in the tests that they find."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

SLUG = sa.String(100)
DIGEST = sa.String(64)
TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "second_looks",
        sa.Column("submission", sa.String(36), nullable=False),
        sa.Column("exercise", SLUG, nullable=False),
        sa.Column("digest", DIGEST, nullable=False),
        sa.Column("looked_at", TIME, nullable=False),
        sa.Column("draw", sa.Integer(), nullable=True),
        sa.Column("test", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["submission"], ["submissions.id"], name="fk_second_looks_submission_submissions"
        ),
        sa.PrimaryKeyConstraint("submission", name="pk_second_looks"),
    )
    op.create_index(
        "ix_second_looks_exercise_digest_draw",
        "second_looks",
        ["exercise", "digest", "draw"],
        unique=False,
    )
    op.create_table(
        "holes",
        sa.Column("exercise", SLUG, nullable=False),
        sa.Column("digest", DIGEST, nullable=False),
        sa.Column("draw", sa.Integer(), nullable=False),
        sa.Column("found_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("exercise", "digest", "draw", name="pk_holes"),
    )


def downgrade() -> None:
    op.drop_table("holes")
    op.drop_table("second_looks")
