"""Heads in another order are found also where no misconception fits on all six cases."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.grading.graded_exercise import Graded
from tests.grading.pieces import Array, Program

RIGHT = Program((), {})
Change = Callable[[Array, int], Array]


def _reversed(out: Array, heads: int) -> Array:
    return out.reshape(len(out), heads, -1)[:, ::-1].reshape(out.shape)


def _interleaved(out: Array, heads: int) -> Array:
    return out.reshape(len(out), heads, -1).transpose(0, 2, 1).reshape(out.shape)


@pytest.mark.parametrize(
    ("change", "kind", "words"),
    [
        (_reversed, "heads_reversed", "the heads are in reverse order"),
        (_interleaved, "heads_interleaved", "interleaved"),
    ],
)
def test_heads_in_another_order_are_found(
    quick: Graded, change: Change, kind: str, words: str
) -> None:
    """Right for up to four tokens, so that no known mistake is the whole truth."""

    def wrong(Q: Array, K: Array, V: Array, num_heads: int) -> Array:
        out = RIGHT(Q, K, V, num_heads)
        return change(out, num_heads) if len(out) > 4 else out

    report = quick.judge_function(wrong)
    assert report.diagnosis is None
    assert report.findings[0].kind == kind
    assert words in report.findings[0].message
    assert report.findings[0].cases == ("all_sizes_differ", "large_scores")
