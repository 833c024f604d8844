"""What `mlgrind` says of itself."""

from __future__ import annotations

import platform

import numpy as np
import pytest
from typer.testing import CliRunner

from app.cli import app

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
