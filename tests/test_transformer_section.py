"""The section Transformer Architecture holds, exercise by exercise, what was promised of it."""

from __future__ import annotations

import re

import pytest

from app.catalog import Catalog
from app.expectations.author_files import Author
from app.expectations.cases import cases
from app.model import Exercise, Slug, Tolerance
from tests.fakes import FakeSandbox
from tests.service.world import EXERCISES

MHA = Slug("multi-head-attention")
SECTION = {exercise.slug: exercise for exercise in Catalog((EXERCISES,)).all()}
each_exercise = pytest.mark.parametrize("exercise", SECTION.values(), ids=SECTION.keys())

MISTAKES = {
    "stable-softmax": 8,
    "scaled-dot-product-attention": 8,
    "causal-attention": 9,
    "multi-head-attention": 96,
    "multi-head-attention-layer": 8,
    "sinusoidal-positional-encoding": 7,
    "layer-norm-rms-norm": 9,
    "feed-forward": 9,
    "rotary-embedding": 7,
    "grouped-query-attention": 7,
    "kv-cache-step": 8,
    "online-softmax-attention": 8,
    "transformer-block": 9,
}
"""The least that each library knows; libraries grow."""

DRAWINGS = {
    "multi-head-attention": "head-split-merge",
    "causal-attention": "causal-mask",
    "rotary-embedding": "rotary-pairs",
    "kv-cache-step": "cache-growth",
    "online-softmax-attention": "online-softmax",
}


def slugs_of(exercise: Exercise) -> set[str]:
    """Names of all misconceptions, as the files' public functions give them."""
    texts = [exercise.files[path].decode() for path in exercise.python_files("mistakes")]
    names = [name for text in texts for name in re.findall(r"^def ([a-z]\w*)\(", text, re.M)]
    return {name.replace("_", "-") for name in names}


def test_thirteen_exercises_make_one_path() -> None:
    """Every number from 1 to 13 once, and nothing builds on what comes later."""
    path = sorted(SECTION.values(), key=lambda exercise: exercise.order)
    assert [exercise.order for exercise in path] == list(range(1, 14))
    assert {exercise.section for exercise in path} == {"Transformer Architecture"}
    for exercise in path:
        assert all(SECTION[before].order < exercise.order for before in exercise.after)


@each_exercise
def test_an_exercise_is_whole(exercise: Exercise) -> None:
    """Five hints, two other right ways, stages, a trace, checked questions, sources."""
    assert len(exercise.hints) == 5
    assert len(exercise.python_files("accepted")) >= 2
    assert "stages.py" in exercise.files
    assert exercise.trace
    assert "formula" in [question.kind for question in exercise.follow_ups]
    assert len(exercise.sources) >= 1
    exact_zero = exercise.slug == "stable-softmax"  # a weight of 0 is told from a clipped one
    assert exercise.tolerance == Tolerance(rtol=1e-5, atol=1e-9 if exact_zero else 1e-6)


@each_exercise
def test_a_library_knows_no_fewer_mistakes_than_it_did(exercise: Exercise) -> None:
    assert len(slugs_of(exercise)) >= MISTAKES[exercise.slug]


@pytest.mark.parametrize(("slug", "drawing"), DRAWINGS.items(), ids=DRAWINGS)
def test_what_is_easier_seen_is_drawn(slug: str, drawing: str) -> None:
    found = re.findall(r"!\[([^\]]+)\]\(drawing:([a-z-]+)\)", SECTION[Slug(slug)].statement)
    assert drawing in [name for _, name in found]
    assert all(len(text) > 40 for text, _ in found)  # said to those who do not see it


# --------------------------------------------------------------------------- multi-head attention


def test_the_six_tests_of_attention_come_in_their_order() -> None:
    """Two whose values are shown, then four that are hidden; one row each: tokens, width, heads."""
    tests, _ = cases(Author(SECTION[MHA], FakeSandbox()))
    told = [(test.name, test.visible) for test in tests]
    assert told == [
        ("worked_example", True),
        ("eight_heads", True),
        ("all_sizes_differ", False),
        ("one_head", False),
        ("one_column_per_head", False),
        ("large_scores", False),
    ]
    sizes = [(*test.arguments[0].shape, test.arguments[3]) for test in tests]  # type: ignore[union-attr]
    assert sizes == [(2, 4, 2), (4, 64, 8), (7, 15, 3), (6, 6, 1), (1, 7, 7), (5, 8, 2)]


def test_the_two_examples_of_attention_come_first() -> None:
    _, known = cases(Author(SECTION[MHA], FakeSandbox()))
    assert [example.name for example in known][:2] == ["three_columns_per_head", "all_sizes_5x12"]


@pytest.mark.parametrize(
    "said",
    [
        "undo both steps, the last one first: transpose back",
        "Do not round.",
        "within rtol 1e-5 and atol 1e-6",
        "`float64` or `float32` both pass",
        "but a loop is fine",
        "every token may look at every token",
        "The arguments must not be changed",
    ],
)
def test_the_statement_of_attention_leaves_no_room_to_guess(said: str) -> None:
    assert said in SECTION[MHA].statement
