"""The section Transformer Architecture holds, exercise by exercise, what was promised of it."""

from __future__ import annotations

import re

import pytest

from app.catalog import Catalog
from app.model import Exercise, Slug, Tolerance
from tests.service.world import EXERCISES, expectations

MHA = Slug("multi-head-attention")
SECTION = {exercise.slug: exercise for exercise in Catalog((EXERCISES,)).all()}
each_exercise = pytest.mark.parametrize("exercise", SECTION.values(), ids=SECTION.keys())

MISCONCEPTIONS = {
    "stable-softmax": """
        no-shift global-max no-keepdims ignores-axis axis-zero global-sum mean-shift
        mutates-input
    """,
    "scaled-dot-product-attention": """
        no-scale scale-dk scale-dv scale-nk softmax-over-queries scale-after-softmax unstable
        global-max
    """,
    "causal-attention": """
        no-mask zero-fill mask-after-softmax strict keeps-future top-left finite-fill small-fill
        nan-rows
    """,
    "multi-head-attention": """
        checks-seq-len concat-rows elementwise-product float-width half-precision
        hard-coded-eight-heads hard-coded-example hard-coded-two-heads head-order-reversed
        heads-averaged heads-full-width heads-overwrite-first-columns ignores-num-heads
        integer-output k-not-transposed k-t-on-3d loop-shadows-input mask-after-softmax
        mask-causal mask-diagonal merge-interleaved merge-no-transpose mutates-inputs
        normalised-inputs np-dot-3d np-softmax projection-added residual-added
        returns-batch-axis returns-first-head returns-heads-3d returns-heads-3d-transposed
        returns-last-head returns-list returns-matrix returns-none returns-transposed
        returns-tuple returns-v returns-weights roles-k-is-q roles-k-is-v roles-q-k-swapped
        roles-v-is-k roles-weights-transposed rounded-3 rounded-4 scale-after-softmax
        scale-d-model scale-floor-sqrt scale-hard-coded scale-multiply scale-no-sqrt scale-none
        scale-num-heads scale-precedence scale-seq-len softmax-argmax softmax-axis-heads
        softmax-axis-queries softmax-base-two softmax-clip softmax-global
        softmax-global-per-head softmax-log softmax-max-global softmax-max-no-keepdims
        softmax-max-per-column softmax-max-per-head softmax-missing softmax-no-exp
        softmax-no-normalise softmax-on-output softmax-shifted-no-exp softmax-sigmoid
        softmax-subtract-min softmax-sum-no-keepdims softmax-sum-over-head softmax-twice
        softmax-unstable special-case-one-head split-and-merge-direct
        split-and-merge-interleaved split-direct-reshape split-heads-as-batch-of-tokens
        split-interleaved split-num-heads-and-width-swapped split-off-by-one split-only-values
        split-token-as-head split-v-direct split-width-is-num-heads swapaxes-wrong
        uniform-weights width-from-seq-len average-scores
    """,
    "multi-head-attention-layer": """
        transposed-projections no-output-projection slice-before-project values-from-query
        keys-from-query swapped-qk wo-transposed scale-dmodel
    """,
    "sinusoidal-positional-encoding": """
        halves own-frequency doubled-exponent starts-at-one swapped base-1000 even-only
    """,
    "layer-norm-rms-norm": """
        batch-axis all-axes no-keepdims ddof-1 eps-outside no-eps rms-centres one-pass-variance
        shift-before-scale
    """,
    "feed-forward": """
        gelu-erf gelu-sigmoid gelu-square relu gate-swapped silu-of-product sigmoid-gate
        no-activation-on-gate silu-overflow
    """,
    "rotary-embedding": """
        half-split backwards ignores-positions frequency-per-index concatenates wrong-token-axis
        adds-encoding
    """,
    "grouped-query-attention": """
        tile repeats-features first-head-only mean-of-kv split-by-reshape scale-kv-width
        scale-dmodel
    """,
    "kv-cache-step": """
        stale-cache no-mask-in-chunk top-left-mask prepends returns-new-rows swapped-caches
        scale-dmodel single-head
    """,
    "online-softmax-attention": """
        no-rescale rescale-l-only average-of-blocks max-from-zero finite-sentinel drops-tail
        lse-without-max unscaled-lse
    """,
    "transformer-block": """
        post-norm residual-from-norm no-mask ln2-reads-x reuses-ln1 no-second-residual relu
        no-biases scale-dmodel
    """,
}
"""The least that each library knows, by name; libraries grow."""

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
def test_a_library_knows_its_misconceptions_by_name(exercise: Exercise) -> None:
    assert set(MISCONCEPTIONS[exercise.slug].split()) - slugs_of(exercise) == set()


def test_attention_knows_ninety_five_misconceptions_and_one_more() -> None:
    assert len(MISCONCEPTIONS[MHA].split()) == 96


@pytest.mark.parametrize(("slug", "drawing"), DRAWINGS.items(), ids=DRAWINGS)
def test_what_is_easier_seen_is_drawn(slug: str, drawing: str) -> None:
    found = re.findall(r"!\[([^\]]+)\]\(drawing:([a-z-]+)\)", SECTION[Slug(slug)].statement)
    assert drawing in [name for _, name in found]
    assert all(len(text) > 40 for text, _ in found)  # said to those who do not see it


# --------------------------------------------------------------------------- multi-head attention


def test_the_six_tests_of_attention_come_in_their_order() -> None:
    """Two whose values are shown, then four that are hidden; one row each: tokens, width, heads."""
    tests = expectations(SECTION[MHA]).tests
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
    assert sizes == [(2, 4, 2), (4, 64, 8), (7, 15, 3), (6, 5, 1), (1, 7, 7), (5, 8, 2)]


def test_the_two_examples_of_attention_come_first() -> None:
    known = expectations(SECTION[MHA]).examples
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
