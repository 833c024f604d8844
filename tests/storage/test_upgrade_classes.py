"""A database with a class in it, of each schema that had classes: the grades stay what they were.

Ten points, due 4 December 2026, 10 % a day late, 5 % a hint: Ann has 4 of 6 with one hint open, on
time (10 × 4/6 × 0.95 = 6.33); Ben has all six on the second late day (10 × 0.8 = 8.00), and
7.50 by hand; Cem is excused; Dan has more time and 3 of 6 (5.00).
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory

from app.model.classes import ClassId
from app.storage.migrate import VERSIONS
from tests.service.school_world import world
from tests.storage.test_upgrade import at_version

REVISIONS = sorted(
    script.revision for script in ScriptDirectory(str(VERSIONS)).walk_revisions()
)  # fmt: skip
WITH_ASSIGNMENTS = [one for one in REVISIONS if one >= "0003"]
MADE = "2026-11-01 00:00:00"
DUE = "2026-12-04 22:59:00"  # 23:59 in Berlin
LATER = "2026-12-20 22:59:00"


def put(connection: sqlite3.Connection, table: str, **row: object) -> None:
    """A row, in the columns that this schema has."""
    names = ", ".join(f'"{name}"' for name in row)
    marks = ", ".join("?" for _ in row)
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(row.values()))  # noqa: S608 (our own names)


def tried(connection: sqlite3.Connection, who: str, at: str, passed: int) -> None:
    """A learner's one try, with its report."""
    tests = [{"verdict": "accepted" if n < passed else "wrong_answer"} for n in range(6)]
    verdict = "accepted" if passed == 6 else "wrong_answer"
    body = {"verdict": verdict, "passed": passed, "total": 6, "tests": tests, "diagnosis": None}
    put(
        connection, "submissions", id=f"s-{who}", learner=who, exercise="stable-softmax",
        source=b"\x00" * 32, created_at=at,
    )  # fmt: skip
    put(
        connection, "reports", submission=f"s-{who}", digest="d1", verdict=verdict, passed=passed,
        total=6, body=json.dumps(body), recorded_at=at, grading=0, mask=2**passed - 1,
    )  # fmt: skip


def filled(path: Path) -> None:
    """A class of four, as its rows were written."""
    with sqlite3.connect(path) as connection:
        put(connection, "sources", hash=b"\x00" * 32, text=b"x = 1")
        put(connection, "accounts", id="eva", login="eva", name="Eva", host=1, made_at=MADE)
        put(
            connection, "classes", id="c1", title="Deep Learning", term="", zone="Europe/Berlin",
            join_code="ABCDEFGHJK", join_by="name", retention_days=550, made_at=MADE,
        )  # fmt: skip
        row = {"class": "c1", "account": "eva", "role": "instructor", "added_at": MADE}
        put(connection, "class_staff", **row)
        for who in ("ann", "ben", "cem", "dan"):
            put(connection, "learners", id=who, name=who, created_at=MADE)
            put(
                connection, "enrolments", id=f"e-{who}", learner=who, name=who.title(),
                sort_name=who, section="", state="active", joined_at=MADE, **{"class": "c1"},
            )  # fmt: skip
        put(
            connection, "assignments", id="a1", exercise="stable-softmax", title="Softmax",
            position=1, points=1000, opens_at=MADE, due_at=DUE, closes_at=LATER, late="per_day",
            late_share=1000, scoring="share", counts="best", hint_share=500, feedback="full",
            solution="usual", reserved=0, made_at=MADE, **{"class": "c1"},
        )  # fmt: skip
        put(
            connection, "hint_reveals", learner="ann", exercise="stable-softmax", number=1,
            revealed_at="2026-12-01 09:00:00",
        )  # fmt: skip
        tried(connection, "ann", "2026-12-01 10:00:00", 4)
        tried(connection, "ben", "2026-12-06 10:00:00", 6)
        tried(connection, "dan", "2026-12-06 10:00:00", 3)
        given = {"assignment": "a1", "note": "", "at": MADE}
        put(connection, "extensions", enrolment="e-cem", excused=1, **given)
        put(connection, "extensions", enrolment="e-dan", excused=0, due_at=LATER, **given)
        put(connection, "overrides", enrolment="e-ben", points=750, held=0, reason="seen", **given)
    connection.close()


@pytest.mark.parametrize("revision", WITH_ASSIGNMENTS)
def test_grades_stay_what_they_were(tmp_path: Path, revision: str) -> None:
    at_version(tmp_path / "mlgrind.db", revision)
    filled(tmp_path / "mlgrind.db")
    here = world(tmp_path)  # opens the database, which brings it up to date
    book = here.school.grades.book(ClassId("c1"))
    here.store.close()
    found = {row.enrolment.name: (row.grades[0].kind, row.grades[0].points) for row in book.rows}
    assert found == {
        "Ann": ("computed", 633),
        "Ben": ("override", 750),
        "Cem": ("excused", None),
        "Dan": ("computed", 500),
    }
    worth = {row.enrolment.name: row.grades[0].computed for row in book.rows}
    assert worth["Ben"] is not None
    assert worth["Ben"].points == 800


def test_every_schema_with_assignments_is_among_them() -> None:
    assert WITH_ASSIGNMENTS[:2] == ["0003", "0004"]
    assert len(WITH_ASSIGNMENTS) >= 4
