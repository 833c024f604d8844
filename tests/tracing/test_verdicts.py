"""Tracing never changes a verdict, and traced attacks end and leave nothing behind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.grading import judge
from app.model import Lane, Report, Verdict
from app.ports import Jails
from app.service.tracing import with_trace
from tests.hostile import corpus
from tests.hostile.attack import Configuration
from tests.hostile.corpus import Case
from tests.hostile.grounds import Grounds, grounds
from tests.tracing.traced_exercise import ROOT, Traced

OWN = [
    *sorted((ROOT / "tests/cases/ok").glob("*.py")),
    *sorted((ROOT / "tests/cases/wrong").glob("*.py")),
]
HOSTILE = corpus.cases()
HONEST = (ROOT / "exercises/multi-head-attention/reference.py").read_bytes()


def _judged(heads: Traced, source: bytes) -> Report:
    order = judge.order(
        heads.exercise, heads.expectations, source, heads.expectations.tests, Lane.AUTHOR
    )
    ran = heads.sandbox.run(order)
    return judge.judge(heads.exercise, heads.expectations, ran, source=source, submission=None)


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_a_trace_leaves_the_report_as_it_was(heads: Traced, path: Path) -> None:
    source = path.read_bytes()
    report = _judged(heads, source)
    seen = with_trace(Jails.one(heads.sandbox), heads.exercise, heads.expectations, source, report)
    said = replace(seen, message=report.message, help=report.help)
    assert replace(said, trace=None, probe=None) == report
    ran = report.verdict not in (Verdict.SYNTAX_ERROR, Verdict.POLICY_ERROR)
    assert (seen.trace is not None) == ran
    again = _judged(heads, source)
    assert (again.verdict, again.passed, again.message) == (
        report.verdict, report.passed, report.message,
    )  # fmt: skip


@pytest.fixture(scope="module")
def laid(heads: Traced) -> Iterator[Grounds]:
    """Canaries, listeners and a sibling, with the sandbox among them."""
    wall = Configuration(root=True, namespaces=True, landlock=True, policy=True)
    with grounds(wall.children) as laid:
        yield laid


@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: case.name)
def test_a_traced_attack_ends_and_leaves_nothing(heads: Traced, laid: Grounds, case: Case) -> None:
    ran = heads.run(case.source, lane=Lane.FAST)
    assert len(ran.traces) <= 1
    assert laid.breaches(ran) == []
    assert _judged(heads, HONEST).verdict is Verdict.ACCEPTED
