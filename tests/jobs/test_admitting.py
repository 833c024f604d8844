"""How long a submission would wait: by the pace of dispatchers that had enough to do."""

from __future__ import annotations

import pytest

from app.jobs.admitting import BUSY, FIRST_PACE, Pace


def heard(pace: Pace, reports: int) -> None:
    for _ in range(reports):
        pace.heard()


def test_nothing_waits_for_nothing() -> None:
    assert Pace().wait_s() == 0.0


def test_until_it_was_measured_a_small_machines_pace_holds() -> None:
    pace = Pace()
    pace.saw(400, 2, lives=True, now=0.0)
    assert pace.wait_s() == 400 / FIRST_PACE


def test_the_pace_is_measured_while_many_wait() -> None:
    pace = Pace()
    pace.saw(200, 2, lives=True, now=0.0)
    heard(pace, 200)
    pace.saw(200, 2, lives=True, now=2.0)
    assert pace.wait_s() == pytest.approx(200 / 60)  # half of what was, half of 100 a second


def test_a_pace_at_which_learners_submit_is_none() -> None:
    """Of a queue that is nearly empty, reports come as slowly as submissions do."""
    pace = Pace()
    for second in range(100):
        pace.saw(BUSY - 1, 2, lives=True, now=float(second))
    assert pace.wait_s() == (BUSY - 1) / FIRST_PACE


def test_while_no_dispatcher_lives_the_last_pace_holds() -> None:
    pace = Pace()
    pace.saw(500, 0, lives=False, now=0.0)
    pace.saw(500, 0, lives=False, now=60.0)
    assert pace.wait_s() == 500 / FIRST_PACE


def test_dispatchers_that_stand_still_have_a_pace_all_the_same() -> None:
    pace = Pace()
    for second in range(0, 60, 2):
        pace.saw(100, 2, lives=True, now=float(second))
    assert 100 < pace.wait_s() < 201


def test_a_pace_that_was_slow_once_does_not_stick() -> None:
    pace = Pace()
    for second in range(0, 60, 2):
        pace.saw(100, 2, lives=True, now=float(second))
    pace.saw(BUSY - 1, 2, lives=True, now=60.0)
    slow = pace.wait_s()
    for second in range(61, 121):
        pace.saw(BUSY - 1, 2, lives=True, now=float(second))
    assert slow > 10
    assert pace.wait_s() == pytest.approx((BUSY - 1) / FIRST_PACE, rel=0.01)


def test_a_slow_pace_holds_while_no_dispatcher_lives() -> None:
    pace = Pace()
    for second in range(0, 60, 2):
        pace.saw(100, 2, lives=True, now=float(second))
    slow = pace.wait_s()
    for second in range(60, 120):
        pace.saw(100, 0, lives=False, now=float(second))
    assert pace.wait_s() == slow
