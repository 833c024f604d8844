"""Assignments, what staff decided, and what the board reads of reports.

The columns that are new in `reports` are filled from the reports kept so far.
"""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from alembic import context, op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

ID = sa.String(36)
SLUG = sa.String(100)
HASH = sa.LargeBinary(32)
NAME = sa.String(200)
WORD = sa.String(20)
TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    _exercise_versions()
    _assignments()
    _audit()
    _regrades()
    _deletion_requests()
    _extensions()
    _overrides()
    _past_reports()
    _regraded()
    _report_mistakes()
    _submissions()
    _reports()


def _exercise_versions() -> None:
    op.create_table(
        "exercise_versions",
        sa.Column("exercise", SLUG, nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("files", sa.Text(), nullable=False),
        sa.Column("seen_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("exercise", "digest", name="pk_exercise_versions"),
    )


def _assignments() -> None:
    op.create_table(
        "assignments",
        sa.Column("id", ID, nullable=False),
        sa.Column("class", ID, nullable=False),
        sa.Column("exercise", SLUG, nullable=False),
        sa.Column("title", NAME, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("opens_at", TIME, nullable=False),
        sa.Column("due_at", TIME, nullable=False),
        sa.Column("closes_at", TIME, nullable=False),
        sa.Column("late", WORD, nullable=False),
        sa.Column("late_share", sa.Integer(), nullable=False),
        sa.Column("scoring", WORD, nullable=False),
        sa.Column("counts", WORD, nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=True),
        sa.Column("hint_share", sa.Integer(), nullable=False),
        sa.Column("feedback", WORD, nullable=False),
        sa.Column("reveal_at", TIME, nullable=True),
        sa.Column("solution", WORD, nullable=False),
        sa.Column("reserved", sa.Boolean(), nullable=False),
        sa.Column("made_at", TIME, nullable=False),
        sa.Column("removed_at", TIME, nullable=True),
        sa.CheckConstraint(
            "opens_at <= due_at AND due_at <= closes_at", name="ck_assignments_dates"
        ),
        sa.ForeignKeyConstraint(["class"], ["classes.id"], name="fk_assignments_class_classes"),
        sa.PrimaryKeyConstraint("id", name="pk_assignments"),
    )
    op.create_index("ix_assignments_exercise", "assignments", ["exercise"], unique=False)
    op.create_index(
        "uq_assignments_class_exercise",
        "assignments",
        ["class", "exercise"],
        unique=True,
        sqlite_where=sa.text("removed_at IS NULL"),
        postgresql_where=sa.text("removed_at IS NULL"),
    )


def _audit() -> None:
    op.create_table(
        "audit",
        sa.Column("id", ID, nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.Column("actor", sa.String(length=80), nullable=False),
        sa.Column("class", ID, nullable=True),
        sa.Column("action", sa.String(length=40), nullable=False),
        sa.Column("object", sa.String(length=80), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["class"], ["classes.id"], name="fk_audit_class_classes"),
        sa.PrimaryKeyConstraint("id", name="pk_audit"),
    )
    op.create_index("ix_audit_class_id", "audit", ["class", "id"], unique=False)


def _regrades() -> None:
    op.create_table(
        "regrades",
        sa.Column("id", ID, nullable=False),
        sa.Column("exercise", SLUG, nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("rule", WORD, nullable=False),
        sa.Column("by", ID, nullable=True),
        sa.Column("class", ID, nullable=True),
        sa.Column("at", TIME, nullable=False),
        sa.Column("state", WORD, nullable=False),
        sa.ForeignKeyConstraint(["by"], ["accounts.id"], name="fk_regrades_by_accounts"),
        sa.ForeignKeyConstraint(["class"], ["classes.id"], name="fk_regrades_class_classes"),
        sa.PrimaryKeyConstraint("id", name="pk_regrades"),
    )
    op.create_index("ix_regrades_state", "regrades", ["state"], unique=False)


def _deletion_requests() -> None:
    op.create_table(
        "deletion_requests",
        sa.Column("enrolment", ID, nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("answered_at", TIME, nullable=True),
        sa.ForeignKeyConstraint(
            ["enrolment"], ["enrolments.id"], name="fk_deletion_requests_enrolment_enrolments"
        ),
        sa.PrimaryKeyConstraint("enrolment", name="pk_deletion_requests"),
    )


def _extensions() -> None:
    op.create_table(
        "extensions",
        sa.Column("assignment", ID, nullable=False),
        sa.Column("enrolment", ID, nullable=False),
        sa.Column("due_at", TIME, nullable=True),
        sa.Column("closes_at", TIME, nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=True),
        sa.Column("excused", sa.Boolean(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("by", ID, nullable=True),
        sa.Column("at", TIME, nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment"], ["assignments.id"], name="fk_extensions_assignment_assignments"
        ),
        sa.ForeignKeyConstraint(["by"], ["accounts.id"], name="fk_extensions_by_accounts"),
        sa.ForeignKeyConstraint(
            ["enrolment"], ["enrolments.id"], name="fk_extensions_enrolment_enrolments"
        ),
        sa.PrimaryKeyConstraint("assignment", "enrolment", name="pk_extensions"),
    )


def _overrides() -> None:
    op.create_table(
        "overrides",
        sa.Column("assignment", ID, nullable=False),
        sa.Column("enrolment", ID, nullable=False),
        sa.Column("points", sa.Integer(), nullable=True),
        sa.Column("held", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("by", ID, nullable=True),
        sa.Column("at", TIME, nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment"], ["assignments.id"], name="fk_overrides_assignment_assignments"
        ),
        sa.ForeignKeyConstraint(["by"], ["accounts.id"], name="fk_overrides_by_accounts"),
        sa.ForeignKeyConstraint(
            ["enrolment"], ["enrolments.id"], name="fk_overrides_enrolment_enrolments"
        ),
        sa.PrimaryKeyConstraint("assignment", "enrolment", name="pk_overrides"),
    )


def _past_reports() -> None:
    op.create_table(
        "past_reports",
        sa.Column("submission", ID, nullable=False),
        sa.Column("grading", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=True),
        sa.Column("verdict", WORD, nullable=True),
        sa.Column("passed", sa.Integer(), nullable=True),
        sa.Column("total", sa.Integer(), nullable=True),
        sa.Column("mask", sa.Integer(), nullable=True),
        sa.Column("body", sa.Text(), nullable=True),
        sa.Column("recorded_at", TIME, nullable=False),
        sa.Column("replaced_at", TIME, nullable=False),
        sa.Column("regrade", ID, nullable=True),
        sa.ForeignKeyConstraint(
            ["regrade"], ["regrades.id"], name="fk_past_reports_regrade_regrades"
        ),
        sa.ForeignKeyConstraint(
            ["submission"], ["submissions.id"], name="fk_past_reports_submission_submissions"
        ),
        sa.PrimaryKeyConstraint("submission", "grading", name="pk_past_reports"),
    )


def _regraded() -> None:
    op.create_table(
        "regraded",
        sa.Column("regrade", ID, nullable=False),
        sa.Column("submission", ID, nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=True),
        sa.Column("verdict", WORD, nullable=True),
        sa.Column("passed", sa.Integer(), nullable=True),
        sa.Column("total", sa.Integer(), nullable=True),
        sa.Column("mask", sa.Integer(), nullable=True),
        sa.Column("body", sa.Text(), nullable=True),
        sa.Column("judged_at", TIME, nullable=True),
        sa.ForeignKeyConstraint(["regrade"], ["regrades.id"], name="fk_regraded_regrade_regrades"),
        sa.ForeignKeyConstraint(
            ["submission"], ["submissions.id"], name="fk_regraded_submission_submissions"
        ),
        sa.PrimaryKeyConstraint("regrade", "submission", name="pk_regraded"),
    )


def _report_mistakes() -> None:
    op.create_table(
        "report_mistakes",
        sa.Column("submission", ID, nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("misconception", SLUG, nullable=False),
        sa.ForeignKeyConstraint(
            ["submission"], ["submissions.id"], name="fk_report_mistakes_submission_submissions"
        ),
        sa.PrimaryKeyConstraint("submission", "place", name="pk_report_mistakes"),
    )
    op.create_index(
        "ix_report_mistakes_misconception_submission",
        "report_mistakes",
        ["misconception", "submission"],
        unique=False,
    )


def _submissions() -> None:
    op.add_column("submissions", sa.Column("attempted_at", TIME, nullable=True))


def _reports() -> None:
    """What the board reads stands in columns of its own; earlier reports are given theirs."""
    op.add_column("reports", sa.Column("grading", sa.Integer, nullable=False, server_default="0"))
    op.add_column("reports", sa.Column("mask", sa.Integer, nullable=True))
    op.create_index(
        "ix_reports_submission_verdict_passed_total_mask_recorded_at",
        "reports",
        ["submission", "verdict", "passed", "total", "mask", "recorded_at"],
    )
    if not context.is_offline_mode():
        _read_bodies(op.get_bind())


def _read_bodies(connection: sa.Connection) -> None:
    """Some hundreds at a time: a term's reports need not fit into memory."""
    last = ""
    query = sa.text(
        "SELECT submission, body FROM reports WHERE submission > :last "
        "ORDER BY submission LIMIT 500"
    )
    while rows := connection.execute(query, {"last": last}).all():
        last = rows[-1].submission
        for row in rows:
            _read_body(connection, row.submission, json.loads(row.body))


def _read_body(connection: sa.Connection, submission: str, report: dict[str, Any]) -> None:
    tests = report.get("tests") or []
    mask = sum((test.get("verdict") == "accepted") << n for n, test in enumerate(tests))
    connection.execute(
        sa.text("UPDATE reports SET mask = :mask WHERE submission = :submission"),
        {"mask": mask, "submission": submission},
    )
    told = report.get("diagnosis") or {}
    for place, one in enumerate(told.get("mistakes") or ([told] if told else [])):
        connection.execute(
            sa.text("INSERT INTO report_mistakes VALUES (:submission, :place, :misconception)"),
            {"submission": submission, "place": place, "misconception": one["misconception"]},
        )


def downgrade() -> None:
    op.drop_index("ix_reports_submission_verdict_passed_total_mask_recorded_at", "reports")
    with op.batch_alter_table("reports") as reports:
        reports.drop_column("mask")
        reports.drop_column("grading")
    with op.batch_alter_table("submissions") as submissions:
        submissions.drop_column("attempted_at")
    for table in (
        "report_mistakes",
        "regraded",
        "past_reports",
        "overrides",
        "extensions",
        "deletion_requests",
        "regrades",
        "audit",
        "assignments",
        "exercise_versions",
    ):
        op.drop_table(table)
