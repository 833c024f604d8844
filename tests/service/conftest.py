"""A world for each test, with a store in memory, closed after it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.service import Service
from tests.fake_store import FakeStore
from tests.service.world import World


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path, store=FakeStore())
    yield made
    made.close()


@pytest.fixture
def service(world: World) -> Service:
    return world.service()
