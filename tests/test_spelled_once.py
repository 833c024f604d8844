"""What all reports of an exercise share is spelled once, and no text is another for that."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from app.jail import wire
from app.jail.control import OrderFrame
from app.model import Call, Report, Slug, TestResult, Verdict
from app.report import shared_values, to_json
from app.report.shared_values import SpelledOnce, length, part, spell, spell_report
from app.sandbox.spelled_calls import SpelledCalls

ARGUMENTS = (np.linspace(-1.0, 1.0, 60).reshape(12, 5), 2)
EXPECTED = np.linspace(0.0, 1.0, 30)
TEST = TestResult(
    "a_case", "What it probes.", True, Verdict.ACCEPTED,
    arguments=ARGUMENTS, expected=EXPECTED, got=EXPECTED.copy(), has_values=True,
)  # fmt: skip
REPORT = Report(Slug("softmax"), "d" * 64, Verdict.ACCEPTED, 1, 1, "Right.", (TEST, TEST))


@pytest.mark.parametrize(
    "printed",
    ["", '"', "\\", "\ud800", "é", shared_values._MARK, f'"{shared_values._MARK}0"'],
    ids=["empty", "quote", "backslash", "surrogate", "accent", "mark", "marked"],
)
def test_a_text_is_the_same_as_without_it(printed: str) -> None:
    report = to_json(replace(REPORT, load_stdout=printed))
    fresh = json.loads(json.dumps(report))
    assert spell_report(report) == spell(fresh)
    assert length(report) == len(json.dumps(fresh))


def test_two_reports_share_the_object_and_its_hash() -> None:
    one, other = to_json(REPORT), to_json(replace(REPORT, message="Another."))
    for key in ("arguments", "expected"):
        assert one["tests"][0][key] is other["tests"][1][key]
        assert part(one["tests"][0][key]) == part(json.loads(json.dumps(one["tests"][0][key])))
    assert one["tests"][0]["got"] is not other["tests"][0]["got"], "what came back is never kept"


def test_equal_values_of_another_kind_are_told_apart() -> None:
    once = SpelledOnce()
    ones, floats = np.ones(3, np.int64), np.ones(3)
    assert once.get(ones, lambda: "ints") == "ints"
    assert once.get(floats, lambda: "floats") == "floats"
    assert (once.get(ones, list), once.get(floats, list)) == ("ints", "floats")


def test_what_is_kept_stays_within_its_bound() -> None:
    once = SpelledOnce(most=1_000)
    sources = [np.full(1, n) for n in range(100)]
    found = [once.get(source, [f"{n:0100}"].copy) for n, source in enumerate(sources)]
    kept = [one for one in found if once.of(one) is not None]
    assert kept == found[-9:]
    long = once.get(np.zeros(1), lambda: ["x" * 900])
    assert once.of(long) is None, "no single value pushes out all the others"


def test_a_call_is_sent_as_it_would_be_without_it() -> None:
    kept = SpelledCalls()
    call = Call("f", ARGUMENTS)
    arguments = wire.encode(ARGUMENTS, depth=wire.DEPTH + 1)
    expected = wire.frame(OrderFrame.CALL, wire.named_bytes("f", arguments))
    assert kept.frame(call) == expected
    assert kept.frame(Call("f", ARGUMENTS)) is kept.frame(call)
    assert kept.frame(Call("g", ARGUMENTS)) != expected


def test_calls_that_are_kept_stay_within_their_bound() -> None:
    kept = SpelledCalls(most=16_000)
    calls = [Call("f", (np.full(100, n),)) for n in range(100)]
    first = [kept.frame(call) for call in calls]
    again = [kept.frame(call) is frame for call, frame in zip(calls, first, strict=True)]
    assert not any(again[:80])
    large = Call("f", (np.zeros(1_000),))
    assert kept.frame(large) is not kept.frame(large)
