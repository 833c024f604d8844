"""Whole reports for whole situations: tests/golden/<situation>/{submission.py,report.json}.

`pytest tests/grading/test_golden.py --update-goldens` writes the reports anew; read the difference
before committing it, as a learner would.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from app.catalog import load
from app.model import Lane, Verdict
from app.ports import Sandbox
from app.report import to_json
from tests.grading.conftest import ATTENTION, ROOT
from tests.grading.graded_exercise import Graded
from tests.known import expected

GOLDEN = ROOT / "tests" / "golden"
SITUATIONS = sorted(path.parent for path in GOLDEN.glob("*/submission.py"))
CHANGING: dict[str, Any] = {"digest": "…", "cpu_ms": 0, "wall_ms": 0, "peak_memory_bytes": 0}
FIRST_SENTENCE_WORDS = 15
_DATA = re.compile(r"\[\n[^\[\]{}]*\]")


@pytest.fixture(scope="module")
def work(jail: Sandbox) -> Graded:
    exercise = load(ATTENTION)
    return Graded(exercise, expected(exercise, jail), jail)


def _report(work: Graded, folder: Path) -> dict[str, Any]:
    """The report of a folder's submission without what changes from run to run."""
    source = (folder / "submission.py").read_bytes()
    report = to_json(work.grade(source, Lane.SLOW)) | CHANGING
    report["tests"] = [_test(test, folder) for test in report["tests"]]
    return report


def _test(test: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Arguments and expected outputs are the exercise's, so one folder shows them for all."""
    repeated = ["arguments", "expected"] if folder.name != "accepted" else []
    same = {key: "as in accepted" for key in repeated if test[key] is not None}
    return test | same | {"cpu_ms": 0}


def _written(report: dict[str, Any]) -> str:
    """JSON with each array's numbers on one line."""
    text = json.dumps(report, indent=1, ensure_ascii=False)
    return _DATA.sub(lambda match: " ".join(match[0].split()), text) + "\n"


@pytest.mark.parametrize("folder", SITUATIONS, ids=lambda folder: folder.name)
def test_report_is_the_golden_one(
    work: Graded, folder: Path, request: pytest.FixtureRequest
) -> None:
    report = _report(work, folder)
    golden = folder / "report.json"
    if request.config.getoption("--update-goldens"):
        golden.write_text(_written(report), "utf-8")
    assert report == json.loads(golden.read_text("utf-8"))


def _goldens() -> list[dict[str, Any]]:
    return [json.loads((folder / "report.json").read_text("utf-8")) for folder in SITUATIONS]


def test_there_is_a_golden_for_every_verdict_code_can_earn() -> None:
    """Killing needs a system call, which the language refuses; our own faults need a fault."""
    seen = {report["verdict"] for report in _goldens()}
    ours = {Verdict.GRADER_ERROR, Verdict.SANDBOX_KILLED, Verdict.NOT_RUN, Verdict.NOT_SHOWN}
    assert seen == {verdict.value for verdict in Verdict if verdict not in ours}
    assert len(SITUATIONS) >= 25


@pytest.mark.parametrize("folder", SITUATIONS, ids=lambda folder: folder.name)
def test_hidden_tests_show_no_value(folder: Path) -> None:
    report = json.loads((folder / "report.json").read_text("utf-8"))
    for test in report["tests"]:
        if test["visible"]:
            continue
        assert test["stdout"] is test["arguments"] is test["got"] is test["expected"] is None
        mismatch = test["mismatch"]
        assert mismatch is None or mismatch["worst_got"] is mismatch["worst_expected"] is None


@pytest.mark.parametrize("folder", SITUATIONS, ids=lambda folder: folder.name)
def test_words_keep_to_the_microcopy_rules(folder: Path) -> None:
    report = json.loads((folder / "report.json").read_text("utf-8"))
    first = report["message"].split("`")  # code counts as one word
    words = sum(len(part.split()) if n % 2 == 0 else 1 for n, part in enumerate(first))
    assert 0 < words <= FIRST_SENTENCE_WORDS, report["message"]
    for text in (report["message"], report["help"]):
        assert not any(word in text.lower() for word in ("oops", "please check", "failed"))
        assert "!" not in text.replace("!pip", "")
