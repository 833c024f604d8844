"""What Submit asks once: before the first late try, and before the last one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.classroom.asking import Question, question
from app.classroom.grades import grade
from app.model.classes import Extension, Policy, Try
from tests.classroom.class_world import BERLIN, PLAIN, assignment, berlin, extension, tried

PER_DAY = replace(PLAIN, late="per_day", late_share=1000)
LAST = replace(PER_DAY, counts="last")
THREE = replace(PER_DAY, attempts=3)
ON_TIME = tried("1", "2026-12-01T10:00:00", 2)
LATE = tried("2", "2026-12-05T09:00:00", 3)


def asked(
    policy: Policy, tries: list[Try], now: str, extension: Extension | None = None
) -> Question | None:
    found = grade(assignment(policy), tries, BERLIN, extension)
    return question(policy, found, tries[-1] if tries else None, berlin(now), BERLIN)


def test_on_time_with_tries_left_nothing_is_asked() -> None:
    assert asked(PER_DAY, [ON_TIME], "2026-12-04T23:59:00") is None
    assert asked(THREE, [ON_TIME], "2026-12-04T23:59:00") is None


def test_the_first_late_try_says_what_it_loses_and_what_stays() -> None:
    assert asked(PER_DAY, [ON_TIME], "2026-12-05T14:00:00") == Question(
        "This try would be the first late one: −10 %.",
        "Your on-time try keeps its 3.33 points; the better one counts.",
        "Submit it late",
    )


def test_two_days_late_lose_two_days() -> None:
    found = asked(PER_DAY, [], "2026-12-06T14:00:00")
    assert found == Question(
        "This try would be the first late one: −20 %.", "The best try counts.", "Submit it late"
    )


def test_where_the_last_try_counts_the_points_there_are_go() -> None:
    found = asked(LAST, [ON_TIME], "2026-12-05T14:00:00")
    assert found is not None
    assert found.rest == "The last try counts, so it takes the place of your 3.33 points."


def test_late_tries_that_count_in_full_are_asked_about_all_the_same() -> None:
    found = asked(PLAIN, [], "2026-12-05T14:00:00")
    assert found is not None
    assert found.fact == "This try would be the first late one: it counts in full."


def test_it_is_asked_once() -> None:
    assert asked(PER_DAY, [ON_TIME, LATE], "2026-12-06T14:00:00") is None


def test_the_last_try_is_asked_about() -> None:
    tries = [ON_TIME, tried("3", "2026-12-02T10:00:00", 2)]
    assert asked(THREE, tries, "2026-12-03T10:00:00") == Question(
        "This is your last try.", "A run of the examples uses up none.", "Use it"
    )


def test_late_and_last_are_one_question() -> None:
    tries = [ON_TIME, tried("3", "2026-12-02T10:00:00", 2)]
    found = asked(THREE, tries, "2026-12-05T10:00:00")
    assert found is not None
    assert found.fact == "This try would be the first late one: −10 %."
    assert found.rest.endswith("the better one counts. It is also your last try.")


@pytest.mark.parametrize("now", ["2026-10-31T10:00:00", "2026-12-12T00:01:00"])
def test_what_does_not_count_is_not_asked_about(now: str) -> None:
    assert asked(THREE, [ON_TIME, ON_TIME], now) is None


def test_who_is_excused_is_asked_nothing() -> None:
    assert asked(PER_DAY, [], "2026-12-05T14:00:00", extension(excused=True)) is None
