"""While the database does not answer: 503 and a time to come back, never a fault of ours."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from app.ports import StoreAway
from app.storage.database import Database
from tests.service.world import REFERENCE

ADDRESSES = (
    "/",
    "/exercises/stable-softmax",
    "/exercises/stable-softmax/history",
    "/submissions/019e0000-0000-7000-8000-000000000000",
    "/api/submissions/019e0000-0000-7000-8000-000000000000",
    "/classes",
    "/me",
)


WRITES = [name for name in vars(Database) if name.startswith("write")]


def away(_database: Database, *, full: bool = False) -> None:
    raise StoreAway("connection refused", disk_full=full)


@pytest.fixture
def gone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("read", "glance", *WRITES):
        monkeypatch.setattr(Database, name, away)


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_page_that_needs_the_database_says_when_to_come_back(
    address: str, client: TestClient, gone: None
) -> None:
    answer = client.get(address)
    assert "connection refused" not in answer.text
    if answer.status_code >= 500:  # what needs no database is answered as ever
        assert answer.status_code == 503
        assert int(answer.headers["retry-after"]) >= 1


def test_a_submission_is_refused_and_its_code_kept(client: TestClient, gone: None) -> None:
    answer = client.post(
        "/api/exercises/stable-softmax/submissions", json={"source": REFERENCE.decode()}
    )
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "2"
    assert answer.json()["title"] == "The database of this server doesn't answer just now."


def test_a_form_is_refused_in_words(client: TestClient, gone: None) -> None:
    answer = client.post(
        "/exercises/stable-softmax/submissions", data={"source": REFERENCE.decode()}
    )
    assert answer.status_code == 503
    assert "doesn&#39;t answer just now" in answer.text or "doesn't answer just now" in answer.text


def test_a_full_disk_of_the_database_is_told_as_one(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in WRITES:
        monkeypatch.setattr(Database, name, lambda self: away(self, full=True))
    answer = client.post(
        "/api/exercises/stable-softmax/submissions", json={"source": REFERENCE.decode()}
    )
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "30"
    assert "disk" in answer.json()["title"]


def test_a_server_whose_database_is_away_is_not_ready(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.get("/readyz").json()["ready"] is True
    monkeypatch.setattr(Database, "read", away)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["ready"], answer.json()["database"]) == (
        503,
        False,
        False,
    )
    assert client.get("/healthz").status_code == 200
