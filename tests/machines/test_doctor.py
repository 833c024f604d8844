"""`mlgrind doctor` on a machine that asks runners: each by itself, and why it is of no use."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import psycopg
import pytest

from app.cli.doctor_machines import machines as looked_at
from app.cli.doctor_queue import queue
from app.config import Settings
from app.jobs import queue_tables
from app.jobs.distributed import DistributedJudge
from app.jobs.one_secret import SecretNote
from app.jobs.queue_tables import address, make_queue
from app.storage.clock import clock_off
from tests.jobs.judges import over_the_queue
from tests.jobs.test_queue import until
from tests.machines.liar import body, liar
from tests.machines.machines import COMMAND, PATIENCE_S, ROOT, TOKEN, Machine


def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *runners: str) -> list[Any]:
    token = tmp_path / "tokens"
    token.write_text(TOKEN)
    monkeypatch.setenv("MLGRIND_RUNNERS", ",".join(runners))
    monkeypatch.setenv("MLGRIND_RUNNER_TOKEN_FILE", str(token))
    return list(looked_at(Settings(data=tmp_path)))


def test_each_runner_is_told_by_itself(
    machines: tuple[Machine, Machine], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with liar(body(b""), made_of="python-2.7") as (other, _):
        one, gone = machines[0].name, "127.0.0.1:9"
        told = found(tmp_path, monkeypatch, one, gone, other)
    assert [(check.name, check.ok) for check in told] == [
        ("runners", True),
        ("runner", True),
        ("runner", False),
        ("runner", False),
    ]
    assert told[0].detail == "1 of 3 take orders"
    assert told[1].detail == f"{one} (127.0.0.1), places [2, 1]"
    assert "does not answer" in told[2].detail
    assert "is another version" in told[3].detail


def test_without_any_runner_that_answers_nothing_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = found(tmp_path, monkeypatch, "127.0.0.1:9", "no-such-machine.invalid")
    assert (told[0].required, told[0].ok) == (True, False)
    assert told[-1].detail == "no-such-machine.invalid:8100"


def test_a_runner_without_a_token_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLGRIND_RUNNERS", "runner:8100")
    (told,) = looked_at(Settings(data=tmp_path))
    assert not told.ok and "no token of the runner runner:8100" in told.detail


def test_a_machine_alone_says_that_it_runs_the_code_itself(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, *COMMAND[:-1], "doctor", "--json"],
        cwd=ROOT,
        env={**os.environ, "MLGRIND_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    (told,) = [one for one in json.loads(ended.stdout)["findings"] if one["name"] == "runners"]
    assert (told["ok"], told["required"]) == (True, False)
    assert told["detail"] == "none: learners' code runs on this machine"


def test_the_clock_is_compared_with_the_databases(postgres_url: str) -> None:
    assert abs(clock_off(postgres_url)) < 2.0


def test_a_clock_that_is_more_than_two_seconds_off_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = ((1.9, True, "ahead of"), (2.5, False, "ahead of"), (-9.0, False, "behind"))
    for off_s, ok, words in seen:
        monkeypatch.setattr("app.storage.clock.clock_off", lambda _, off_s=off_s: off_s)
        told = looked_at(Settings(data=tmp_path, database="postgresql://nowhere/grind"))[-1]
        assert (told.name, told.ok) == ("clock", ok)
        assert words in told.detail


def told_of_queue(settings: Settings) -> dict[str, tuple[bool, str]]:
    return {one.name: (one.ok, one.detail) for one in queue(settings)}


def test_the_queue_its_version_and_who_works_on_it_are_said(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(data=tmp_path, database=postgres_url)
    assert told_of_queue(settings) == {"queue": (False, "not made yet")}
    make_queue(postgres_url)
    assert told_of_queue(settings) == {
        "queue": (True, "made by Procrastinate 3.10.0"),
        "dispatchers": (False, "0 at work"),
        "one secret for all": (True, "0 seen, no two differ"),
    }
    with over_the_queue(postgres_url, dispatchers=1):
        until(lambda: told_of_queue(settings)["dispatchers"] == (True, "1 at work"))
    with psycopg.connect(address(postgres_url)) as connection:
        connection.execute("UPDATE applied SET release = '9.9.9'")
    assert told_of_queue(settings) == {"queue": (False, "made by Procrastinate 9.9.9")}
    monkeypatch.setattr(queue_tables, "version", lambda _: "3.9.0")
    assert "3.9.0 is installed" in told_of_queue(settings)["queue"][1]


def test_a_database_without_a_queue_is_told_nothing_of_one(tmp_path: Path) -> None:
    assert queue(Settings(data=tmp_path)) == ()
    assert queue(Settings(data=tmp_path, database="postgresql://127.0.0.1:9/none")) == ()


def test_a_web_process_with_another_secret_is_said_and_no_secret_is_in_the_database(
    postgres_url: str, tmp_path: Path
) -> None:
    make_queue(postgres_url)
    mine, other = b"m" * 32, b"o" * 32
    (tmp_path / "secret").write_bytes(mine)
    settings = Settings(data=tmp_path, database=postgres_url)
    judges = [
        DistributedJudge(postgres_url, lambda _: None, SecretNote(name, mine))
        for name in ("web-1:8000", "web-2:8000")
    ]
    for judge in judges:
        judge.start()
    same = (True, "3 seen, no two differ")
    until(lambda: told_of_queue(settings)["one secret for all"] == same)
    for judge in judges:
        judge.close()
    with psycopg.connect(address(postgres_url)) as connection:
        SecretNote("web-2:8000", other).write(connection)
        kept = connection.execute("SELECT hash FROM secrets").fetchall()
    assert all(mine.hex() not in row[0] and len(row[0]) == 32 for row in kept)
    ok, said = told_of_queue(settings)["one secret for all"]
    assert not ok
    assert "web-1:8000, this machine have one" in said
    assert "web-2:8000 have one" in said
    with psycopg.connect(address(postgres_url)) as connection:
        connection.execute("UPDATE secrets SET at = now() - interval '4 minutes'")
    assert told_of_queue(settings)["one secret for all"] == (True, "1 seen, no two differ")
