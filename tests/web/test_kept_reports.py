"""Reports of long ago: made small while the server serves, and whole whatever changed since."""

from __future__ import annotations

import json
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from starlette.testclient import TestClient

from app.config import Settings
from app.main import build, create_app, load_secret
from app.model import LearnerId
from app.web.session import Sessions
from tests.service.world import PATIENCE_S, REFERENCE
from tests.storage.test_report_bodies import GOLDENS, golden
from tests.storage.test_upgrade import at_version

ROOT = Path(__file__).parents[2]
ANN = LearnerId("0192f0c1-0000-7000-8000-00000000000a")
OLD = {
    str(UUID(int=0x0192F0C1_0000_7000_8000_000000001000 + number)): name
    for number, name in enumerate(GOLDENS)
}
AT = "2026-01-02 00:00:00.000000"


def stored_by_the_first_release(data: Path) -> None:
    """A database as release 4fe7366 left it: the first schema, every report whole in its row."""
    data.mkdir()
    at_version(data / "mlgrind.db", "0001")
    with closing(sqlite3.connect(data / "mlgrind.db")) as connection, connection:
        connection.execute("INSERT INTO learners VALUES (?, 'Ann', ?, NULL)", (ANN, AT))
        connection.execute("INSERT INTO sources VALUES (x'00', x'78')")
        for submission, name in OLD.items():
            told = golden(name)
            about = (submission, ANN, "multi-head-attention", AT)
            connection.execute("INSERT INTO submissions VALUES (?, ?, ?, x'00', ?, NULL)", about)
            row = (told["digest"], told["verdict"], told["passed"], told["total"])
            connection.execute(
                "INSERT INTO reports VALUES (?, ?, ?, ?, ?, ?, ?)",
                (submission, *row, json.dumps(told), AT),
            )


@pytest.fixture
def client(data_directory: Path) -> Iterator[TestClient]:
    stored_by_the_first_release(data_directory)
    with TestClient(create_app(build(Settings(data=data_directory)))) as made:
        cookie = Sessions(load_secret(data_directory)).header(ANN, secure=False).split(";")[0]
        made.headers["cookie"] = cookie
        yield made


def assert_equal_over_the_api(client: TestClient) -> None:
    for submission, name in OLD.items():
        told = client.get(f"/api/submissions/{submission}").json()
        kept = golden(name)
        assert {key: told[key] for key in kept} == kept, name


def shrunk(data: Path) -> bool:
    with closing(sqlite3.connect(data / "mlgrind.db")) as connection:
        query = "SELECT up_to >= until FROM report_shrinking WHERE name = 'reports'"
        (done,) = connection.execute(query).fetchone()
    return bool(done)


def test_a_database_of_the_first_release_is_migrated_under_load(
    client: TestClient, data_directory: Path
) -> None:
    """Others submit all the while; each report over the interface is what it was, at any moment."""
    sent: list[str] = []
    over = threading.Event()

    def submit() -> None:
        while not over.is_set():
            body = {"source": f"{REFERENCE.decode()}\n# {len(sent)}"}
            answer = client.post("/api/exercises/stable-softmax/submissions", json=body)
            if answer.status_code in (200, 201, 202):
                sent.append(answer.json()["submission"])
            over.wait(0.05)

    writer = threading.Thread(target=submit)
    writer.start()
    try:
        for _ in range(PATIENCE_S):
            assert_equal_over_the_api(client)
            if shrunk(data_directory):
                break
    finally:
        over.set()
        writer.join()
    assert shrunk(data_directory)
    assert_equal_over_the_api(client)
    assert sent
    for submission in sent:
        told = client.get(f"/api/submissions/{submission}?wait=20").json()
        assert told["verdict"] == "accepted"
    with closing(sqlite3.connect(data_directory / "mlgrind.db")) as connection:
        small = "SELECT count(*) FROM reports WHERE body LIKE 'z1 %'"
        (count,) = connection.execute(small).fetchone()
    assert count >= len(OLD) // 2


# ------------------------------------------------------------------ an exercise that changed


def test_an_old_submission_still_shows_its_arrays_after_the_cases_changed(
    data_directory: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "exercises" / "my-softmax"
    shutil.copytree(ROOT / "exercises" / "stable-softmax", folder)
    settings = Settings(data=data_directory, exercises=(folder.parent,))
    wrong = REFERENCE.replace(b"return ", b"return 2 * ", 1)
    with TestClient(create_app(build(settings))) as client:
        told = _judged(client, wrong)
    cases = folder / "cases.py"
    cases.write_text(cases.read_text().replace("[1001.0, 1002.0, 1003.0]", "[7.0, 8.0, 7.5]"))
    with TestClient(create_app(build(settings))) as client:
        page = client.get(f"/submissions/{told['submission']}?read_token={told['read_token']}").text
        now = _judged(client, wrong + b"\n")
        again = client.get(
            f"/api/submissions/{told['submission']}?read_token={told['read_token']}"
        ).json()
    assert "This exercise has changed since then." in page
    assert "0.665" in page, "what was expected then, to three places"
    assert again["tests"] == told["tests"]
    assert "1003.0" in json.dumps(told["tests"][0]["arguments"])
    assert "1003.0" not in json.dumps(now["tests"][0]["arguments"])


def _judged(client: TestClient, source: bytes) -> dict[str, Any]:
    path = "/api/exercises/my-softmax/submissions"
    answer = client.post(path, json={"source": source.decode()})
    told = answer.json()
    if answer.status_code == 202:
        address = f"/api/submissions/{told['submission']}?wait=20&read_token={told['read_token']}"
        told = client.get(address).json()
    assert "tests" in told, told
    return dict(told)
