"""The truth about the exercise of the corpus, and one attack for each configuration."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.model import Exercise, Expectations
from tests.hostile import attack as attacks
from tests.hostile.attack import Attack


@pytest.fixture(scope="session")
def truth() -> tuple[Exercise, Expectations]:
    return attacks.truth()


@pytest.fixture(scope="module")
def attack(
    request: pytest.FixtureRequest, truth: tuple[Exercise, Expectations]
) -> Iterator[Attack]:
    exercise, expectations = truth
    with attacks.attack(request.param, expectations, exercise) as laid:
        yield laid
