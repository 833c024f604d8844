"""The letters of the kill table, each met by a mistake that deserves it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from app.verify import LETTERS, Means, prove
from tests.verify.changes import MISTAKE
from tests.verify.faults import SOUND

BODIES = {
    "V": "return shares(w) @ x + 1.0",
    "S": "return (shares(w) @ x)[None]",
    "N": "return shares(w) @ x + np.nan",
    "E": "raise ValueError('no')",
    "T": "return list(shares(w) @ x)",
    "D": "return (shares(w) @ x).round().astype(int)",
    "C": "x *= 1.0 + 1e-9\n    return shares(w) @ x",
    "0": "return None",
    "L": "return np.ones((10_000_000_000,))",
    "·": "return shares(w) @ x",
}


@pytest.fixture(scope="module")
def rows(means: Means, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The row of each mistake, by the letter it is made for."""
    folder = Path(shutil.copytree(SOUND, tmp_path_factory.mktemp("letters") / SOUND.name))
    names = {letter: f"made_{number}" for number, letter in enumerate(BODIES)}
    text = "import numpy as np\n" + "".join(
        MISTAKE.format(name=names[letter], body=body, more="") for letter, body in BODIES.items()
    )
    (folder / "mistakes" / "weights.py").write_text(text)
    found = {kill.misconception.slug: "".join(kill.letters) for kill in prove(folder, means).kills}
    return {letter: found[name.replace("_", "-")] for letter, name in names.items()}


@pytest.mark.parametrize("letter", BODIES)
def test_a_mistake_gets_its_letter_in_every_case(letter: str, rows: dict[str, str]) -> None:
    assert rows[letter] == letter * 6


def test_every_letter_is_met() -> None:
    assert set(BODIES) == set(LETTERS)
