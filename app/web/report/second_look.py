"""What a second look at an accepted submission saw, as the page tells it."""

from __future__ import annotations

from app.model import Exercise, Expectations
from app.records import SecondLook
from app.report import from_json
from app.web.report.rows import Row, rows


def second_look_row(
    look: SecondLook | None, exercise: Exercise, expectations: Expectations | None
) -> Row | None:
    """The row of the random input it is off on; None where there is none, or no look yet."""
    if look is None or look.test is None:
        return None
    report = from_json(
        {
            "format": 1,
            "exercise": look.exercise,
            "digest": look.digest,
            "verdict": look.test["verdict"],
            "passed": 0,
            "total": 1,
            "message": "",
            "tests": [look.test],
        }
    )
    same = expectations is not None and expectations.digest == look.digest
    found = rows(report.tests, exercise, expectations if same else None)
    return found[0] if found else None
