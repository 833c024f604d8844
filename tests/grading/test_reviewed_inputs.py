"""Small programs that a review found judged, named or refused wrongly: each has its right answer.

`told.txt` has a line each: the file, its verdict, and after "=" the mistake that is named, else
the headline it is told.
"""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path

import pytest

from app.catalog import load
from app.model import Lane
from app.ports import Jails, Sandbox
from app.service.judging import judge_submission
from tests.grading.conftest import ROOT
from tests.known import expected

FOLDER = Path(__file__).parent / "reviewed_inputs"
_LINES = [line.split(" | ") for line in (FOLDER / "told.txt").read_text().splitlines()]
BY_EXERCISE = {
    slug: [tuple(line) for line in lines]
    for slug, lines in groupby(sorted(_LINES), key=lambda line: line[0].split("/")[0])
}


NEWER = {
    "multi-head-attention/v12_python312_fstring_quotes.py": (
        (3, 12),
        "accepted",
        "Right on all six.",
    )
}
"""What a newer Python knows: from which version on, its verdict there, and what it is told."""


@pytest.mark.parametrize("slug", BY_EXERCISE)
def test_each_is_told_what_is_true_of_it(slug: str, jail: Sandbox) -> None:
    exercise = load(ROOT / "exercises" / slug)
    known = expected(exercise, jail)
    for name, verdict, told in BY_EXERCISE[slug]:
        since, verdict_there, told_there = NEWER.get(name, ((4,), "", ""))
        if sys.version_info >= since:
            verdict, told = verdict_there, told_there
        source = (FOLDER / name).read_bytes()
        report = judge_submission(Jails.one(jail), exercise, known, source, lane=Lane.SLOW)
        assert report is not None
        assert report.verdict.value == verdict, (name, report.message)
        named = report.diagnosis.mistakes if report.diagnosis is not None else ()
        if told.startswith("="):
            assert [one.misconception for one in named] == told[1:].split(", "), name
        else:
            assert report.message == told, name
            assert named == (), name


def test_no_file_is_left_out() -> None:
    files = {str(path.relative_to(FOLDER)) for path in FOLDER.glob("*/*.py")}
    assert files == {line[0] for line in _LINES}
    assert len(files) == 47
