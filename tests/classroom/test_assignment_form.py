"""The form of an assignment: its sentence, its complaints, and back again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.classroom.assignment_form import fields_of, read
from app.classroom.policy import sentence
from app.model.classes import Policy
from tests.classroom.class_world import BERLIN, PLAIN, berlin, extension

NOW = berlin("2026-11-20T10:00:00")
GOOD = {
    "points": "10",
    "opens_at": "2026-11-20T10:00",
    "due_at": "2026-12-04T23:59",
    "closes_at": "2026-12-11T23:59",
    "late": "per_day",
    "late_share": "10",
    "scoring": "share",
    "counts": "best",
    "attempts": "10",
    "hint_share": "5",
    "feedback": "visible",
    "solution": "usual",
}


def policy(**of: str) -> Policy:
    found = read({**GOOD, **of}, BERLIN, NOW)
    assert found.policy is not None, found.complaints
    return found.policy


def test_the_sentence_says_all_of_it() -> None:
    assert sentence(policy(), BERLIN) == (
        "Due Fri 4 Dec, 23:59 (Berlin). After that −10 % a day until 11 Dec. 10 tries. "
        "Each hint costs 5 %. Best try counts. "
        "Hidden tests: what they probe and whether they pass."
    )


@pytest.mark.parametrize(
    ("of", "words"),
    [
        ({"late": "refuse"}, "Nothing counts after that."),
        ({"late": "accept"}, "Late tries count in full until 11 Dec."),
        ({"attempts": ""}, "As many tries as you like."),
        ({"attempts": "1"}, " 1 try."),
        ({"scoring": "all"}, "Only all tests passed counts."),
        ({"counts": "last"}, "Last try counts."),
        ({"hint_share": "2.5"}, "Each hint costs 2.5 %."),
        ({"feedback": "count"}, "Hidden tests: only how many pass. No hints."),
        ({"feedback": "none"}, "Hidden tests: nothing until the results are out."),
        ({"solution": "after"}, "The solution opens after closing."),
        ({"closes_at": "2026-12-11T18:00"}, "until 11 Dec, 18:00."),
    ],
)
def test_each_rule_has_its_words(of: dict[str, str], words: str) -> None:
    assert words in sentence(policy(**of), BERLIN)


def test_an_extension_is_in_the_sentence_of_who_has_it() -> None:
    more = extension(due_at=berlin("2026-12-09T12:00:00"), attempts=12)
    said = sentence(policy(), BERLIN, more)
    assert said.startswith("Due Wed 9 Dec, 12:00 (Berlin). After that −10 % a day until 11 Dec. 12")
    assert sentence(policy(), BERLIN, extension(excused=True)) == "You are excused from this one."


@pytest.mark.parametrize(
    ("of", "field", "words"),
    [
        ({"points": "0"}, "points", "more than 0"),
        ({"points": "-1"}, "points", "more than 0"),
        ({"points": "10001"}, "points", "at most 10,000"),
        ({"points": "ten"}, "points", "Write a number."),
        ({"points": "1e3"}, "points", "Write a number."),
        ({"points": "1.234"}, "points", "two decimals"),
        ({"due_at": "2026-11-19T10:00"}, "due_at", "due before it opens"),
        ({"closes_at": "2026-12-01T10:00"}, "closes_at", "closes before it is due"),
        ({"due_at": ""}, "due_at", "Write a date"),
        ({"late_share": "101"}, "late_share", "between 0 and 100"),
        ({"hint_share": "100.01"}, "hint_share", "between 0 and 100"),
        ({"attempts": "0"}, "attempts", "whole number from 1"),
        ({"attempts": "2.5"}, "attempts", "whole number from 1"),
        ({"late": "never"}, "late", "Choose one of"),
        ({"feedback": "<script>"}, "feedback", "Choose one of"),
    ],
)
def test_what_is_off_is_said_at_its_field(of: dict[str, str], field: str, words: str) -> None:
    found = read({**GOOD, **of}, BERLIN, NOW)
    assert found.policy is None
    assert words in found.complaints[field]


def test_all_complaints_come_at_once() -> None:
    found = read({**GOOD, "points": "0", "due_at": "soon", "late_share": "200"}, BERLIN, NOW)
    assert set(found.complaints) == {"points", "due_at", "late_share"}


def test_a_time_that_the_clocks_skip_is_moved_and_said() -> None:
    found = read(
        {**GOOD, "opens_at": "2026-03-01T00:00", "due_at": "2026-03-29T02:30", "late": "refuse"},
        BERLIN,
        NOW,
    )
    assert found.policy is not None
    assert fields_of(found.policy, BERLIN)["due_at"] == "2026-03-29T03:30"
    assert found.notes == (
        "The clocks go forward that night: 2026-03-29 02:30 became Sun 29 Mar, 3:30.",
    )


def test_decimals_may_be_written_with_a_comma() -> None:
    assert policy(points="7,5").points == 750


@pytest.mark.parametrize(
    "made",
    [PLAIN, replace(PLAIN, points=125, attempts=3, late="per_day", late_share=1250, reserved=True)],
)
def test_the_form_reads_back_what_it_shows(made: Policy) -> None:
    assert read(fields_of(made, BERLIN), BERLIN, NOW).policy == made
