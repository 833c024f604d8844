"""In line, full, given up: what a learner sees when the answer is not there at once."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.config import Settings
from app.model import Slug, SubmissionId
from app.records import Json
from tests.service.world import PATIENCE_S, World
from tests.web.browser import Browser, Page
from tests.web.conftest import ROOMY
from tests.web.server import Server, opened, served
from tests.web.test_api import API
from tests.web.test_pages import MHA, REFERENCE, WRONG

SLOW = "# waits\n" + REFERENCE


hurried = pytest.mark.parametrize("inline_s", [0.01])
"""Within a request, what is in line is not waited for."""


@hurried
def test_a_submission_in_line_has_a_place_and_an_address(client: TestClient, world: World) -> None:
    # Nothing has a place before its expectations are there.
    world.opened[0].exercises.expectations(Slug("multi-head-attention"))
    for _ in range(2):
        client.post(f"{API}/submissions", json={"source": SLOW})
        assert world.sandbox.begun.acquire(timeout=PATIENCE_S)
    answer = client.post(f"{API}/submissions", json={"source": SLOW})
    told = answer.json()
    assert answer.status_code == 202 and told["place"] == 1
    assert answer.headers["location"] == f"/api/submissions/{told['submission']}"
    assert answer.headers["retry-after"] == "1"
    again = client.get(answer.headers["location"])
    assert again.status_code == 202 and again.json()["read_token"] == told["read_token"]
    world.sandbox.let.set()
    world.opened[0].submissions.verdict(told["submission"]).result(PATIENCE_S)
    done = client.get(answer.headers["location"], params={"wait": 20})
    assert done.status_code == 200 and done.json()["verdict"] == "accepted"


@hurried
def test_the_page_of_one_in_line_says_its_place_and_keeps_the_code(
    browser: Browser, world: World
) -> None:
    # Nothing has a place before its expectations are there.
    world.opened[0].exercises.expectations(Slug("multi-head-attention"))
    for before in range(3):
        browser.go(MHA)
        browser.type("source", SLOW)
        page = browser.press("Submit")
        assert before == 2 or world.sandbox.begun.acquire(timeout=PATIENCE_S)
    assert "You are number 1 in the line." in page.text and page.value("source") == SLOW
    assert "closing this page loses nothing" in page.text
    name = page.url.split("#")[0].rsplit("/", 1)[-1]
    assert {"data-in-line": name, "data-place": "1"}.items() <= dict(
        next(attributes for _, attributes in page.tags if "data-in-line" in attributes)
    ).items()
    browser.type("source", SLOW + "# typed while it waits\n")
    world.wait(minutes=1)
    page = browser.press("Look again")
    assert "You are number 1 in the line." in page.text and "You have newer code" in page.text
    assert browser.go(MHA).value("source") == SLOW + "# typed while it waits\n"
    world.sandbox.let.set()
    _judged(world, page)
    assert "Right on all six." in browser.go(page.url).text


def test_a_full_house_says_when_to_come_back_and_gives_the_code_back(
    tmp_path: Path, shelf: Path
) -> None:
    world = World(tmp_path, folders=(shelf,), allowance=replace(ROOMY, submissions=1))
    with TestClient(opened(world.service(started=False), Settings(data=tmp_path))) as client:
        browser = Browser(client)
        browser.go(MHA)
        browser.type("source", WRONG)
        browser.press("Submit")
        browser.type("source", REFERENCE)
        page = browser.press("Submit")
        assert browser.status == 429 and page.value("source") == REFERENCE
        assert "Try again in" in page.text and "Try now" in page.text
        world.wait(minutes=1)
        assert "Right on all six." in browser.press("Try now").text
        refused = client.post(f"{API}/submissions", json={"source": WRONG})
        assert refused.status_code == 429 and int(refused.headers["retry-after"]) >= 1
    world.close()


def test_a_full_disk_is_503_and_nothing_is_stored(client: TestClient, world: World) -> None:
    world.free_bytes = 0
    refused = client.post(f"{API}/submissions", json={"source": WRONG})
    assert refused.status_code == 503 and "retry-after" in refused.headers
    assert client.get(f"{API}/submissions").json() == {"submissions": []}


def test_our_own_fault_is_told_as_ours_with_its_id(browser: Browser, world: World) -> None:
    world.sandbox.faults = 2
    browser.go(MHA)
    browser.type("source", "# faults\n" + REFERENCE)
    _judged(world, browser.press("Submit"))
    page = browser.go(browser.page.url)
    assert "This one is on us." in page.text and "Not judged" in page.text
    assert "Error" in page.text and page.value("source") == "# faults\n" + REFERENCE
    assert "Open hint" not in page.html.split('id="results"')[1]


@pytest.fixture
def server(world: World, tmp_path: Path) -> Iterator[Server]:
    with served(world.service(started=False), Settings(data=tmp_path)) as server:
        yield server


def test_who_hangs_up_stops_the_run(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run leaves the line at once: what is cancelled in a browser costs nothing more."""
    future: Future[Json] = Future()
    begun = threading.Event()

    def run(*_args: object, **_named: object) -> Future[Json]:
        begun.set()
        return future

    monkeypatch.setattr(server.service.runs, "run", run)
    cancelled: Future[bool] = Future()
    future.add_done_callback(lambda done: cancelled.set_result(done.cancelled()))
    body = json.dumps({"source": REFERENCE}).encode()
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        head = f"POST {API}/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        assert begun.wait(PATIENCE_S)
    assert cancelled.result(PATIENCE_S) is True


def test_a_run_that_gave_way_says_so(
    client: TestClient, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    given_up: Future[Json] = Future()
    given_up.cancel()
    monkeypatch.setattr(world.opened[0].runs, "run", lambda *_a, **_k: given_up)
    answer = client.post(f"{API}/runs", json={"source": WRONG})
    assert answer.status_code == 503 and "gave way" in answer.json()["title"]


def test_the_server_closing_while_one_waits_is_no_fault(
    world: World, visit: Callable[..., TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    closing: Future[Json] = Future()
    closing.cancel()
    monkeypatch.setattr(world.opened[0].submissions, "verdict", lambda _id: closing)
    answer = visit().post(f"{API}/submissions", json={"source": WRONG})
    assert answer.status_code == 202


def _judged(world: World, page: Page) -> None:
    """Wait until the submission of a page has its report."""
    submission = SubmissionId(page.url.split("#")[0].rsplit("/", 1)[-1])
    world.opened[0].submissions.verdict(submission).result(PATIENCE_S)
