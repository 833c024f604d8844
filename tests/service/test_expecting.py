"""Expectations: computed once a digest, in the background."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import CancelledError
from dataclasses import replace

import pytest

from app.catalog import Catalog
from app.model import Exercise, Expectations
from app.service.expecting import Expecting
from tests.service.world import EXERCISES, PATIENCE_S, SOFTMAX, expectations


class Counting:
    """Computes, and remembers which digests it was asked for."""

    def __init__(self) -> None:
        self.digests: list[str] = []

    def __call__(self, exercise: Exercise) -> Expectations:
        self.digests.append(exercise.digest)
        return expectations(exercise)


@pytest.fixture
def exercise() -> Exercise:
    found = Catalog([EXERCISES]).get(SOFTMAX)
    assert found is not None
    return found


@pytest.fixture
def compute() -> Counting:
    return Counting()


@pytest.fixture
def expecting(compute: Counting) -> Iterator[Expecting]:
    made = Expecting(compute)
    yield made
    made.close()


def test_they_are_computed_once_a_digest(
    expecting: Expecting, compute: Counting, exercise: Exercise
) -> None:
    changed = replace(exercise, digest="0" * 64)
    for asked in (exercise, exercise, changed, changed):
        expecting.get(asked).result(PATIENCE_S)
    assert compute.digests == [exercise.digest, "0" * 64]


def test_after_closing_there_are_none(expecting: Expecting, exercise: Exercise) -> None:
    assert expecting.known(exercise) is None
    expecting.close()
    with pytest.raises(CancelledError):
        expecting.get(exercise).result(PATIENCE_S)
    assert expecting.known(exercise) is None
