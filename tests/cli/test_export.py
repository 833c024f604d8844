"""One row a learner and exercise: what an instructor copies into a list of grades."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime, timedelta

from app.cli.export import write_learners
from app.model import LearnerId, Slug, SubmissionId
from app.records import ExportRow

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def row(
    minute: int, name: str, verdict: str, passed: int, hints: int = 0, *, solution: bool = False
) -> ExportRow:
    at = NOON + timedelta(minutes=minute)
    slug = Slug("stable-softmax")
    submission, learner = SubmissionId(f"s{minute}"), LearnerId(name.lower())
    return ExportRow(
        submission, learner, name, slug, at, verdict, passed, 6, hints, solution=solution
    )


def table(*rows: ExportRow) -> list[dict[str, str]]:
    out = io.StringIO()
    write_learners(rows, out)
    return list(csv.DictReader(io.StringIO(out.getvalue())))


def test_the_first_pass_counts_with_the_hints_open_then() -> None:
    (ann,) = table(
        row(1, "Ann", "wrong_answer", 5),
        row(2, "Ann", "accepted", 6, hints=2),
        row(3, "Ann", "accepted", 6, hints=5, solution=True),
    )
    assert ann == {
        "name": "Ann",
        "exercise": "stable-softmax",
        "accepted": "yes",
        "passed": "6",
        "total": "6",
        "submissions": "3",
        "first_accepted": "2026-11-30T12:02:00+00:00",
        "hints": "2",
        "solution_seen": "no",
        "learner": "ann",
    }


def test_the_best_try_counts_where_none_passed() -> None:
    ann, ben = table(
        row(1, "Ann", "wrong_answer", 4),
        row(2, "Ben", "wrong_answer", 1, solution=True),
        row(3, "Ann", "wrong_answer", 2),
        row(4, "Ann", "grader_error", 0),
        row(5, "Ann", "", 0),
    )
    assert (ann["accepted"], ann["passed"], ann["submissions"]) == ("no", "4", "2")
    assert (ben["solution_seen"], ben["first_accepted"]) == ("yes", "")


def test_a_name_never_starts_a_formula() -> None:
    (found,) = table(row(1, "=1+1", "accepted", 6))
    assert found["name"] == "'=1+1"
