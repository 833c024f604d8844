"""The first line that leaves the right computation: named where it is, and never elsewhere.

In each program of mistakes/ the comment `# <- off` stands at the line: everything above it may be
the beginning of a right program.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from app.grading.trace.describe import telling
from app.sandbox.pool import LocalSandbox
from tests.tracing.traced_exercise import ROOT, Traced, traced_exercise

MISTAKES = sorted((Path(__file__).parent / "mistakes").glob("*.py"))
RIGHT = sorted((ROOT / "tests/cases/ok").glob("*.py"))
EXERCISES = sorted(path.name for path in (ROOT / "exercises").iterdir() if path.is_dir())
SILENT = {
    "helper_softmax_on_output",
    "helper_split_heads_as_batch",
    "loop_split_off_by_one",
    "loop_split_width_is_num_heads",
    "plain_ignores_num_heads",
    "plain_softmax_max_per_column",
    "plain_softmax_no_exp",
    "plain_softmax_shifted_no_exp",
    "plain_split_heads_as_batch",
}
"""Here nothing tells which line is at fault: an array has a shape that no stage has, or the line
before the first that is off may be the one to change.
"""


def _line(path: Path) -> int:
    lines = path.read_text("utf-8").splitlines()
    (found,) = (number for number, line in enumerate(lines, 1) if line.endswith("# <- off"))
    return found


def _named(heads: Traced, path: Path) -> int | None:
    told = heads.described(path.read_bytes())
    line: int | None = told["first_difference"]
    return line


@pytest.mark.parametrize("path", MISTAKES, ids=lambda path: path.stem)
def test_the_first_line_that_is_off_is_named(heads: Traced, path: Path) -> None:
    assert _named(heads, path) == (None if path.stem in SILENT else _line(path))


def test_at_least_four_fifths_are_named() -> None:
    """Where a program of mistakes/ is named at all, the test above says that it is at its line."""
    assert len(MISTAKES) >= 80
    assert len(SILENT & {path.stem for path in MISTAKES}) <= len(MISTAKES) / 5


@pytest.mark.parametrize("path", RIGHT, ids=lambda path: path.stem)
def test_a_right_program_has_no_divergence(heads: Traced, path: Path) -> None:
    told = heads.described(path.read_bytes())
    assert told["divergence"] is None
    assert not any(line["state"] == "differs" for line in told["lines"])


@pytest.mark.parametrize("slug", EXERCISES)
def test_reference_and_accepted_solutions_equal_the_stages(
    sandbox: LocalSandbox, slug: str
) -> None:
    own = traced_exercise(sandbox, slug)
    assert telling(own.exercise, own.expectations, own.case)
    for path in ("reference.py", *own.exercise.python_files("accepted")):
        told = own.described(own.exercise.files[path])
        assert told["divergence"] is None, path
        assert told["ended"] == "returned"
    told = own.described(own.exercise.files["reference.py"])
    assert sum(line["state"] == "equal" for line in told["lines"]) >= 3


MESSAGES = {
    "plain_softmax_axis_queries": (
        "Right up to `e` (line 11); `total` (line 12) is the first to go wrong. "
        "`w` (line 13) sums to 1 over axis 1 (queries), but should over the last axis "
        "(keys)."
    ),
    "plain_scale_d_model": (
        "Right up to `k` (line 7); `scores` (line 9) is the first to go wrong. "
        "Every value is 0.5774 times what it should be."
    ),
    "helper_scale_none": (
        "Right up to `scores` (line 16); what line 17 returns is the first to go wrong. "
        "The scores before scaling go straight into the softmax: the step to the scores is missing."
    ),
    "plain_merge_no_transpose": (
        "Right up to `heads` (line 14); what line 15 returns is the first to go wrong. "
        "It holds the right numbers for the output, in the wrong order."
    ),
    "plain_returns_heads_3d": (
        "Right up to `heads` (line 14); what line 15 returns is the first to go wrong. "
        "It is still the heads: the later steps are missing."
    ),
    "plain_returns_last_head": (
        "Right up to `heads` (line 14); what line 15 returns is the first to go wrong. "
        "Its shape is (5, 4), but the output should be (5, 12): seq_len × d_model."
    ),
    "loop_split_interleaved": (
        "`q`, `k`, `v` (line 9) are the first to go wrong. "
        "`q` holds the right numbers for the split Q, in the wrong order."
    ),
    "plain_roles_q_k_swapped": (
        "Right up to `scores` (line 9); `e` (line 11) is the first to go wrong. "
        "The softmax runs over the last axis of the scores, but here that axis isn't the keys: "
        "their axes are in another order."
    ),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_the_sentence_says_how(heads: Traced, name: str) -> None:
    path = Path(__file__).parent / "mistakes" / f"{name}.py"
    assert heads.described(path.read_bytes())["divergence"]["message"] == MESSAGES[name]


def test_axes_are_named_where_sizes_differ(heads: Traced) -> None:
    told = heads.described(heads.exercise.files["reference.py"])
    axes = {line["line"]: line["first"][0]["axes"] for line in told["lines"]}
    assert axes[10] == ["num_heads", "seq_len", "d_k"]


def test_nothing_is_said_on_the_statements_examples(heads: Traced) -> None:
    assert not any(
        telling(heads.exercise, heads.expectations, case) for case in heads.expectations.tests
    )


def test_nothing_is_said_where_two_sizes_agree(heads: Traced) -> None:
    case = heads.example("three_columns_per_head")
    assert not telling(heads.exercise, heads.expectations, case)
