"""Exercises with their expectations, computed once a session, on the fake and on the real jail."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.catalog import load
from app.ports import Sandbox
from app.sandbox.pool import LocalSandbox
from tests.fakes import FakeSandbox
from tests.grading.graded_exercise import Graded
from tests.known import expected

ROOT = Path(__file__).parents[2]
ATTENTION = ROOT / "exercises" / "multi-head-attention"
SMALL = ROOT / "tests" / "exercises" / "weighted-mean"


@pytest.fixture(scope="session")
def jail() -> Iterator[Sandbox]:
    sandbox = LocalSandbox()
    yield sandbox
    sandbox.close()


@pytest.fixture(scope="session", params=["fake", "jail"])
def attention(request: pytest.FixtureRequest) -> Graded:
    """Multi-head attention, on both sandboxes."""
    sandbox = FakeSandbox() if request.param == "fake" else request.getfixturevalue("jail")
    exercise = load(ATTENTION)
    return Graded(exercise, expected(exercise, sandbox), sandbox)


@pytest.fixture(scope="session")
def quick() -> Graded:
    """Multi-head attention on the fake alone, for tests of many programs."""
    exercise, sandbox = load(ATTENTION), FakeSandbox()
    return Graded(exercise, expected(exercise, sandbox), sandbox)


@pytest.fixture(scope="session")
def small() -> Graded:
    """An exercise with a tuple output, a dict argument and a NaN that is expected."""
    exercise, sandbox = load(SMALL), FakeSandbox()
    return Graded(exercise, expected(exercise, sandbox), sandbox)
