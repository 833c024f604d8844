"""Whatever a call gives, its report is made, bounded and shown: nothing fails on a value."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from app.catalog import load
from app.grading import judge
from app.grading.trace.describe import describe_trace
from app.grading.trace.labelled_cells import choose, describe_cells
from app.model import (
    Assigned,
    Execution,
    Exercise,
    Expectations,
    Ran,
    Report,
    Slug,
    Trace,
    TracedLine,
    Value,
)
from app.model.bounds import REPORT_BYTES
from app.places import place
from app.report import from_json, to_json
from app.service.tracing import probe_cases, traced_case
from app.web.html.assets import Assets
from app.web.html.render import Renderer
from app.web.report.view import view
from tests.any_values import LARGE, arrays, texts, values
from tests.fakes import FakeSandbox
from tests.known import expected
from tests.web.texts import MARKDOWN

ROOT = Path(__file__).parents[2]
SHOWN = 4_000_000
"""Bytes of HTML that no report comes near: some 15 for each byte of JSON."""

AS_DRAWN = (Phase.explicit, Phase.generate)
"""A failure is told as it was drawn: making such values small takes minutes."""

Known = tuple[Exercise, Expectations]


@cache
def _known(slug: str) -> Known:
    """Exercises with and without heads, probe, tuple output and dict argument."""
    at = ROOT / "tests" if slug == "weighted-mean" else ROOT
    exercise = load(at / "exercises" / slug)
    return exercise, expected(exercise, FakeSandbox())


def _ran(given: Value, exercise: Exercise, count: int, printed: str = "") -> Ran:
    one = Execution("returned", value=given, stdout=printed)
    return Ran(executions=(one,) * count)


def _shown(report: Report, exercise: Exercise, expectations: Expectations) -> tuple[str, str]:
    """The report as stored and as a page shows it."""
    stored = json.dumps(to_json(report))
    html = Renderer(place("templates"), Assets(place("static/dist")), MARKDOWN).part(
        "parts/report.html",
        report=view(from_json(json.loads(stored)), exercise, expectations),
        exercise=exercise,
        said=True,
        hints_open=0,
    )
    return stored, html


def _lost(logs: Sequence[Mapping[str, object]]) -> list[object]:
    """What was left out for a fault of ours."""
    return [line["reason"] for line in logs if line["event"] == "decoration_lost"]


SLUGS = st.sampled_from(
    [Slug("multi-head-attention"), Slug("kv-cache-step"), Slug("weighted-mean")]
)


@settings(max_examples=30, phases=AS_DRAWN)
@given(slug=SLUGS, value=values, printed=texts)
def test_every_value_gets_its_report_and_its_page(slug: Slug, value: Value, printed: str) -> None:
    exercise, expectations = _known(slug)
    ran = _ran(value, exercise, len(expectations.calls), printed)
    with capture_logs() as logs:
        report = judge.judge(exercise, expectations, ran, source=b"# own", submission=None)
        stored, html = _shown(report, exercise, expectations)
    assert not _lost(logs)
    assert report.verdict.value in {"wrong_answer", "accepted"} and report.message
    assert len(stored) <= REPORT_BYTES and len(html) <= SHOWN


@pytest.mark.parametrize("name", LARGE)
@pytest.mark.parametrize("printed", ["", "\x07" * 65_536], ids=["silent", "printed"])
def test_a_large_value_gets_a_report_within_its_bound(name: str, printed: str) -> None:
    exercise, expectations = _known("multi-head-attention")
    ran = _ran(LARGE[name], exercise, len(expectations.calls), printed)
    with capture_logs() as logs:
        report = judge.judge(exercise, expectations, ran, source=b"# own", submission=None)
        stored, html = _shown(report, exercise, expectations)
    assert not _lost(logs)
    assert len(stored) <= REPORT_BYTES and len(html) <= SHOWN
    assert not printed or "cut here" in stored


@settings(max_examples=25, phases=AS_DRAWN)
@given(slug=SLUGS, value=values, parts=st.lists(values, min_size=1, max_size=4).map(tuple))
def test_every_argument_of_ones_own_gets_its_report_and_its_page(
    slug: Slug, value: Value, parts: tuple[Value, ...]
) -> None:
    exercise, expectations = _known(slug)
    mine, theirs = _ran(value, exercise, 1), _ran(parts[0], exercise, 1)
    with capture_logs() as logs:
        report = judge.judge_custom(exercise, expectations, parts, mine, theirs, source=b"# own")
        stored, html = _shown(report, exercise, expectations)
    assert not _lost(logs)
    assert len(stored) <= REPORT_BYTES and len(html) <= SHOWN


@st.composite
def lines(draw: st.DrawFn) -> TracedLine:
    """A traced line of up to three names, with any arrays."""
    count = draw(st.integers(1, 3))
    assigned = tuple(
        draw(
            st.builds(Assigned, texts, texts, st.none() | st.just((2, 3)), st.none() | texts, texts)
        )
        for _ in range(count)
    )
    return TracedLine(
        line=draw(st.integers(1, 2**40)),
        function=draw(st.sampled_from(["multi_head_attention", "helper", ""])),
        kind=draw(st.sampled_from(["assign", "store", "loop", "return", "call"])),
        passes=draw(st.integers(1, 2**40)),
        first=assigned,
        last=assigned,
        arrays=tuple(tuple(draw(st.lists(arrays(), max_size=3))) for _ in range(count)),
    )


@settings(max_examples=25, phases=AS_DRAWN)
@given(
    slug=st.sampled_from(["multi-head-attention", "kv-cache-step"]),
    value=values,
    traced=st.lists(lines(), max_size=5),
    times=st.sampled_from([1, 1, 60]),
)
def test_every_trace_and_probe_is_told_and_shown(
    slug: str, value: Value, traced: list[TracedLine], times: int
) -> None:
    exercise, expectations = _known(slug)
    case = traced_case(exercise, expectations, None, None)
    assert case is not None
    execution, whole = Execution("returned", value=value), Trace(0, tuple(traced) * times)
    told = describe_trace(exercise, expectations, case, execution, whole)
    pictures = [
        describe_cells(exercise, expectations, each, execution, whole)
        for each in probe_cases(exercise, expectations)
    ]
    picture = choose([each for each in pictures if each is not None])
    ran = _ran(value, exercise, len(expectations.calls))
    report = judge.judge(exercise, expectations, ran, source=b"# own", submission=None)
    with capture_logs() as logs:
        seen = replace(report, trace=told, probe=picture)
        stored, html = _shown(seen, exercise, expectations)
    assert not _lost(logs)
    assert len(stored) <= REPORT_BYTES and len(html) <= SHOWN
