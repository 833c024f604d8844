"""Learners are looked up once in a while, and at once after a change."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from app.model import LearnerId
from app.records import Learner
from app.service.acquainted import KNOWN_S, MOST, Acquainted

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


@pytest.fixture
def store() -> Store:
    return Store(Learner(ME, "Ada", BORN))


def test_a_learner_is_looked_up_again_after_two_seconds(store: Store) -> None:
    acquainted = Acquainted(store.get)
    assert [acquainted.get(ME, now).name for now in (0.0, 1.0, KNOWN_S - 0.1)] == ["Ada"] * 3
    assert store.asked == 1
    acquainted.get(ME, KNOWN_S)
    assert store.asked == 2


@pytest.mark.parametrize("found", [Learner(ME), Learner(LearnerId("another"), "", BORN)])
def test_who_has_no_row_or_was_joined_is_always_looked_up(found: Learner) -> None:
    store = Store(found)
    acquainted = Acquainted(store.get)
    assert [acquainted.get(ME, 0.0) for _ in range(3)] == [found] * 3
    assert store.asked == 3


def test_a_change_is_seen_at_once(store: Store) -> None:
    acquainted = Acquainted(store.get)
    acquainted.get(ME, 0.0)
    store.found = Learner(LearnerId("another"), "", BORN)
    acquainted.forget()
    assert acquainted.get(ME, 0.1).id == "another"


def test_what_was_read_before_a_change_is_not_remembered(store: Store) -> None:
    def changed_meanwhile(learner: LearnerId) -> Learner:
        found = store.get(learner)
        store.found = Learner(LearnerId("another"), "", BORN)
        acquainted.forget()
        return found

    acquainted = Acquainted(changed_meanwhile)
    assert acquainted.get(ME, 0.0).id == ME
    assert acquainted.get(ME, 0.0).id == "another"


def test_no_more_than_a_thousand_are_remembered(store: Store) -> None:
    acquainted = Acquainted(store.get)
    for n in range(MOST + 10):
        acquainted.get(LearnerId(f"learner {n}"), 0.0)
    assert len(acquainted._known) <= MOST
