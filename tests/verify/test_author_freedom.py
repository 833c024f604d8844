"""What an author may leave out or write as they like, and what is told all at once."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from app.catalog import load
from app.verify import Means, prove
from tests.verify.faults import SOUND


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SOUND, tmp_path / SOUND.name))


def swap(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def complaints(folder: Path, means: Means) -> list[str]:
    return [str(complaint) for complaint in prove(folder, means).complaints]


def test_an_exercise_has_two_to_six_hints(folder: Path, means: Means) -> None:
    for count in (2, 6):
        hints = "\n".join(f"## Hint {n}\n\nThink of share {n}.\n" for n in range(1, count + 1))
        (folder / "hints.md").write_text(hints)
        assert complaints(folder, means) == []


@pytest.mark.parametrize(("count", "closed"), [(2, 1), (3, 1), (4, 2), (5, 3), (6, 4)])
def test_only_the_last_hints_may_hold_a_line_of_the_solution(
    count: int, closed: int, folder: Path, means: Means
) -> None:
    hints = "\n".join(f"## Hint {n}\n\n`shares(w) @ x`\n" for n in range(1, count + 1))
    (folder / "hints.md").write_text(hints)
    told = complaints(folder, means)
    assert [text.split(": ")[2].split()[1] for text in told] == [str(n + 1) for n in range(closed)]


def test_summary_and_order_may_be_left_out(folder: Path, means: Means) -> None:
    swap(folder / "exercise.toml", "order = 1\n", "")
    swap(
        folder / "exercise.toml", 'summary = "Average tokens, each with a weight of its own."\n', ""
    )
    assert complaints(folder, means) == []
    exercise = load(folder)
    assert exercise.summary == "The mean of tokens, each counted by its weight."
    assert exercise.order == 1000


def test_complaints_about_texts_hide_no_others(folder: Path, means: Means) -> None:
    swap(folder / "statement.md", "## Constraints", "## Rules")
    (folder / "hints.md").write_text("## One\n\nOnly one.\n")
    swap(folder / "statement.md", "would end in 4.0", "would end in 4.5")
    told = " ".join(complaints(folder, means))
    assert 'has no section "## Constraints"' in told
    assert "holds 1 hints; an exercise has 2 to 6." in told
    assert "has the hint '2'; it must be a number from 1 to 1." in told


def test_formulas_may_use_exp_log_and_sqrt(folder: Path, means: Means) -> None:
    swap(
        folder / "exercise.toml",
        'answer = "seq_len * d_model"',
        'answer = "log(exp(seq_len)) * sqrt(d_model ** 2)"',
    )
    swap(
        folder / "exercise.toml",
        'value = "worked_example()[0].mean(axis=0)[1]"',
        'value = "exp(log(4))"',
    )
    assert complaints(folder, means) == []


def test_a_reference_that_rounds_is_told(folder: Path, means: Means) -> None:
    swap(folder / "reference.py", "return shares(w) @ x", "return np.round(shares(w) @ x, 4)")
    assert any(
        advice.startswith("reference.py rounds to 4 decimals, so right answers that don't would")
        for advice in prove(folder, means).advice
    )
    assert all("rounds" not in advice for advice in prove(SOUND, means).advice)
