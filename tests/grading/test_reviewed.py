"""Programs that a review found wrongly accepted or wrongly named: each is refused, none misnamed.

`coinc` gave a known mistake's exceptions or patterns of nan by coincidence, `holes` passed six
tests, `wrong_shift` shifts a softmax by what overflows later.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from app.catalog import load
from app.model import Lane, Verdict
from app.ports import Jails, Sandbox
from app.service.judging import judge_submission
from tests.grading.conftest import ROOT
from tests.known import expected

REVIEWED = Path(__file__).parent / "reviewed"
KINDS = sorted({f"{path.parents[1].name}/{path.parent.name}" for path in REVIEWED.glob("*/*/*.py")})


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_not_accepted_and_no_mistake_is_made_up(kind: str, jail: Sandbox) -> None:
    folder = REVIEWED / kind
    exercise = load(ROOT / "exercises" / folder.name)
    known = expected(exercise, jail)
    for path in sorted(folder.glob("*.py")):
        report = judge_submission(
            Jails.one(jail), exercise, known, path.read_bytes(), lane=Lane.SLOW
        )
        assert report is not None
        assert report.verdict in (Verdict.WRONG_ANSWER, Verdict.RUNTIME_ERROR), path.name
        assert report.diagnosis is None, (path.name, report.diagnosis)


def test_no_program_of_the_review_is_left_out() -> None:
    assert len(list(REVIEWED.glob("*/*/*.py"))) == 82
