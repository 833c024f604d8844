"""A second look on the page and over the API: calm words, the input, and the verdict as it was."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator

import httpx2 as httpx
import pytest

from app.config import Settings
from app.main import shipped_exercises
from app.sandbox.pool import LocalSandbox
from tests.service.test_second_looks import AS_MANY_AS_KEYS, RIGHT
from tests.service.world import PATIENCE_S, World
from tests.web.conftest import ROOMY
from tests.web.server import served

SLUG = "planted-attention"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    folder = tmp_path_factory.mktemp("planted")
    shutil.copytree(shipped_exercises() / "scaled-dot-product-attention", folder / SLUG)
    cases = folder / SLUG / "cases.py"
    text = cases.read_text().replace("_normal(202, 6, 3, 4, 5)", "_normal(202, 3, 5, 4, 6)")
    cases.write_text(text.replace("[offset, x, *pick], axis=1)", "[offset, x, *pick], axis=1)[:6]"))
    world = World(tmp_path_factory.mktemp("site"), folders=(folder,), allowance=ROOMY)
    world.sandbox = LocalSandbox()  # type: ignore[assignment]
    service = world.service(started=False)
    with (
        served(service, Settings(data=world.data)) as server,
        httpx.Client(base_url=server.url, timeout=PATIENCE_S) as made,
    ):
        yield made
    service.close()


def looked_at(client: httpx.Client, source: bytes) -> tuple[str, dict[str, object]]:
    body = {"source": source.decode(), "html": True}
    report = client.post(f"/api/exercises/{SLUG}/submissions", json=body).json()
    assert report["verdict"] == "accepted"
    address = f"/api/submissions/{report['submission']}/second-look"
    until = time.monotonic() + PATIENCE_S
    query = {"read_token": report["read_token"], "html": "true"}
    while (look := client.get(address, params=query).json())["state"] == "none":
        assert time.monotonic() < until
        time.sleep(0.05)
    return f"/submissions/{report['submission']}?read_token={report['read_token']}", look


def test_what_is_off_on_an_input_of_ours_is_told_calmly(client: httpx.Client) -> None:
    page, look = looked_at(client, AS_MANY_AS_KEYS)
    assert look["state"] == "off"
    assert "goes wrong on this input" in str(look["html"])
    shown = client.get(page).text
    assert "Your code passes all six tests, but it goes wrong on this input." in shown
    assert "submission stays accepted" in shown
    assert "6 of 6" in shown


def test_what_is_right_is_told_nothing(client: httpx.Client) -> None:
    page, look = looked_at(client, RIGHT)
    assert (look["state"], look["draw"], look["test"]) == ("right", None, None)
    assert "goes wrong on this input" not in client.get(page).text


def test_another_learners_look_is_not_there(client: httpx.Client) -> None:
    address, _ = looked_at(client, RIGHT)
    submission = address.split("/")[2].split("?")[0]
    with httpx.Client(base_url=client.base_url) as stranger:
        assert stranger.get(f"/api/submissions/{submission}/second-look").status_code == 404
