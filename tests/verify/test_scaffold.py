"""A new folder needs its marked places filled, and nothing else, to be proved."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.verify import Means, prove
from app.verify.scaffold import CannotWrite, scaffold

REFERENCE = "    return x - first_step(x)\n"
STEP = "    return x.mean(axis=-1, keepdims=True)\n"
SPECIAL = "    return (np.array([[5.0, 5.0, 5.0], [0.0, 0.0, 3.0]]),)\n"
MISTAKE = '''def mean_over_tokens(x):
    """Mean over the tokens

    The mean is taken over the tokens. Every token has a mean of its own.

    Hint: 2
    """
    return centred_tokens(x.swapaxes(-1, -2)).swapaxes(-1, -2)
'''
STEPS_MISTAKE = '''def halved_mean(x):
    """Half the mean

    Half the mean is taken away. What is left has no mean of zero.

    Hint: 2
    """
    return first_step(x) / 2.0
'''


def fill(path: Path, start: str, end: str | None, text: str) -> None:
    """Put a text in the place that begins with `start` and goes to `end`, or to the file's end."""
    old = path.read_text()
    first = old.index(start)
    last = len(old) if end is None else old.index(end, first)
    path.write_text(old[:first] + text + old[last:])


def test_places_filled_make_a_proved_exercise(means: Means, tmp_path: Path) -> None:
    folder = scaffold("centred-tokens", tmp_path / "mine")
    waiting = [str(complaint) for complaint in prove(folder, means).complaints]
    assert [text.split(": ")[0] for text in waiting] == [
        "cases.py:41",
        "hints.md:3",
        "hints.md:7",
        "hints.md:11",
        "mistakes/first.py:11",
        "mistakes/first_step.py:10",
        "reference.py:16",
        "statement.md:3",
        "statement.md:7",
        "statement.md:11",
        "mistakes/first.py:14",
        "mistakes/first.py:16",
        "mistakes/first_step.py:13",
        "mistakes/first_step.py:15",
    ]
    assert all("FILL IN" in text for text in waiting[:-4])
    assert all("words of the draft" in text for text in waiting[-4:])

    fill(folder / "statement.md", "FILL IN 1", "\n", "Take every token's mean away from it.")
    fill(folder / "statement.md", "FILL IN 2", "\n", "A layer norm begins with it.")
    fill(folder / "statement.md", "FILL IN 3", "\n", "$$y_{ij} = x_{ij} - m_i$$")
    fill(folder / "hints.md", "FILL IN 4", "\n", "What is the mean of one row?")
    fill(folder / "hints.md", "FILL IN 5", "\n", "Every row loses its own mean.")
    fill(folder / "hints.md", "FILL IN 6", "\n", "Keep the axis of the mean.")
    fill(folder / "reference.py", "    # FILL IN 7", None, REFERENCE)
    fill(folder / "reference.py", "    return x\n", "\n\ndef ", STEP)
    fill(folder / "cases.py", "    # FILL IN 8", "\n\ndef ", SPECIAL)
    fill(folder / "mistakes" / "first.py", "# FILL IN 9", None, MISTAKE)
    fill(folder / "mistakes" / "first_step.py", "# FILL IN 10", None, STEPS_MISTAKE)
    proof = prove(folder, means)
    assert [str(complaint) for complaint in proof.complaints] == []
    assert (proof.named, len(proof.kills)) == (2, 2)
    assert {kill.misconception.target for kill in proof.kills} == {"centred_tokens", "first_step"}
    assert proof.sets[0] == "two mistakes together: 1 pairs; 0 give the same as another."


def test_the_folder_teaches_in_comments(tmp_path: Path) -> None:
    folder = scaffold("centred-tokens", tmp_path)
    comments = (folder / "exercise.toml").read_text().count("#")
    assert comments > 15
    assert 'entry_point = "centred_tokens"' in (folder / "exercise.toml").read_text()
    assert "def centred_tokens(x):" in (folder / "starter.py").read_text()


def test_nothing_is_written_over(tmp_path: Path) -> None:
    folder = scaffold("mine", tmp_path)
    (folder / "hints.md").write_text("my own")
    with pytest.raises(CannotWrite, match="already exists"):
        scaffold("mine", tmp_path)
    assert (folder / "hints.md").read_text() == "my own"
    assert [entry.name for entry in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize("slug", ["../up", "Upper", "a b", "", "for", "3d-attention", "a/b"])
def test_a_name_that_will_not_do_is_refused(slug: str, tmp_path: Path) -> None:
    with pytest.raises(CannotWrite):
        scaffold(slug, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_mark_deleted_without_its_words_replaced_is_told(means: Means, tmp_path: Path) -> None:
    folder = scaffold("centred-tokens", tmp_path)
    for path in folder.rglob("*.*"):
        text = path.read_text()
        path.write_text(re.sub(r"FILL IN \d+ of \d+: ", "", text))
    told = [str(complaint) for complaint in prove(folder, means).complaints]
    assert (
        'statement.md:7: still has the words of the draft: "where this is used and why it works, in'
        ' a few lines". Write your own.'
    ) in told
    assert {text.split(":")[0] for text in told if "words of the draft" in text} == {
        "cases.py",
        "hints.md",
        "mistakes/first.py",
        "mistakes/first_step.py",
        "reference.py",
        "statement.md",
    }


def test_an_exercise_named_like_the_first_helper_has_another_name_for_it(tmp_path: Path) -> None:
    folder = scaffold("first-step", tmp_path)
    assert (folder / "mistakes" / "first_step_of_it.py").is_file()
    assert "def first_step_of_it(x):" in (folder / "reference.py").read_text()
