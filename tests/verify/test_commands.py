"""`mlgrind check`, `new` and `import` as an author calls them: real processes, real folders."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.service.world import PATIENCE_S
from tests.verify.faults import BROKEN, SOUND

MLGRIND = Path(sys.executable).with_name("mlgrind")


def mlgrind(
    *arguments: str | Path, exercises: Path | None = None
) -> subprocess.CompletedProcess[str]:
    more = {} if exercises is None else {"MLGRIND_EXERCISES": str(exercises)}
    return subprocess.run(
        [MLGRIND, *arguments],
        capture_output=True,
        check=False,
        timeout=PATIENCE_S,
        text=True,
        env=os.environ | more,
    )


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A directory with the sound folder in it."""
    shutil.copytree(SOUND, tmp_path / "mine" / SOUND.name)
    return tmp_path / "mine"


def test_a_proved_exercise_is_0_and_shows_its_kill_table(mine: Path) -> None:
    done = mlgrind("check", "weighted-mean", exercises=mine)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("✓ weighted-mean: proved in ")
    assert "3 of 3 mistakes caught and named; 10 of 10 mutants caught" in lines[0]
    assert "    1 worked_example" in lines
    assert "    ignores-weights  V V · V V V" in lines


def test_something_to_mend_is_1_and_names_file_line_and_what_to_do(mine: Path) -> None:
    text = (mine / SOUND.name / "mistakes" / "weights.py").read_text()
    right = text.replace("return x.mean(axis=0)", "return shares(w) @ x")
    (mine / SOUND.name / "mistakes" / "weights.py").write_text(right)
    done = mlgrind("check", mine / SOUND.name)
    assert done.returncode == 1
    assert "✗ weighted-mean: 1 thing to fix" in done.stdout
    assert "    ignores-weights  · · · · · ·  ←" in done.stdout
    assert (
        "  mistakes/weights.py:5: ignores_weights: passes all six cases, so no learner would ever"
        " hear of it. Add a case to cases.py that it fails."
    ) in done.stdout.splitlines()


def test_an_unknown_name_is_2_with_the_nearest(mine: Path) -> None:
    done = mlgrind("check", "weigthed-mean", exercises=mine)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Did you mean weighted-mean?" in done.stderr


def test_json_is_one_object_a_folder(mine: Path) -> None:
    (mine / "broken").mkdir()
    done = mlgrind("check", "weighted-mean", "broken", "--json", exercises=mine)
    assert done.returncode == 1
    sound, off = map(json.loads, done.stdout.splitlines())
    assert (sound["exercise"], sound["ok"], sound["complaints"]) == ("weighted-mean", True, [])
    assert sound["mistakes"][0] == {
        "slug": "ignores-weights",
        "area": "weights",
        "letters": ["V", "V", "·", "V", "V", "V"],
        "caught": True,
        "named": True,
        "provable": True,
        "note": "",
    }
    assert sound["mutants"] == {"made": 10, "caught": 10, "survivors": []}
    assert (off["exercise"], off["ok"], off["tests"]) == ("broken", False, [])
    assert off["complaints"][0] == {
        "file": "exercise.toml",
        "line": None,
        "key": "",
        "message": "is missing. Every exercise needs it.",
    }


def test_a_folder_is_checked_again_when_it_changes(mine: Path) -> None:
    watching = subprocess.Popen(
        [MLGRIND, "check", mine / SOUND.name, "--watch", "--json"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert watching.stdout is not None
        assert json.loads(watching.stdout.readline())["ok"] is True
        (mine / SOUND.name / "hints.md").unlink()
        seen = json.loads(watching.stdout.readline())
        assert [each["file"] for each in seen["complaints"]] == ["hints.md"]
        watching.send_signal(signal.SIGINT)
        assert watching.wait(PATIENCE_S) == 1
    finally:
        watching.kill()
        watching.wait()
        if watching.stdout is not None:
            watching.stdout.close()


def test_watch_says_what_changed(mine: Path) -> None:
    watching = subprocess.Popen(
        [MLGRIND, "check", mine / SOUND.name, "--watch"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert watching.stdout is not None
        assert watching.stdout.readline().startswith("✓ weighted-mean: proved in ")
        with (mine / SOUND.name / "hints.md").open("a") as hints:
            hints.write("And no more.\n")
        dividers = (line for line in watching.stdout if line.startswith("── "))
        assert next(dividers).rstrip().endswith(", changed: hints.md ──")
    finally:
        watching.kill()
        watching.wait()
        if watching.stdout is not None:
            watching.stdout.close()


def test_new_makes_a_folder_in_the_first_directory(tmp_path: Path) -> None:
    done = mlgrind("new", "my-layer", exercises=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "my-layer" / "exercise.toml").is_file()
    assert f"mlgrind check --watch {tmp_path / 'my-layer'}" in done.stdout
    again = mlgrind("new", "my-layer", exercises=tmp_path)
    assert again.returncode == 2 and "already exists" in again.stderr


def test_new_without_a_directory_says_where_to_say_it() -> None:
    done = mlgrind("new", "my-layer")
    assert done.returncode == 2
    assert "--into DIR, or set MLGRIND_EXERCISES" in done.stderr


def test_import_writes_a_draft_and_says_what_it_lacks(tmp_path: Path) -> None:
    bank = BROKEN / "bank" / "41_centre_rows"
    done = mlgrind("import", bank, "--into", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "  cases.py: 3 of 6 test cases; the folder gives 3." in done.stdout
    assert (tmp_path / "centre-rows" / "cases.py").is_file()
    refused = mlgrind("import", bank / ".." / bank.name, "--into", tmp_path)
    assert refused.returncode == 2 and "goes up with `..`" in refused.stderr


@pytest.mark.parametrize("command", ["check", "new", "import"])
def test_help_has_an_example(command: str) -> None:
    done = mlgrind(command, "--help")
    assert done.returncode == 0 and "Example" in done.stdout
