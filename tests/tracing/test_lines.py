"""Named mistakes stand on their line: told where the trace tells it, and nowhere else."""

from __future__ import annotations

import pytest

from app.catalog import load
from app.model import Lane, Report
from app.ports import Jails
from app.sandbox.pool import LocalSandbox
from app.service.judging import judge_submission
from app.service.tracing import with_trace
from tests.known import expected
from tests.tracing.traced_exercise import ROOT

PROGRAM = """import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    q = Q.reshape(n, num_heads, d // num_heads).transpose(1, 0, 2)
    k = K.reshape(n, num_heads, d // num_heads).transpose(1, 0, 2)
    v = V.reshape(n, num_heads, d // num_heads).transpose(1, 0, 2)
    scores = q @ k.transpose(0, 2, 1) / {scale}
    w = np.exp(scores - scores.max(-1, keepdims=True))
    w = w / w.sum({axis}, keepdims=True)
    return (w @ v){merge}.reshape(n, d)
"""
RIGHT = {"scale": "np.sqrt(q.shape[-1])", "axis": "-1", "merge": ".transpose(1, 0, 2)"}


@pytest.fixture(scope="module")
def graded(sandbox: LocalSandbox):  # type: ignore[no-untyped-def]
    exercise = load(ROOT / "exercises" / "multi-head-attention")
    expectations = expected(exercise, sandbox)

    def grade(**slips: str) -> Report:
        source = PROGRAM.format(**{**RIGHT, **slips}).encode()
        report = judge_submission(
            Jails.one(sandbox), exercise, expectations, source, lane=Lane.AUTHOR
        )
        assert report is not None
        return with_trace(Jails.one(sandbox), exercise, expectations, source, report)

    return grade


def lines(report: Report) -> dict[str, int | None]:
    assert report.diagnosis is not None
    return {one.misconception: one.line for one in report.diagnosis.mistakes}


def test_two_mistakes_are_each_told_with_their_line(graded) -> None:  # type: ignore[no-untyped-def]
    report = graded(scale="np.sqrt(d)", merge="")
    assert lines(report) == {"scale-d-model": 8, "merge-no-transpose": 11}
    assert report.message == "Two things are wrong."
    assert report.help == (
        "1. Line 8: Scaled by the full width. 2. Line 11: Merged by a reshape alone."
    )


def test_one_mistake_has_a_line_as_well(graded) -> None:  # type: ignore[no-untyped-def]
    assert lines(graded(scale="1.0")) == {"scale-none": 8}


def test_an_accepted_program_has_none(graded) -> None:  # type: ignore[no-untyped-def]
    assert graded().diagnosis is None
