"""`mlgrind grade` as a person calls it: a real process, real files, a real jail."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from app.classroom.tables import harmless
from app.cli import app
from app.cli.common import printable
from app.model import LearnerId, Slug, SubmissionId
from app.records import Submission
from app.service.replay import replay_json
from tests.service.world import EXERCISES, PATIENCE_S, REFERENCE, SOFTMAX, WRONG, World

MLGRIND = Path(sys.executable).with_name("mlgrind")


def mlgrind(
    *arguments: str | Path, stdin: bytes = b"", data: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    environment = os.environ | ({} if data is None else {"MLGRIND_DATA": str(data)})
    return subprocess.run(
        [MLGRIND, *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        timeout=PATIENCE_S,
        env=environment,
    )


def reports(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


HARD = {
    "right.py": (REFERENCE, "accepted"),
    "wrong.py": (WRONG, "wrong_answer"),
    "empty.py": (b"", "policy_error"),
    "nul.py": (b"x = 1\x00", "syntax_error"),
    "latin.py": (b"x = '\xff'", "syntax_error"),
    "surrogate.py": ("x = '\ud800'".encode("utf-8", "surrogatepass"), "syntax_error"),
    "long.py": (b"#" * (64 * 1024 + 1), "policy_error"),
    "loop.py": (b"while True:\n    pass\n", "time_limit"),
    "imports.py": (b"import os\n", "policy_error"),
}


def test_one_json_report_a_file_in_order_whatever_the_bytes(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in HARD]
    for path in paths:
        path.write_bytes(HARD[path.name][0])
    done = mlgrind("grade", SOFTMAX, *paths, "--json")
    found = reports(done)
    assert [report["file"] for report in found] == [str(path) for path in paths]
    assert [report["verdict"] for report in found] == [verdict for _, verdict in HARD.values()]
    assert all(report["format"] == 1 and len(report["tests"]) == 6 for report in found)
    assert done.returncode == 1
    assert done.stderr == b""


def test_all_accepted_is_status_0(tmp_path: Path) -> None:
    done = mlgrind("grade", SOFTMAX, EXERCISES / SOFTMAX / "reference.py", "-", stdin=REFERENCE)
    assert done.returncode == 0
    assert done.stdout.decode().count("accepted (6 of 6)") == 2


def test_files_are_judged_where_no_cache_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cache").write_bytes(b"in the way of the folder")
    monkeypatch.setenv("MLGRIND_CACHE", str(tmp_path / "cache"))
    done = mlgrind("grade", SOFTMAX, "-", "--json", stdin=REFERENCE, data=tmp_path)
    assert [report["verdict"] for report in reports(done)] == ["accepted"]
    assert done.returncode == 0
    assert b"expectations_not_cached" in done.stderr


def test_files_are_judged_where_no_data_folder_can_be_made(tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(b"in the way of the folder")
    done = mlgrind("grade", SOFTMAX, "-", "--json", stdin=REFERENCE, data=tmp_path / "data")
    assert [report["verdict"] for report in reports(done)] == ["accepted"]
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["grade"], "Say which exercise"),
        (["grade", SOFTMAX], "Say which exercise"),
        (["grade", "stable-softmaxx", __file__], "Did you mean stable-softmax?"),
        (["grade", SOFTMAX, "no/such/file.py"], "no/such/file.py: No such file"),
        (["grade", SOFTMAX, "/"], "/: Is a directory"),
        (["grade", "--replay", "no/such/file.json"], "No such file"),
        (["grade", "--replay", __file__], "not JSON"),
        (["grade", SOFTMAX, __file__, "--replay", __file__], "give no others"),
        (["nonsense"], "No such command"),
        (["export", "submissions"], "--csv"),
        (["backup", "x.db"], "nothing to back up"),
        (["restore", "no/such/file.db"], "is not a file"),
        (["restore", __file__], "not a backup"),
    ],
    ids=lambda value: " ".join(map(str, value))[-40:] if isinstance(value, list) else "",
)
def test_a_usage_error_is_one_sentence_and_status_2(arguments: list[str], said: str) -> None:
    done = CliRunner().invoke(app, arguments)
    assert said in done.stderr
    assert isinstance(done.exception, SystemExit)
    assert done.exit_code == 2


def test_a_usage_error_has_no_traceback() -> None:
    done = mlgrind("grade", "stable-softmaxx", __file__)
    assert done.stderr.count(b"\n") == 1
    assert done.returncode == 2


@pytest.mark.parametrize("command", ["serve", "grade", "doctor", "export", "backup", "restore"])
def test_each_help_has_an_example(command: str) -> None:
    done = CliRunner().invoke(app, [command, "--help"])
    assert f"mlgrind {command} " in done.stdout.split("Example", 1)[1]
    assert done.exit_code == 0


def replay_file(tmp_path: Path, source: bytes, **changed: object) -> Path:
    world = World(tmp_path)
    digest = world.service(started=False).exercises.get(SOFTMAX).digest
    world.close()
    report = {"digest": digest, "verdict": "wrong_answer"}
    submission = Submission(
        SubmissionId("s"), LearnerId("ann"), Slug(SOFTMAX), source, world.now, report
    )
    path = tmp_path / "replay.json"
    path.write_text(json.dumps({**replay_json(submission), **changed}))
    return path


def test_a_replay_repeats_the_verdict(tmp_path: Path) -> None:
    done = mlgrind("grade", "--replay", replay_file(tmp_path, WRONG), "--json")
    (report,) = reports(done)
    assert report["verdict"] == "wrong_answer"
    assert report["replay"] == {"verdict": "wrong_answer", "same": True, "differences": []}


def test_a_replay_says_what_differs(tmp_path: Path) -> None:
    path = replay_file(tmp_path, REFERENCE, digest="0" * 64, versions={"numpy": "1.0"})
    text = mlgrind("grade", "--replay", path).stdout.decode()
    assert "It was wrong_answer there." in text
    assert "the exercise differs" in text
    assert "numpy differs: 1.0 there" in text


def test_doctor_says_of_each_layer_how_it_is() -> None:
    done = mlgrind("doctor", "--json")
    found = json.loads(done.stdout)
    names = {finding["name"]: finding for finding in found["findings"]}
    assert {"seccomp", "no_new_privs", "rlimits", "landlock", "exercises", "database"} <= set(names)
    required = [f["ok"] for f in found["findings"] if f["required"]]
    assert found["grades"] == all(required)
    assert done.returncode == (0 if found["grades"] else 1)
    text = mlgrind("doctor").stdout.decode()
    assert all(name in text for name in names)


def test_a_broken_setting_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLGRIND_LIMIT_RUNS", "many")
    done = mlgrind("doctor")
    assert b"MLGRIND_LIMIT_RUNS: " in done.stderr
    assert done.returncode == 2


def test_what_a_terminal_would_obey_is_shown_as_an_escape() -> None:
    assert printable("a\x1b[31m\u202e\nb\t🧊") == "a\\x1b[31m\\u202e\nb\\t🧊"


@pytest.mark.parametrize(
    "name",
    [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "  =1",
        "\t=1",
        "|cmd",
        "\r1",
        "＝1",
        "＠A",
        "\u200b＋1",
        "\u3000－1",
    ],
)
def test_no_cell_starts_a_formula(name: str) -> None:
    assert harmless(name) == "'" + name


@pytest.mark.parametrize("name", ["", "Ann", "O'Hara", "a=b", "3"])
def test_an_honest_cell_stays_as_it_is(name: str) -> None:
    assert harmless(name) == name
