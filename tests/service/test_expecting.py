"""Expectations: computed once a digest, in the background."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import CancelledError
from dataclasses import replace
from threading import Event

import pytest

from app.catalog import Catalog
from app.model import Exercise, Expectations, Slug
from app.service.expecting import AT_ONCE, Expecting, most_work_first
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


class Held:
    """Has what is expected, but of a digest on the list only once it is let go."""

    def __init__(self, known: Expectations, digests: list[str]) -> None:
        self.known = known
        self.begun = {digest: Event() for digest in digests}
        self.go = Event()

    def __call__(self, exercise: Exercise) -> Expectations:
        if exercise.digest in self.begun:
            self.begun[exercise.digest].set()
            assert self.go.wait(PATIENCE_S)
        return replace(self.known, digest=exercise.digest)


def test_two_are_warmed_at_a_time_and_what_is_asked_for_waits_for_neither(
    exercise: Exercise,
) -> None:
    slugs = [Slug(f"exercise-{number}") for number in range(4)]
    every = [replace(exercise, slug=slug, digest=slug) for slug in slugs]
    held = Held(expectations(exercise), [str(slug) for slug in slugs[:AT_ONCE]])
    expecting = Expecting(held)
    try:
        expecting.warm(every)
        assert all(begun.wait(PATIENCE_S) for begun in held.begun.values())
        asked = replace(exercise, digest="asked")
        assert expecting.get(asked).result(PATIENCE_S).digest == "asked"
        assert expecting.known(every[-1]) is None
        held.go.set()
        assert all(expecting.get(one).result(PATIENCE_S) for one in every)
    finally:
        held.go.set()
        expecting.close()


def test_what_is_asked_for_at_once_comes_before_what_is_warmed(
    exercise: Exercise, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.service.expecting.HEAD_START_S", 10 * PATIENCE_S)
    asked, other = (replace(exercise, slug=Slug(name), digest=name) for name in ("asked", "other"))
    expecting = Expecting(Held(expectations(exercise), []))
    expecting.warm([other, asked])
    assert expecting.get(asked).result(PATIENCE_S).digest == "asked"
    assert expecting.known(other) is None
    expecting.close()


def test_the_exercise_with_most_mistakes_is_warmed_first(exercise: Exercise) -> None:
    mistakes = {"mistakes/softmax.py": b"def wrong(): ..."}
    more = replace(exercise, slug=Slug("more"), files={**exercise.files, **mistakes})
    most = replace(
        more, slug=Slug("most"), files={**more.files, "mistakes/one.py": b"def one(): ..."}
    )
    least = replace(exercise, files={"reference.py": b"", "accepted/long.py": b"#" * 9_000})
    assert [one.slug for one in most_work_first([least, more, most])] == ["most", "more", SOFTMAX]
