"""What `mlgrind` says of itself."""

from __future__ import annotations

import platform

import numpy as np
import pytest
from typer.testing import CliRunner

from app.cli import app, main
from app.ports import StoreAway

NARROW = {"COLUMNS": "80"}


def test_the_version_is_told_with_those_of_python_and_numpy() -> None:
    told = CliRunner().invoke(app, ["--version"])
    assert told.exit_code == 0
    assert told.output.startswith("mlgrind 0.")
    assert told.output.endswith(f", Python {platform.python_version()}, NumPy {np.__version__}\n")


@pytest.mark.parametrize("words", [[], ["class"], ["account"], ["campus"], ["queue"]])
def test_the_list_of_commands_cuts_no_sentence_short(words: list[str]) -> None:
    listed = CliRunner().invoke(app, [*words, "--help"], env=NARROW).output.splitlines()
    rows = listed[listed.index("Commands:") + 1 :]
    commands = rows[: rows.index("")] if "" in rows else rows
    assert len(commands) >= 4
    assert [line for line in commands if not line.endswith(".") or line.endswith("...")] == []


@pytest.mark.parametrize(
    ("full", "said"), [(True, "The disk of the database is full"), (False, "The database is away")]
)
def test_a_database_that_is_away_is_a_sentence_and_no_traceback(
    full: bool, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def away() -> None:
        raise StoreAway("its own words", disk_full=full)

    monkeypatch.setattr("app.cli.app", away)
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    assert capsys.readouterr().err.startswith(f"{said}: its own words\n")
