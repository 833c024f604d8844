"""`make matrix` finds the Pythons of a machine, and README names those it tests."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.matrix import TESTED, candidates, found, version_of

ROOT = Path(__file__).parents[2]


def python(path: Path, version: str) -> Path:
    """A program that says it is this Python."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho {version}\n")
    path.chmod(0o755)
    return path


def test_pythons_are_found_on_path_in_pyenv_and_by_name(tmp_path: Path) -> None:
    on_path = python(tmp_path / "bin" / "python3.12", "3 12")
    older = python(tmp_path / "pyenv" / "versions" / "3.11.7" / "bin" / "python", "3 11")
    python(tmp_path / "pyenv" / "versions" / "3.9.18" / "bin" / "python", "3 9")
    python(tmp_path / "pyenv" / "versions" / "3.12.1" / "bin" / "python", "3 12")
    named = python(tmp_path / "own" / "py", "3 13")
    pythons = candidates(str(tmp_path / "bin"), tmp_path / "pyenv", f"{named}:{tmp_path}/nothing")
    assert found(pythons) == {(3, 11): older, (3, 12): on_path, (3, 13): named}


def test_what_does_not_start_has_no_version(tmp_path: Path) -> None:
    assert version_of(tmp_path / "nothing") is None
    assert version_of(Path(sys.executable)) == sys.version_info[:2]


def test_readme_names_the_tested_versions() -> None:
    text = (ROOT / "README.md").read_text()
    assert "Python 3.11, 3.12 or 3.13" in text
    assert TESTED == ((3, 11), (3, 12), (3, 13))
