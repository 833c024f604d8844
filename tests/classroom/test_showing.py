"""What a learner sees of a report under each of the four rules."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, get_args

import pytest

from app.classroom.policy import terms
from app.classroom.showing import NOT_SHOWN, Rules, rules_for, shown, shown_attempt
from app.model import Slug, SubmissionId
from app.model.classes import Extension, Feedback, Policy
from app.records import Attempt
from app.report import from_json
from tests.classroom.class_world import DUE, PLAIN, assignment, extension

CANARY = "canary"


def a_test(name: str, *, visible: bool, verdict: str) -> dict[str, object]:
    secret = "open" if visible else CANARY
    return {
        "name": name,
        "purpose": "many heads",
        "visible": visible,
        "verdict": verdict,
        "message": secret,
        "help": secret,
        "line": 13,
        "column": 4,
        "end_column": 9,
        "stdout": secret,
        "arguments": [secret] if visible else None,
        "got": {"kind": secret},
        "expected": {"kind": secret},
        "mismatch": {"kind": "values", "where": {"mask": secret}},
        "cpu_ms": 1.25,
    }


def report(passed: int = 3, **of: object) -> dict[str, Any]:
    verdicts = ["accepted"] * passed + ["wrong_answer"] * (6 - passed)
    made: dict[str, Any] = {
        "format": 1,
        "verdict": "accepted" if passed == 6 else "wrong_answer",
        "passed": passed,
        "total": 6,
        "message": CANARY,
        "help": CANARY,
        "tests": [
            a_test(f"t{n}", visible=n < 2, verdict=verdict) for n, verdict in enumerate(verdicts)
        ],
        "diagnosis": {"misconception": CANARY},
        "findings": [{"kind": CANARY}],
        "hint": 2,
        "problems": [],
        "trace": {"stages": "stages"},
        "probe": {"cells": "cells"},
        "load_stdout": "",
        "cpu_ms": 3.0,
        "wall_ms": 4.0,
        "peak_memory_bytes": 5,
    }
    return {**made, **of}


def verdicts(told: Any) -> list[str]:
    return [test["verdict"] for test in told["tests"]]


def test_full_shows_everything() -> None:
    assert shown(report(), Rules()) == report()


def test_visible_tells_which_hidden_tests_pass_and_no_more() -> None:
    told = shown(report(), Rules("visible"))
    assert verdicts(told) == ["accepted"] * 3 + ["wrong_answer"] * 3
    assert (told["passed"], told["message"]) == (3, "3 of 6 tests pass.")
    assert told["tests"][0]["message"] == "open"  # type: ignore[index]
    assert told["trace"] == {"stages": "stages"}
    assert CANARY not in json.dumps(told)


def test_count_tells_how_many_hidden_tests_pass_but_not_which() -> None:
    told = shown(report(), Rules("count"))
    assert verdicts(told) == ["accepted", "accepted", *[NOT_SHOWN] * 4]
    assert (told["verdict"], told["passed"], told["total"]) == (NOT_SHOWN, 3, 6)
    assert (told["trace"], told["probe"], told["hint"]) == (None, None, None)
    assert CANARY not in json.dumps(told)


def test_none_tells_nothing_of_hidden_tests() -> None:
    told = shown(report(), Rules("none"))
    assert verdicts(told) == ["accepted", "accepted", *[NOT_SHOWN] * 4]
    assert (told["verdict"], told["passed"], told["total"]) == (NOT_SHOWN, 2, 2)
    assert told["message"] == "Your try is kept. Results are shown after the assignment."
    assert CANARY not in json.dumps(told)


@pytest.mark.parametrize("feedback", ["count", "none"])
def test_reports_that_differ_in_hidden_tests_only_look_the_same(feedback: Feedback) -> None:
    """By all but how many pass; under none, by nothing at all."""
    rules = Rules(feedback)
    four, five = shown(report(4), rules), shown(report(5), rules)
    left_out = {"passed", "message"} if feedback == "count" else set()
    assert {k: v for k, v in four.items() if k not in left_out} == {
        k: v for k, v in five.items() if k not in left_out
    }


def test_none_does_not_tell_a_pass_from_a_fail() -> None:
    assert shown(report(6), Rules("none")) == shown(report(2), Rules("none"))


def test_a_visible_test_that_fails_is_told_under_every_rule() -> None:
    for feedback in ("visible", "count", "none"):
        told = shown(report(1), Rules(feedback))
        assert verdicts(told)[1] == "wrong_answer"
        assert told["verdict"] == "wrong_answer"


@pytest.mark.parametrize("feedback", ["visible", "count", "none"])
def test_a_key_nobody_thought_of_is_emptied(feedback: Feedback) -> None:
    news: dict[str, Any] = {
        "counterexample": {"x": CANARY},
        "story": [CANARY],
        "headline": CANARY,
        "rank": 7,
    }
    told = shown({**report(), **news}, Rules(feedback))
    assert [told[key] for key in news] == [None, [], "", None]


@pytest.mark.parametrize("verdict", ["syntax_error", "policy_error", "grader_error"])
@pytest.mark.parametrize("feedback", ["visible", "count", "none"])
def test_what_never_ran_is_told_whole(verdict: str, feedback: Feedback) -> None:
    made = report(0, verdict=verdict)
    assert shown(made, Rules(feedback)) == made


def test_the_report_that_was_kept_stays_whole() -> None:
    made = report()
    shown(made, Rules("none"))
    assert made == report()


EXAM = replace(
    PLAIN,
    feedback="none",
    solution="after",
    reserved=True,
    hint_share=500,
    reveal_at=DUE + timedelta(days=9),
)


def rules(policy: Policy, hours: float, given: Extension | None = None) -> Rules:
    now = DUE + timedelta(hours=hours)
    return rules_for([(assignment(policy), terms(policy, given))], now)


def test_an_exam_rules_from_its_opening_to_its_reveal() -> None:
    assert rules(EXAM, -24 * 60).feedback == "full"
    assert rules(EXAM, -24 * 60).reserved
    assert rules(EXAM, -1).feedback == "none"
    assert not rules(EXAM, -1).solution
    assert not rules(EXAM, -1).helps
    assert rules(EXAM, 24 * 8).feedback == "none"
    assert rules(EXAM, 24 * 9).feedback == "full"
    assert rules(EXAM, 24 * 9).solution


def test_who_has_more_time_is_told_nothing_before_it_is_over() -> None:
    later = extension(due_at=DUE + timedelta(days=20))
    assert rules(EXAM, 24 * 10, later).feedback == "none"
    assert rules(EXAM, 24 * 20 + 1, later).feedback == "full"


def test_nothing_opens_while_a_try_still_counts() -> None:
    exam = replace(EXAM, reveal_at=None)
    after = replace(PLAIN, solution="after")
    closing = (PLAIN.closes_at - DUE) / timedelta(hours=1)
    for seconds in (0, 1, 60):
        assert rules(exam, closing + seconds / 3600).feedback == "none"
        assert not rules(after, closing + seconds / 3600).solution
    assert rules(exam, closing + 61 / 3600).feedback == "full"
    assert rules(after, closing + 61 / 3600).solution


def test_the_strictest_of_two_assignments_holds() -> None:
    both = [
        (assignment(policy), terms(policy))
        for policy in (PLAIN, replace(PLAIN, feedback="count"), replace(PLAIN, feedback="visible"))
    ]
    assert rules_for(both, DUE).feedback == "count"


def test_a_solution_after_closing_stays_shut_until_then() -> None:
    policy = replace(PLAIN, solution="after")
    assert not rules(policy, 0).solution
    assert rules(policy, 24 * 7 + 1).solution


def test_without_an_assignment_everything_is_free() -> None:
    assert rules_for([], DUE) == Rules(enrolled=True)


def test_a_history_tells_no_more_than_its_reports() -> None:
    line = Attempt(SubmissionId("s"), Slug("x"), DUE, "wrong_answer", 4, 6)
    assert shown_attempt(line, Rules("visible")) == line
    counted = shown_attempt(line, Rules("count"))
    assert (counted.verdict, counted.passed, counted.total) == (NOT_SHOWN, 4, 6)
    nothing = shown_attempt(line, Rules("none"))
    assert (nothing.verdict, nothing.passed, nothing.total) == (NOT_SHOWN, 0, 0)


def test_a_history_names_mistakes_where_its_reports_do() -> None:
    line = Attempt(SubmissionId("s"), Slug("x"), DUE, "wrong_answer", 4, 6, mistakes=("m", "n"))
    told = {kind: shown_attempt(line, Rules(kind)).mistakes for kind in get_args(Feedback)}
    assert told == {"full": ("m", "n"), "visible": (), "count": (), "none": ()}


GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*/report.json"))


@pytest.mark.parametrize("feedback", ["visible", "count", "none"])
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.parent.name)
def test_a_page_reads_what_is_left_of_any_report(path: Path, feedback: Feedback) -> None:
    stored = json.loads(path.read_text())
    for test in stored["tests"]:  # the goldens leave out what all of them repeat
        test |= {key: None for key in ("arguments", "expected") if test[key] == "as in accepted"}
    told = shown(stored, Rules(feedback))
    assert from_json(told).exercise == told["exercise"]
