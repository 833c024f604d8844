"""The labelled probe: it tells every layout mistake from a right program by its picture."""

from __future__ import annotations

import re

import pytest

from app.grading.trace.cell_words import Counts, words
from app.grading.trace.labelled_cells import choose, describe_cells
from app.model import CellRows, Execution, ProbeResult
from app.sandbox.pool import LocalSandbox
from app.service.tracing import probe_cases
from tests.tracing.traced_exercise import ROOT, Traced, traced_exercise

FUNCTION = re.compile(r"^def ([a-z]\w*)\(", re.MULTILINE)
MISTAKES = ROOT / "exercises/multi-head-attention/mistakes"
LAYOUT = [
    (f"mistakes/{area}.py", name)
    for area in ("split_heads", "merge_heads", "heads")
    for name in FUNCTION.findall((MISTAKES / f"{area}.py").read_text("utf-8"))
    if name not in ("hard_coded_eight_heads", "float_width", "width_from_seq_len")  # they raise
]
SCALE = [
    name
    for name in FUNCTION.findall((MISTAKES / "scaled_scores.py").read_text("utf-8"))
    if name.startswith("scale_")
]
PROBED = ["multi-head-attention", "grouped-query-attention", "causal-attention", "kv-cache-step"]


def _picture(heads: Traced, path: str, name: str) -> ProbeResult:
    cases = probe_cases(heads.exercise, heads.expectations)
    ran = heads.mistake(path, name, [case.arguments for case in cases])
    seen = [
        describe_cells(heads.exercise, heads.expectations, case, execution)
        for case, execution in zip(cases, ran.executions, strict=True)
    ]
    found = [one for one in seen if one is not None]
    off = (one for one in found if one.state not in ("in_place", "scaled"))
    picture = choose(found) or next(off, found[0])
    assert (choose(found) is None) == (not picture.shows_something)
    return picture


def _texts(rows: CellRows) -> list[list[str]]:
    return [[cell.text for cell in row] for row in rows]


@pytest.mark.parametrize(("path", "name"), LAYOUT)
def test_a_layout_mistake_scrambles_the_cells(heads: Traced, path: str, name: str) -> None:
    picture = _picture(heads, path, name)
    assert _texts(picture.yours) != _texts(picture.right)
    moved = any(cell.moved for row in picture.yours for cell in row)
    assert moved or picture.mixed or picture.state == "shape"


@pytest.mark.parametrize("name", SCALE)
def test_a_scale_mistake_moves_nothing(heads: Traced, name: str) -> None:
    picture = _picture(heads, "mistakes/scaled_scores.py", name)
    assert _texts(picture.yours) == _texts(picture.right)
    assert not any(cell.moved for row in picture.yours for cell in row)
    assert not picture.shows_something
    assert "what is wrong is the numbers or their type" in picture.message


def test_the_merge_by_reshape_is_the_picture_of_the_statement(heads: Traced) -> None:
    picture = _picture(heads, "mistakes/merge_heads.py", "merge_no_transpose")
    assert picture.headline == "18 of 24 values ended up in the wrong place."
    assert _texts(picture.yours)[0] == ["t0·c0", "t0·c1", "t0·c2", "t1·c0", "t1·c1", "t1·c2"]


@pytest.mark.parametrize("name", ["rounded_3", "half_precision"])
def test_what_is_rounded_is_still_in_its_place(heads: Traced, name: str) -> None:
    assert _picture(heads, "mistakes/contract.py", name).state == "in_place"


def test_what_was_still_in_place_is_shown(heads: Traced) -> None:
    source = (ROOT / "tests/tracing/mistakes/plain_merge_no_transpose.py").read_bytes()
    case = heads.example("own_tokens")
    ran = heads.run(source, case)
    seen = describe_cells(
        heads.exercise, heads.expectations, case, ran.executions[0], ran.traces[0]
    )
    assert seen is not None and seen.earlier is not None
    assert (seen.earlier.line, seen.earlier.name) == (14, "heads")
    assert _texts(seen.earlier.slices[1])[3] == ["t3·c3", "t3·c4", "t3·c5"]


@pytest.mark.parametrize("slug", PROBED)
def test_every_cell_of_a_right_output_is_a_labelled_one(sandbox: LocalSandbox, slug: str) -> None:
    own = traced_exercise(sandbox, slug)
    cases = probe_cases(own.exercise, own.expectations)
    assert cases
    for case in cases:
        right = Execution("returned", value=case.expected)
        seen = describe_cells(own.exercise, own.expectations, case, right)
        assert seen is not None
        assert (seen.state, seen.moved, seen.mixed) == ("in_place", 0, 0)


def test_nothing_is_drawn_of_a_call_that_did_not_return(heads: Traced) -> None:
    case = heads.example("own_tokens")
    execution = Execution("raised")
    assert describe_cells(heads.exercise, heads.expectations, case, execution) is None


SPLIT_BY_RESHAPE = b"""
import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    q, k, v = (x.reshape(num_heads, n, d // num_heads) for x in (Q, K, V))
    s = q @ k.transpose(0, 2, 1) / np.sqrt(d // num_heads)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return (e / e.sum(axis=-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(n, d)
"""


def _shown(heads: Traced, source: bytes) -> ProbeResult | None:
    """What is offered for a program, traced as the page traces it."""
    seen = []
    for case in probe_cases(heads.exercise, heads.expectations):
        ran = heads.run(source, case)
        trace = ran.traces[0] if ran.traces else None
        seen.append(
            describe_cells(heads.exercise, heads.expectations, case, ran.executions[0], trace)
        )
    return choose([one for one in seen if one is not None])


def test_the_probe_starts_at_the_array_that_goes_wrong_first(heads: Traced) -> None:
    """The output of this split mixes all cells; the array that it made shows where they went."""
    picture = _shown(heads, SPLIT_BY_RESHAPE)
    assert picture is not None
    assert picture.headline == "On line 6, 18 of 24 cells of `v` are misplaced."
    assert _texts(picture.right)[:2] == [["t0·c0", "t0·c1", "t0·c2"], ["t1·c0", "t1·c1", "t1·c2"]]
    assert _texts(picture.yours)[:2] == [["t0·c0", "t0·c1", "t0·c2"], ["t0·c3", "t0·c4", "t0·c5"]]
    assert "mix" not in str(_texts(picture.yours))


RIGHT = SPLIT_BY_RESHAPE.replace(
    b"x.reshape(num_heads, n, d // num_heads)",
    b"x.reshape(n, num_heads, d // num_heads).transpose(1, 0, 2)",
)


@pytest.mark.parametrize(
    "ending",
    [
        b"out = RIGHT\n    return out, out",
        b"return (RIGHT).astype(np.float16)",
        b"return np.round(RIGHT, 3)",
        b"return np.full((n, d), np.nan)",
        b"return np.zeros((n, d))",
        b"return (RIGHT) * 2",
        b"return np.zeros((n, d), int)",
    ],
)
def test_the_probe_is_not_offered_where_nothing_moved(heads: Traced, ending: bytes) -> None:
    head, _, result = RIGHT.partition(b"    return ")
    source = head + b"    " + ending.replace(b"RIGHT", result.strip()) + b"\n"
    assert _shown(heads, source) is None


def test_cells_without_a_label_say_what_they_hold() -> None:
    counts = Counts("moved", moved=3, mixed=9, size=24, nan=4, unfilled=2)
    assert words(counts, (4, 6), (4, 6), None) == (
        "3 of 24 values ended up in the wrong place.",
        "4 of 24 cells are nan or inf. 2 of 24 cells hold 0: they were never filled. "
        "3 of 24 cells mix several cells.",
    )
