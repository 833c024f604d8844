"""Draws prove the six tests: what is wrong with `draw` is told, and a hole is found and shown."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from app.catalog import load
from app.expectations import compute
from app.expectations.author_files import Author
from app.expectations.draws import DRAWS, draws
from app.expectations.identical import identical
from app.expectations.plain_values import n_numbers
from app.main import shipped_exercises
from app.verify import Means, Proof, prove
from tests.known import expected
from tests.verify.changes import SHORT, Change, both, put, swap
from tests.verify.faults import SOUND

DRAW = '''"""Random legal inputs."""
import numpy as np


def draw(rng):
    """A sequence and positive weights."""
    n, d = (int(size) for size in rng.integers(1, 6, size=2))
    return rng.standard_normal((n, d)), rng.uniform(0.1, 2.0, size=n)
'''
LEGAL = """
[legal.sizes]
seq_len = { least = 1, greatest = 100, drawn_to = 5 }
d_model = { least = 1, greatest = 100, drawn_to = 5 }
"""
WITH_DRAWS = both(
    put("inputs.py", DRAW), swap("exercise.toml", "\n[tolerance]", f"{LEGAL}\n[tolerance]")
)


def proof_of(change: Change, means: Means, directory: Path, folder: Path = SOUND) -> Proof:
    """The proof of a copy of a folder, changed."""
    copy = directory / folder.name
    shutil.copytree(folder, copy)
    change(copy)
    return prove(copy, means)


def test_a_folder_with_draws_is_proved(means: Means, tmp_path: Path) -> None:
    proof = proof_of(WITH_DRAWS, means, tmp_path)
    assert [str(complaint) for complaint in proof.complaints] == []
    assert proof.advice == ()
    assert "Every other right solution is right on every draw" in proof.passed


def test_a_folder_without_draws_is_proved_with_advice(means: Means) -> None:
    proof = prove(SOUND, means)
    assert proof.ok
    assert len(proof.advice) == 1
    assert proof.advice[0].startswith("there is no inputs.py")


def test_a_folder_without_legal_is_proved_with_advice(means: Means, tmp_path: Path) -> None:
    proof = proof_of(put("inputs.py", DRAW), means, tmp_path)
    assert [str(complaint) for complaint in proof.complaints] == []
    (advice,) = proof.advice
    assert advice.startswith("exercise.toml has no [legal]")


def test_an_exercise_whose_draw_is_broken_is_served_without_draws(
    means: Means, tmp_path: Path
) -> None:
    """Everything else is as it is for the sound folder."""
    copy = Path(shutil.copytree(SOUND, tmp_path / SOUND.name))
    both(WITH_DRAWS, swap("inputs.py", "    n, d", "    raise ValueError('no')\n    n, d"))(copy)
    served, sound = (compute(load(folder), means.sandbox) for folder in (copy, SOUND))
    assert (served.draws, served.confirming) == ((), ())
    assert [fault.file for fault in served.draw_faults] == ["inputs.py"]
    assert [test.name for test in served.tests] == [test.name for test in sound.tests]
    assert [m.slug for m in served.misconceptions] == [m.slug for m in sound.misconceptions]
    assert sorted(served.outcomes) == ["counts-tokens", "ignores-weights", "not-shared-out"]


def test_a_branch_that_no_draw_enters_is_told(means: Means, tmp_path: Path) -> None:
    """A change there that passes the tests is no equivalent: nothing has run it."""
    branch = "if len(x) > 50:\n        x = np.array(x)\n    return shares(w) @ x"
    change = both(WITH_DRAWS, swap("reference.py", "return shares(w) @ x", branch))
    told = [str(complaint) for complaint in proof_of(change, means, tmp_path).complaints]
    assert any("np.array(x) -> x: passes all six cases, and only 0 draws" in one for one in told)


FAULTS = {
    "raises": (
        "    n, d",
        "    raise ValueError('no')\n    n, d",
        "gives no arguments in draw 0: ValueError: no",
    ),
    "never ends": (
        "    n, d",
        "    while True:\n        pass\n    n, d",
        "gives no arguments in draw 0: time limit",
    ),
    "illegal": (
        "return rng.standard_normal((n, d))",
        "return rng.standard_normal((n + 1, d))",
        "is no legal input",
    ),
    "differs": (
        "rng.standard_normal",
        "np.random.default_rng().standard_normal",
        "gives something else for the same random numbers",
    ),
    "large": ("(n, d)),", "(n, 5000 // n)),", "all 256 draws take"),
    "a list": ("return rng", "return [1]\n    return rng", "must return the arguments as a tuple"),
    "an array": (
        "return rng",
        "return np.ones((2, 3))\n    return rng",
        "must return the arguments as a tuple",
    ),
    "no draw": ("def draw", "def drew", "is not there; inputs.py must define draw(rng)"),
    "does not parse": ("def draw", "def draw draw", "Python"),
    "least size": (
        "rng.integers(1, 6, size=2)",
        "rng.integers(2, 6, size=2)",
        "draws seq_len from 2 to 5",
    ),
    "greatest size": (
        "rng.integers(1, 6, size=2)",
        "rng.integers(1, 5, size=2)",
        "draws d_model from 1 to 4",
    ),
    "outside": (
        "return rng",
        "n = 101 if n == 5 else n\n    return rng",
        "has a seq_len that [legal] does not allow",
    ),
    "dtype": (
        "rng.standard_normal((n, d))",
        "rng.integers(0, 9, size=(n, d))",
        "draws x as int64; [legal] says float64",
    ),
    "infinity": ("rng.standard_normal((n, d))", "np.full((n, d), -np.inf)", "draws -inf in x"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_draw_is_told_with_its_file_and_line(
    name: str, means: Means, tmp_path: Path
) -> None:
    old, new, told = FAULTS[name]
    change = both(WITH_DRAWS, swap("inputs.py", old, new))
    if name == "never ends":
        change = both(change, SHORT)
    proof = proof_of(change, means, tmp_path)
    found = [str(c) for c in proof.complaints if c.file == "inputs.py" and told in str(c)]
    assert found, proof.complaints
    if name != "no draw":  # there is no line to point at
        assert re.match(r"inputs\.py:\d+: ", found[0])


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("seq_len = {", "n_seq = {", "legal.sizes.n_seq: names n_seq, which is no size"),
        ("[legal.sizes]", "[legal.sises]", "legal.sises: is not a key we know here"),
        ("least = 1", "lest = 1", "must be { least = 1, greatest = 64 }"),
        ("drawn_to = 5 }", "drawn_to = 500 }", "must be { least = 1, greatest = 64 }"),
        (
            "[legal.sizes]",
            '[legal]\nrelations = ["seq_len = d_model"]\n[legal.sizes]',
            "a relation compares two sizes",
        ),
        (
            "[legal.sizes]",
            '[legal]\nrelations = ["seq_len <= d_model"]\n[legal.sizes]',
            "breaks seq_len <= d_model of [legal]",
        ),
        (
            "[legal.sizes]",
            '[legal.options]\nw = ["left out", "array"]\n[legal.sizes]',
            "draws w = left out 0 times of 256",
        ),
    ],
)
def test_a_fault_of_legal_is_told(
    old: str, new: str, told: str, means: Means, tmp_path: Path
) -> None:
    proof = proof_of(both(WITH_DRAWS, swap("exercise.toml", old, new)), means, tmp_path)
    assert any(told in str(complaint) for complaint in proof.complaints), proof.complaints


def test_a_planted_hole_is_found_and_shown_as_a_test_case(means: Means, tmp_path: Path) -> None:
    """Six tests that never have more queries than keys let zip(Q, K) pass; a draw does not."""
    folder = shipped_exercises() / "scaled-dot-product-attention"
    hole = both(
        swap("cases.py", "_normal(202, 6, 3, 4, 5)", "_normal(202, 3, 5, 4, 6)"),
        swap(
            "cases.py",
            "np.stack([offset, x, *pick], axis=1)",
            "np.stack([offset, x, *pick], axis=1)[:6]",
        ),
        put(
            "mistakes/queries.py",
            '"""Mistakes about the number of queries."""\nimport numpy as np\n\n\n'
            "def as_many_queries_as_keys(Q, K, V):\n"
            '    """Queries beyond the keys are left out\n\n    Rows are missing.\n\n'
            '    Hint: 1\n    """\n'
            "    out = np.zeros((len(Q), V.shape[1]))\n"
            "    out[: len(K)] = scaled_dot_product_attention(Q[: len(K)], K, V)\n"
            "    return out\n",
        ),
    )
    proof = proof_of(hole, means, tmp_path, folder)
    told = [str(c) for c in proof.complaints if "as_many_queries_as_keys" in str(c)]
    assert len(told) == 1
    assert "passes all six cases" in told[0]
    assert "Close the hole: change" in told[0]
    assert "def draw_" in told[0]
    assert "np.array(" in told[0]


def test_a_change_that_no_draw_tells_needs_no_entry_of_its_own(
    means: Means, tmp_path: Path
) -> None:
    folder = shipped_exercises() / "scaled-dot-product-attention"
    text = (folder / "exercise.toml").read_text()
    without = text[: text.index("[[equivalent_mutant]]")]
    proof = proof_of(put("exercise.toml", without), means, tmp_path, folder)
    assert proof.ok
    assert [survivor.why for survivor in proof.survivors] == [
        "256 draws run this line, and none differs"
    ] * 2


@pytest.mark.parametrize(
    "folder", sorted(shipped_exercises().iterdir()), ids=lambda path: path.name
)
def test_a_shipped_exercise_has_draws_from_small_to_large(folder: Path, means: Means) -> None:
    exercise = load(folder)
    known = expected(exercise, means.sandbox)
    assert known.draw_faults == ()
    assert len(known.draws) == DRAWS
    sizes = [n_numbers(draw.arguments) for draw in known.draws]
    assert sizes == sorted(sizes)
    again, _ = draws(Author(exercise, means.sandbox))
    pairs = zip(known.draws, again, strict=True)
    assert all(identical(a.arguments, b.arguments) for a, b in pairs)
