"""`mlgrind doctor` on a machine that asks runners: each by itself, and why it is of no use."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.cli.doctor_machines import machines as looked_at
from app.config import Settings
from app.storage.clock import clock_off
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
