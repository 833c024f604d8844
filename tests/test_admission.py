"""Token buckets: exact numbers, no clock but the one in the test."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.admission import (
    REMEMBERED,
    Allowance,
    Bucket,
    Gate,
    Rate,
    SharedAddress,
    filled,
    retry_after,
    wait_s,
)
from app.model.bounds import LEAST_FREE_BYTES
from app.service.door import YOUNG


def test_a_bucket_fills_evenly() -> None:
    rate = Rate(30, 60.0)
    assert filled(None, rate, 0.0) == Bucket(30.0, 0.0)
    assert filled(Bucket(0.0, 0.0), rate, 2.0) == Bucket(1.0, 2.0)
    assert filled(Bucket(29.5, 0.0), rate, 100.0) == Bucket(30.0, 100.0)
    assert wait_s(Bucket(0.0, 0.0), rate) == 2.0
    assert wait_s(Bucket(1.0, 0.0), rate) == 0.0


def test_a_clock_that_goes_back_takes_nothing_away() -> None:
    assert filled(Bucket(3.0, 100.0), Rate(30), 50.0).tokens == 3.0


@pytest.mark.parametrize(
    ("wait", "chance", "expected"),
    [(0.1, 0.0, 1), (7.2, 0.0, 8), (7.2, 0.99, 13), (3600.0, 0.5, 60), (0.0, 0.0, 1)],
)
def test_retry_after_is_whole_capped_and_spread(wait: float, chance: float, expected: int) -> None:
    assert retry_after(wait, chance) == expected


def test_a_learners_thirty_submissions_a_minute() -> None:
    gate = Gate(Allowance())
    assert [gate.admit("ann", "", ["submission"], 0.0) for _ in range(30)] == [0.0] * 30
    assert gate.admit("ann", "", ["submission"], 0.0) == 2.0
    assert gate.admit("ben", "", ["submission"], 0.0) == 0.0
    assert gate.admit("ann", "", ["run"], 0.0) == 0.0
    assert gate.admit("ann", "", ["submission"], 2.0) == 0.0


def test_an_address_holds_all_its_learners() -> None:
    gate = Gate(Allowance(address_submissions=3))
    for n in range(3):
        assert gate.admit(f"learner {n}", "192.0.2.1", ["submission"], 0.0) == 0.0
    assert gate.admit("one more", "192.0.2.1", ["submission"], 0.0) == 20.0
    assert gate.admit("one more", "192.0.2.2", ["submission"], 0.0) == 0.0


def test_who_is_refused_by_one_bucket_pays_no_other() -> None:
    gate = Gate(Allowance(submissions=2, address_learners=1))
    assert gate.admit("ann", "a", ["submission", "learner"], 0.0) == 0.0
    for _ in range(5):
        assert gate.admit("ben", "a", ["submission", "learner"], 0.0) == 3600.0
    assert gate.admit("ben", "a", ["submission"], 0.0) == 0.0
    assert gate.admit("ben", "a", ["submission"], 0.0) == 0.0


@given(st.lists(st.floats(0, 300), min_size=1, max_size=100).map(sorted))
def test_never_more_than_a_burst_and_the_rate(times: list[float]) -> None:
    gate = Gate(Allowance(submissions=5))
    let_in = [t for t in times if gate.admit("ann", "", ["submission"], t) == 0.0]
    for start in let_in:
        within = [t for t in let_in if start <= t <= start + 60]
        assert len(within) <= 5 + 5


def test_full_buckets_are_forgotten() -> None:
    gate = Gate(Allowance())
    for n in range(REMEMBERED + 1):
        gate.admit(f"learner {n}", "", ["run"], 0.0)
    gate.admit("late", "", ["run"], 1000.0)
    assert len(gate._buckets) == 1


def test_a_crowd_behind_one_address_is_noticed_until_another_comes() -> None:
    crowd = SharedAddress()
    for n in range(5):
        assert not crowd.one_address
        crowd.saw(f"learner {n}", "192.0.2.1")
        crowd.saw(f"learner {n}", "")
    assert crowd.one_address
    crowd.saw("learner 0", "192.0.2.2")
    assert not crowd.one_address


def test_limits_are_those_that_were_promised() -> None:
    """Two outstanding; 30 and 120 a minute; an address 600, 2,400 and 400 new learners an hour."""
    usual = Allowance()
    assert (usual.outstanding, usual.submissions, usual.runs) == (2, 30, 120)
    assert (usual.address_submissions, usual.address_runs) == (600, 2_400)
    assert usual.of_address("learner").count == usual.address_learners == 400
    assert usual.of_address("learner").per_s == 3600.0
    assert LEAST_FREE_BYTES == 500 * 1024**2
    assert timedelta(minutes=10) == YOUNG
