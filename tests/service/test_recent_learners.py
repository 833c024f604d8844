"""Learners are looked up once in a while, and at once after a change."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from app.model import LearnerId
from app.records import Learner
from app.service.recent_learners import KNOWN_S, MOST, RecentLearners

BORN = datetime(2026, 1, 1, tzinfo=UTC)
ME = LearnerId("me")


class Store:
    """Says who somebody is, and counts how often it was asked."""

    def __init__(self, found: Learner) -> None:
        self.found = found
        self.asked = 0

    def get(self, learner: LearnerId) -> Learner:
        self.asked += 1
        return self.found if learner == ME else Learner(learner, "", BORN)


class Clock:
    """Stands still until a test turns it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store() -> Store:
    return Store(Learner(ME, "Ada", BORN))


def test_a_learner_is_looked_up_again_after_two_seconds(store: Store, clock: Clock) -> None:
    recent = RecentLearners(store.get, clock)
    assert [recent.get(ME).name for clock.now in (0.0, 1.0, KNOWN_S - 0.1)] == ["Ada"] * 3
    assert store.asked == 1
    clock.now = KNOWN_S
    recent.get(ME)
    assert store.asked == 2


@pytest.mark.parametrize("found", [Learner(ME), Learner(LearnerId("another"), "", BORN)])
def test_who_has_no_row_or_was_joined_is_always_looked_up(found: Learner, clock: Clock) -> None:
    store = Store(found)
    recent = RecentLearners(store.get, clock)
    assert [recent.get(ME) for _ in range(3)] == [found] * 3
    assert store.asked == 3


def test_a_change_is_seen_at_once(store: Store, clock: Clock) -> None:
    recent = RecentLearners(store.get, clock)
    recent.get(ME)
    store.found = Learner(LearnerId("another"), "", BORN)
    recent.forget()
    assert recent.get(ME).id == "another"


def test_what_was_read_before_a_change_is_not_remembered(store: Store, clock: Clock) -> None:
    def changed_meanwhile(learner: LearnerId) -> Learner:
        found = store.get(learner)
        store.found = Learner(LearnerId("another"), "", BORN)
        recent.forget()
        return found

    recent = RecentLearners(changed_meanwhile, clock)
    assert recent.get(ME).id == ME
    assert recent.get(ME).id == "another"


def test_no_more_than_a_thousand_are_remembered(store: Store, clock: Clock) -> None:
    recent = RecentLearners(store.get, clock)
    for n in range(MOST + 10):
        recent.get(LearnerId(f"learner {n}"))
    assert len(recent._known) <= MOST
