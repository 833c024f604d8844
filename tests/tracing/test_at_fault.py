"""A line is named only if it is at fault: what is right, or on the way, is never accused."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.sandbox.pool import LocalSandbox
from tests.tracing import traced_exercise

FAULT = Path(__file__).parent / "fault"

RIGHT_LINES = {
    "feed-forward__01_gelu_helper_half": None,
    "layer-norm-rms-norm__01_rms_branch_wrong": None,
    "multi-head-attention-layer__01_inline_norm_wo_t": 10,
    "multi-head-attention-layer__03_no_wo": 11,
    "multi-head-attention-layer__05_not_normalised": 10,
    "rotary-embedding__01_pair_index_exponent": None,
    "rotary-embedding__03_loop_pairs_sign": None,
    "sinusoidal-positional-encoding__02_pair_index_exponent": None,
}
"""The line at fault, or None where the traced example can't tell it."""


@pytest.mark.parametrize("name", sorted(RIGHT_LINES))
def test_the_line_at_fault_is_named_or_none(sandbox: LocalSandbox, name: str) -> None:
    work = traced_exercise.traced_exercise(sandbox, name.partition("__")[0])
    told = work.described((FAULT / f"{name}.py").read_bytes())
    assert told["first_difference"] == RIGHT_LINES[name]


SPLIT = """
import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    split = lambda x: x.reshape(n, num_heads, d // num_heads).transpose(1, 0, 2)
    {roles}
    out = np.empty((n, d))
    s = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    {last}
"""


@pytest.mark.parametrize(
    ("roles", "last", "line"),
    [
        (  # the scores are right of what they read; two names hold one thing
            "q, k, v = split(K), split(K), split(V)",
            "return (w @ v).transpose(1, 0, 2).reshape(n, d)",
            None,
        ),
        (  # `out` is filled later: what it holds at first says nothing
            "q, k, v = split(Q), split(K), split(V)",
            "out[:] = (w @ v).reshape(n, d); return out",
            12,
        ),
        (
            "q, k, v = split(Q), split(K), split(V)",
            "return (e @ v).transpose(1, 0, 2).reshape(n, d)",
            12,
        ),
    ],
)
def test_neither_roles_nor_arrays_to_be_filled_are_accused(
    sandbox: LocalSandbox, roles: str, last: str, line: int | None
) -> None:
    work = traced_exercise.traced_exercise(sandbox)
    source = SPLIT.format(roles=roles, last=last)
    assert work.described(source.encode())["first_difference"] == line


def test_a_factor_of_one_is_none(sandbox: LocalSandbox) -> None:
    """Values off by a few millionths are not told to be 1 times the right ones."""
    work = traced_exercise.traced_exercise(sandbox)
    source = SPLIT.format(
        roles="q, k, v = split(Q), split(K), split(V)",
        last="return (w @ v).transpose(1, 0, 2).reshape(n, d) * 1.00003",
    )
    divergence = work.described(source.encode())["divergence"]
    assert divergence is not None
    assert "1 times" not in divergence["message"]
