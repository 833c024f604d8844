"""`make image` takes the first tool that works here, not the first that is installed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ("docker", "podman", "buildah")


def _tools(folder: Path, **works: bool) -> Path:
    """Stand-ins for the tools: each writes down how it was called, and `info` may fail."""
    for name in TOOLS:
        script = folder / name
        status = 0 if works.get(name, False) else 1
        script.write_text(
            f'#!/bin/sh\n[ "$1" = info ] && exit {status}\necho "{name} $*" >> "{folder}/called"\n'
        )
        script.chmod(0o755)
    return folder


def _made(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/usr/bin/make", "--no-print-directory", "image", "IMAGE=mine"],
        cwd=ROOT,
        env={"PATH": f"{folder}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(
    ("works", "built_by"),
    [
        ({"docker": True, "buildah": True}, "docker"),
        ({"podman": True, "buildah": True}, "podman"),
        ({"buildah": True}, "buildah"),
    ],
)
def test_the_first_tool_that_works_builds(
    tmp_path: Path, works: dict[str, bool], built_by: str
) -> None:
    """A docker client whose daemon does not run is installed, and of no use."""
    made = _made(_tools(tmp_path, **works))
    assert made.returncode == 0, made.stderr
    assert (tmp_path / "called").read_text() == f"{built_by} build --tag mine .\n"


def test_where_none_works_one_sentence_says_what_to_install(tmp_path: Path) -> None:
    made = _made(_tools(tmp_path))
    assert made.returncode != 0
    assert "None of docker, podman and buildah works here" in made.stderr
    assert not (tmp_path / "called").exists()
