"""An exercise taken along runs elsewhere, and gives nothing away."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient

from tests.service.world import EXERCISES

OWN = Path(__file__).parents[1] / "exercises"
MHA = "multi-head-attention"


def _unpacked(client: TestClient, slug: str, into: Path) -> Path:
    answer = client.get(f"/exercises/{slug}/{slug}.zip")
    assert answer.headers["content-type"] == "application/zip"
    zipfile.ZipFile(io.BytesIO(answer.content)).extractall(into)
    return into / slug


@pytest.mark.parametrize(("slug", "home"), [(MHA, EXERCISES), ("weighted-mean", OWN)])
def test_the_folder_accepts_the_reference_and_not_the_starter(
    client: TestClient, tmp_path: Path, slug: str, home: Path
) -> None:
    folder = _unpacked(client, slug, tmp_path)
    command = [sys.executable, "test_visible.py"]
    starter = subprocess.run(command, cwd=folder, capture_output=True)
    assert starter.returncode != 0 and b"AssertionError" in starter.stderr
    (folder / "solution.py").write_bytes((home / slug / "reference.py").read_bytes())
    right = subprocess.run(command, cwd=folder, capture_output=True)
    assert right.returncode == 0, right.stderr
    assert b": equal" in right.stdout


def test_the_notebook_runs_with_a_right_solution(client: TestClient) -> None:
    found = json.loads(client.get(f"/exercises/{MHA}/{MHA}.ipynb").content)
    assert (found["nbformat"], found["nbformat_minor"]) == (4, 5)
    sources = ["".join(c["source"]) for c in found["cells"] if c["cell_type"] == "code"]
    reference = (EXERCISES / MHA / "reference.py").read_text()
    names: dict[str, object] = {}
    for source in [reference, *sources[1:]]:
        exec(source, names)  # noqa: S102 (our own)
    assert len({cell["id"] for cell in found["cells"]}) == len(found["cells"])


@pytest.mark.parametrize("slug", [MHA, "stable-softmax"])
def test_what_is_taken_along_can_be_read(client: TestClient, tmp_path: Path, slug: str) -> None:
    """Long arrays are packed: the code of the tests holds no screens full of digits."""
    folder = _unpacked(client, slug, tmp_path)
    found = json.loads(client.get(f"/exercises/{slug}/{slug}.ipynb").content)
    cells = ["".join(c["source"]) for c in found["cells"] if c["cell_type"] == "code"]
    for text in [(folder / "test_visible.py").read_text(), *cells]:
        assert len(re.findall(r"\d\.\d{12,}", text)) <= 80, text[:200]


def test_hidden_tests_hints_and_the_reference_stay_here(client: TestClient, tmp_path: Path) -> None:
    folder = _unpacked(client, MHA, tmp_path)
    assert {file.name for file in folder.iterdir()} == {
        "README.md",
        "arrays.npz",
        "solution.py",
        "test_visible.py",
    }
    text = "".join(file.read_text() for file in folder.iterdir() if file.suffix != ".npz")
    shown = (
        "worked_example",
        "eight_heads",
        "three_columns_per_head",
        "all_sizes_5x12",
        "own_tokens",
        "a_token_per_head",
    )
    names = np.load(folder / "arrays.npz").files
    assert names and all(name.rpartition("_")[0] in shown for name in names)
    assert "large_scores" not in text and "A nudge" not in text and "merge_heads" not in text
    assert client.get(f"/exercises/{MHA}/other.zip").status_code == 404


def test_the_same_exercise_gives_the_same_bytes(client: TestClient) -> None:
    address = f"/exercises/{MHA}/{MHA}.zip"
    assert client.get(address).content == client.get(address).content
