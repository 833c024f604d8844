"""What reports share, once; how far those of before are small, and up to where all are judged."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "report_parts",
        sa.Column("hash", sa.LargeBinary(32), nullable=False),
        sa.Column("text", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_report_parts"),
    )
    op.create_table(
        "report_shrinking",
        sa.Column("name", sa.String(20), nullable=False),
        sa.Column("up_to", sa.String(36), nullable=False),
        sa.Column("until", sa.String(36), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_report_shrinking"),
    )
    op.execute(
        "INSERT INTO report_shrinking (name, up_to, until) "
        "SELECT 'reports', '', COALESCE(MAX(submission), '') FROM reports"
    )
    op.execute("INSERT INTO report_shrinking (name, up_to, until) VALUES ('judged', '', '')")
