"""A database of each earlier schema is brought up to date with everything that is in it."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from alembic import command
from alembic.config import Config

from app.model import LearnerId, Slug, SubmissionId
from app.storage.database import Database
from app.storage.store import SqlStore

DIAGNOSIS = {"misconception": "no-scale", "title": "Not scaled", "message": "", "hint": 2}


def at_version(path: Path, revision: str) -> None:
    """An empty database as an earlier release left it."""
    config = Config()
    config.set_main_option("script_location", "app:storage/migrations")
    database = Database(f"sqlite:///{path}")
    with database.write() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    database.close()


def filled(path: Path, reports: int) -> None:
    """A learner with reports: the first all right, the others off at tests 1 and 4."""
    with sqlite3.connect(path) as connection:
        connection.execute(
            "INSERT INTO learners VALUES ('ann', 'Ann', '2026-01-01 00:00:00', NULL)"
        )
        connection.execute("INSERT INTO sources VALUES (x'00', x'78')")
        for n in range(reports):
            right = [True] * 6 if n == 0 else [True, False, True, True, False, True]
            body = {
                "verdict": "accepted" if all(right) else "wrong_answer",
                "passed": sum(right),
                "total": 6,
                "tests": [{"verdict": "accepted" if r else "wrong_answer"} for r in right],
                "diagnosis": None if all(right) else DIAGNOSIS,
            }
            connection.execute(
                "INSERT INTO submissions VALUES (?, 'ann', 'softmax', x'00', ?, NULL)",
                (f"s{n:04}", "2026-01-02 00:00:00"),
            )
            connection.execute(
                "INSERT INTO reports VALUES (?, 'd', ?, ?, 6, ?, '2026-01-02 00:00:01')",
                (f"s{n:04}", body["verdict"], body["passed"], json.dumps(body)),
            )
    connection.close()


def test_the_first_schema_is_upgraded_and_its_reports_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "mlgrind.db"
    at_version(path, "0001")
    filled(path, reports=1_201)
    store = SqlStore(f"sqlite:///{path}")
    found = store.submissions.get(SubmissionId("s1200"))
    history = store.submissions.history(LearnerId("ann"), Slug("softmax"))
    store.close()
    assert found is not None
    assert found.report is not None
    assert found.report["passed"] == 4
    assert len(history) == 500
    with sqlite3.connect(path) as connection:
        masks = connection.execute("SELECT mask, count(*) FROM reports GROUP BY mask").fetchall()
        named = connection.execute(
            "SELECT misconception, place, count(*) FROM report_mistakes GROUP BY 1, 2"
        ).fetchall()
    connection.close()
    assert sorted(masks) == [(0b101101, 1_200), (0b111111, 1)]
    assert named == [("no-scale", 0, 1_200)]


def test_a_report_on_nothing_that_ran_is_upgraded_too(tmp_path: Path) -> None:
    """Reports of our own faults and of early releases lack keys."""
    path = tmp_path / "mlgrind.db"
    at_version(path, "0001")
    filled(path, reports=1)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE reports SET body = '{}'")
    connection.close()
    SqlStore(f"sqlite:///{path}").close()
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT mask FROM reports").fetchall() == [(0,)]
    connection.close()
