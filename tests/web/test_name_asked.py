"""Where the host says so, a name is asked for once, with the first submission."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.config import Settings
from tests.web.browser import Browser

MHA = "/exercises/multi-head-attention"
SOURCE = "def multi_head_attention(Q, K, V, num_heads):\n    return Q\n"
ASKED = "This site asks for your name with the first submission."


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path, ask_name=True)


def test_a_form_without_a_name_comes_again_with_the_code(browser: Browser) -> None:
    assert "Your name" in browser.go(MHA).text
    browser.type("source", SOURCE)
    page = browser.press("Submit")
    assert ASKED in page.text and page.value("source") == SOURCE
    assert "Submissions 0" in page.text

    browser.type("learner_name", "  Kavya   Iyer ")
    page = browser.press("Submit")
    assert "Submissions 1" in page.text and ASKED not in page.text
    assert "Asked once" not in browser.go(MHA).text
    assert browser.go("/progress").value("name") == "Kavya Iyer"


def test_a_name_that_will_not_do_is_told_like_a_missing_one(browser: Browser) -> None:
    browser.go(MHA)
    browser.type("source", SOURCE)
    browser.type("learner_name", "x" * 81)
    page = browser.press("Submit")
    assert "A name has up to 80 letters; this one has 81." in page.text
    assert page.value("source") == SOURCE


def test_a_program_sends_the_name_along(client: TestClient) -> None:
    refused = client.post(f"/api{MHA}/submissions", json={"source": SOURCE})
    assert (refused.status_code, refused.json()["title"]) == (422, ASKED)
    told = client.post(f"/api{MHA}/submissions", json={"source": SOURCE, "name": "Kavya"})
    assert told.status_code == 201
    again = client.post(f"/api{MHA}/submissions", json={"source": SOURCE})
    assert again.status_code == 201, "asked once"


def test_who_has_a_name_is_not_asked(client: TestClient) -> None:
    client.get(MHA)
    assert client.put("/api/name", json={"name": "Kavya"}).status_code == 200
    assert "Asked once" not in client.get(MHA).text
    assert client.post(f"/api{MHA}/submissions", json={"source": SOURCE}).status_code == 201


def test_nobody_is_asked_unless_the_host_says_so(
    visit: Callable[..., TestClient], settings: Settings
) -> None:
    object.__setattr__(settings, "ask_name", False)
    stranger = visit()
    assert "Asked once" not in stranger.get(MHA).text
