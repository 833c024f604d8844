"""Small promises of the interface: names for the editor, and limits as they were promised."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from starlette.testclient import TestClient

from app.admission import Allowance
from app.model.bounds import LEAST_FREE_BYTES
from app.sandbox.offered_names import offered_names
from app.service.door import YOUNG
from tests.service.world import World
from tests.web.browser import Browser
from tests.web.test_pages import MHA, REFERENCE, WRONG


def test_limits_are_those_that_were_promised() -> None:
    """Two outstanding; 30 and 120 a minute; an address 600, 2,400 and 400 new learners an hour."""
    usual = Allowance()
    assert (usual.outstanding, usual.submissions, usual.runs) == (2, 30, 120)
    assert (usual.address_submissions, usual.address_runs) == (600, 2_400)
    assert usual.of_address("learner").count == usual.address_learners == 400
    assert usual.of_address("learner").per_s == 3600.0
    assert LEAST_FREE_BYTES == 500 * 1024**2
    assert timedelta(minutes=10) == YOUNG


def test_the_editor_gets_the_names_of_numpy_once_and_keeps_them(
    client: TestClient, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The address changes with the list, so the list may be kept for ever."""
    service = world.opened[0]
    monkeypatch.setattr(service, "exercises", replace(service.exercises, names=offered_names))
    moved = client.get("/api/completions")
    assert moved.status_code == 307
    assert moved.headers["cache-control"] == "no-cache"
    address = moved.headers["location"]
    answer = client.get(address)
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    names = {each["name"]: each for each in answer.json()["names"]}
    assert len(names) > 400
    assert all(isinstance(text, str) for each in names.values() for text in each.values())
    assert client.get("/api/completions/0000000000000000").status_code == 404


def test_progress_counts_attempts_and_hints_and_dates_the_first_pass(browser: Browser) -> None:
    browser.go(MHA)
    browser.type("source", WRONG)
    browser.press("Submit")
    browser.press("Open hint 1")
    assert "not yet" in browser.go("/progress").text
    browser.go(MHA)
    browser.type("source", REFERENCE)
    browser.press("Submit")
    text = browser.go("/progress").text
    table = text.split("first passed", 1)[1].split("Submission 2")[0]
    assert "Multi-Head Attention 2 1 of 5 29 Nov, 12:00 UTC" in table


def test_every_address_of_the_interface_is_in_its_document(client: TestClient) -> None:
    """What design and README name is there, under these addresses and methods."""
    document = client.get("/openapi.json").json()["paths"]
    found = {(method, path) for path, methods in document.items() for method in methods}
    exercise = "/api/exercises/{slug}"
    promised = {
        ("get", "/api/exercises"),
        ("get", exercise),
        ("post", f"{exercise}/runs"),
        ("post", f"{exercise}/submissions"),
        ("get", "/api/submissions/{submission}"),
        ("post", f"{exercise}/hints"),
        ("post", f"{exercise}/solution"),
    }
    assert promised - found == set()
