"""A data folder of version 0.1.0 opens as it was left (see tests/stored/README.md)."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.config import Settings
from app.expectations import Cache
from app.main import build, create_app, load_secret
from app.model import LearnerId, Slug, SubmissionId
from app.service import Service
from app.web.session import Sessions
from tests.service.world import PATIENCE_S, SOFTMAX

STORED = Path(__file__).parents[1] / "stored" / "data_0_1_0.zip"
ANN = LearnerId("0192f0c1-0000-7000-8000-00000000000a")
BEN = LearnerId("0192f0c1-0000-7000-8000-00000000000b")
ATTENTION = Slug("multi-head-attention")
JUDGED = {
    "01a22ba4-d4ad-77e1-ba64-7c4b2db246c7": (ANN, "wrong_answer", "<b>0 of 6</b>"),
    "01a22ba4-d6ea-70f5-9f25-244e9cd18606": (ANN, "policy_error", "<b>Not run</b>"),
    "01a22ba4-d705-788d-b133-8bba58425593": (ANN, "accepted", "<b>6 of 6</b>"),
    "01a22ba4-d729-7293-b91b-0b38801a75eb": (BEN, "wrong_answer", "<b>2 of 6</b>"),
    "01a22ba4-df54-728e-9d80-0da3dc21e8df": (BEN, "accepted", "<b>6 of 6</b>"),
}
UNJUDGED = SubmissionId("0192f0c1-0000-7000-8000-0000000000ff")
SHARED, READ_TOKEN = "BTU9BOBSXUl4q5jgUTCbZA", "kPOjuWlEzMziXfhSBfL-Hw"
CODE = "8957-PZX3-ZHR8-1MMA-KYE6-Y6JD"
DIGEST = "50ed31e1796bd1a6a8923d5146f8851b7de7bc8648aeacac8a03a4349279ccc0"


@dataclass(frozen=True)
class Opened:
    """The site over the stored folder, and what the folder held before it was opened."""

    client: TestClient
    service: Service
    data: Path
    reports: dict[str, Any]

    def get(self, path: str, learner: LearnerId) -> str:
        """A page as its learner's browser gets it."""
        cookie = Sessions(load_secret(self.data)).header(learner, secure=False).split(";")[0]
        answer = self.client.get(path, headers={"cookie": cookie})
        assert answer.status_code == 200, path
        return answer.text


def _reports(database: Path) -> dict[str, Any]:
    with closing(sqlite3.connect(database)) as connection:
        rows = connection.execute("SELECT submission, body FROM reports").fetchall()
    return {submission: json.loads(body) for submission, body in rows}


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    data = tmp_path_factory.mktemp("data")
    with zipfile.ZipFile(STORED) as archive:
        archive.extractall(data)
    reports = _reports(data / "mlgrind.db")
    built = build(Settings(data=data))
    with TestClient(create_app(built)) as client:
        yield Opened(client, built.service, data, reports)


@pytest.mark.parametrize("submission", JUDGED)
def test_a_stored_report_is_given_as_it_was_stored(opened: Opened, submission: str) -> None:
    learner, verdict, _ = JUDGED[submission]
    told = json.loads(opened.get(f"/api/submissions/{submission}", learner))
    assert told["verdict"] == verdict
    stored = opened.reports[submission]
    assert {key: told[key] for key in stored} == stored


@pytest.mark.parametrize("submission", JUDGED)
def test_the_page_of_a_stored_submission_shows_its_report(opened: Opened, submission: str) -> None:
    learner, _, score = JUDGED[submission]
    page = opened.get(f"/submissions/{submission}", learner)
    assert 'id="headline"' in page
    assert score in page


def test_a_stored_trace_and_probe_are_still_drawn(opened: Opened) -> None:
    page = opened.get("/submissions/01a22ba4-d729-7293-b91b-0b38801a75eb", BEN)
    assert "18 of 24 cells end up in another place." in page  # as it was told then
    assert 'id="probe"' in page


def test_link_read_token_and_recovery_code_still_open_what_they_opened(opened: Opened) -> None:
    shared = opened.client.get(f"/shared/{SHARED}", headers={"cookie": ""})
    assert shared.status_code == 200 and "powers / powers.sum()" in shared.text
    first = next(iter(JUDGED))
    found = opened.service.submissions.get(SubmissionId(first), read_token=READ_TOKEN)
    assert found.learner == ANN
    work = opened.service.learners.look_up(CODE)
    assert (work.name, work.submissions, work.passed) == ("Ada L.", 3, 1)


def test_drafts_hints_and_answers_are_there(opened: Opened) -> None:
    draft = opened.service.drafts.all(ANN, SOFTMAX).opened
    assert draft is not None and draft.source == b"def softmax(x, axis=-1):\n    return x\n"
    assert opened.service.hints.revealed(BEN, SOFTMAX).hints == 1
    answers = opened.service.follow_ups.answers(BEN, ATTENTION)
    assert [(each.number, each.outcome) for each in answers] == [(1, "right"), (2, "kept")]


def test_what_was_never_judged_is_judged_at_the_first_start(opened: Opened) -> None:
    report = opened.service.submissions.verdict(UNJUDGED).result(PATIENCE_S)
    assert report["submission"] == UNJUDGED
    assert report["verdict"] != "grader_error"


def test_an_entry_of_the_old_cache_is_never_read_as_a_new_one(opened: Opened) -> None:
    assert (opened.data / "cache" / f"{DIGEST}.zip").is_file()
    assert Cache(opened.data / "cache").load(DIGEST) is None
