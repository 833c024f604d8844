"""`mlgrind serve` as a host runs it, and the commands used beside it."""

from __future__ import annotations

import csv
import io
import json
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_grade import MLGRIND, mlgrind
from tests.service.world import PATIENCE_S, REFERENCE, SOFTMAX, WRONG

EVERYWHERE = "0.0.0.0"  # noqa: S104 - what a host of a class types


@contextmanager
def serving(*options: str) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """A server, and the lines it prints until it is ready."""
    server = subprocess.Popen(
        [MLGRIND, "serve", "--port", "0", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert server.stdout is not None
        lines = []
        for line in server.stdout:
            lines.append(line.strip())
            if line.startswith("Ctrl-C"):
                break
        yield server, lines
    finally:
        server.kill()
        server.wait()
        if server.stdout is not None:
            server.stdout.close()


def submit(url: str, source: bytes) -> dict[str, Any]:
    """What the interface answers somebody without a cookie: at once, or once it is judged."""
    connection = HTTPConnection(url.removeprefix("http://"), timeout=PATIENCE_S)
    body = json.dumps({"source": source.decode()})
    path = f"/api/exercises/{SOFTMAX}/submissions"
    connection.request("POST", path, body, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    told = json.loads(answer.read())
    while answer.status == 202:
        address = f"/api/submissions/{told['submission']}?wait=20&read_token={told['read_token']}"
        connection.request("GET", address)
        answer = connection.getresponse()
        told = json.loads(answer.read())
    connection.close()
    assert answer.status in {200, 201}, told
    return dict(told)


def rows() -> list[dict[str, str]]:
    text = mlgrind("export", "submissions", "--csv").stdout.decode()
    return list(csv.DictReader(io.StringIO(text)))


def test_a_host_serves_exports_backs_up_and_restores(data_directory: Path, tmp_path: Path) -> None:
    """One server all the while; nothing asks it to stop."""
    with serving() as (server, lines):
        url = lines[0].removeprefix("ML Grind is at ")
        submit(url, REFERENCE)
        assert [row["verdict"] for row in rows()] == ["accepted"]
        done = mlgrind("backup", tmp_path / "monday.db")
        assert done.returncode == 0, done.stderr
        assert stat.S_IMODE((tmp_path / "monday.db").stat().st_mode) == 0o600
        submit(url, WRONG)
        assert [row["verdict"] for row in rows()] == ["accepted", "wrong_answer"]
        again = mlgrind("backup", tmp_path / "monday.db")
        assert (again.returncode, b"already exists" in again.stderr) == (2, True)
        done = mlgrind("restore", tmp_path / "monday.db")
        assert done.returncode == 0, done.stderr
        assert [row["verdict"] for row in rows()] == ["accepted"]
        (kept,) = data_directory.glob("before-restore-*.db")
        assert mlgrind("restore", kept).returncode == 0
        assert [row["verdict"] for row in rows()] == ["accepted", "wrong_answer"]
        later = tmp_path / "later.db"
        shutil.copy(tmp_path / "monday.db", later)
        with closing(sqlite3.connect(later)) as made, made:
            made.execute("UPDATE alembic_version SET version_num = '9999'")
        refused = mlgrind("restore", later)
        assert (refused.returncode, b"by a later ML Grind" in refused.stderr) == (2, True)
        assert [row["verdict"] for row in rows()] == ["accepted", "wrong_answer"]
        assert mlgrind("backup", "--replace", tmp_path / "tuesday.db").returncode == 0
        assert mlgrind("restore", tmp_path / "monday.db").returncode == 0
        submit(url, WRONG)
        assert [row["verdict"] for row in rows()] == ["accepted", "wrong_answer"]
        text = mlgrind("doctor").stdout.decode()
        assert f"✓ server (optional): {url}" in text
        server.send_signal(signal.SIGTERM)
        assert server.wait() == 0
    assert not (data_directory / "serving.json").exists()
    assert stat.S_IMODE((data_directory / "secret").stat().st_mode) == 0o600


def test_a_backup_brings_cookies_along_to_another_machine(
    data_directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving():
        assert mlgrind("backup", tmp_path / "all.db").returncode == 0
    other = tmp_path / "other machine"
    monkeypatch.setenv("MLGRIND_DATA", str(other))
    done = mlgrind("restore", tmp_path / "all.db")
    assert done.returncode == 0, done.stderr
    assert b"restart the server" in done.stdout
    assert (other / "secret").read_bytes() == (data_directory / "secret").read_bytes()
    with closing(sqlite3.connect(other / "mlgrind.db")) as restored:
        tables = {name for (name,) in restored.execute("SELECT name FROM sqlite_master")}
    assert "mlgrind_backup" not in tables


def test_two_servers_on_one_data_directory_are_one_too_many() -> None:
    with serving() as (_, lines):
        second = mlgrind("serve", "--port", "0")
        assert lines[0].removeprefix("ML Grind is at ") in second.stderr.decode()
        assert second.returncode == 2


def test_a_class_is_told_where_to_go() -> None:
    with serving("--host", EVERYWHERE) as (server, lines):
        assert lines[0].startswith("ML Grind is at http://127.0.0.1:")
        addresses = [line for line in lines if line.startswith("Learners open http://")]
        assert addresses
        connection = HTTPConnection(addresses[0].removeprefix("Learners open http://"))
        connection.request("GET", "/healthz")
        assert connection.getresponse().status == 200
        connection.close()
        server.send_signal(signal.SIGINT)
        assert server.wait() == 0


def test_a_port_in_use_is_said_in_a_sentence() -> None:
    with serving() as (_, lines):
        port = lines[0].rsplit(":", 1)[1]
        done = mlgrind("serve", "--port", port, "--database", "sqlite:///elsewhere.db")
        assert b"in use" in done.stderr
        assert b"Traceback" not in done.stderr
        assert done.returncode == 2


def test_a_second_start_begins_with_the_keeper_and_migrates_nothing(tmp_path: Path) -> None:
    """The keeper gets ready while the rest is loaded: so it is started before the rest is."""
    with serving():
        pass
    log = tmp_path / "imports"
    told = [sys.executable, "-X", "importtime", str(MLGRIND), "serve", "--port", "0"]
    with (
        log.open("w") as errors,
        subprocess.Popen(told, stdout=subprocess.PIPE, stderr=errors, text=True) as server,
    ):
        assert server.stdout is not None
        assert server.stdout.readline().startswith("ML Grind is at ")
        server.kill()
    lines = [line for line in log.read_text().splitlines() if line.startswith("import time:")]
    loaded = [line.rpartition("|")[2].strip() for line in lines]
    begun = loaded.index("app.sandbox.pool")
    assert begun < min(loaded.index(late) for late in ("sqlalchemy", "fastapi", "uvicorn"))
    assert "alembic" not in loaded


def test_a_database_of_a_later_release_is_not_touched(data_directory: Path) -> None:
    with serving():
        pass
    with closing(sqlite3.connect(data_directory / "mlgrind.db")) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    done = mlgrind("serve", "--port", "0")
    assert done.returncode == 2
    assert b"Update ML Grind" in done.stderr
    assert b"Traceback" not in done.stderr
