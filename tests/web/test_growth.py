"""Whatever is sent ten times as long costs at most ten times as much, or is refused in words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.config import Settings
from tests.service.world import World
from tests.web.conftest import ROOMY
from tests.web.growth import ROWS, Row, cost
from tests.web.server import opened

TIMES = 10
ROOM = 1.6
"""Ten times a cost, and what a machine in use adds to it."""

READ = frozenset(row.name for row in ROWS if row.name.split()[0] in {"shared", "page", "lines"})
"""Rows that must reach what they read."""

FLOOR_S, FLOOR_BYTES = 0.004, 40_000
"""A request costs this whatever it asks."""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory, shelf: Path) -> Iterator[TestClient]:
    """One site for the whole table: what it remembers of one row is no other's."""
    data = tmp_path_factory.mktemp("growth")
    world = World(data, folders=(shelf,), allowance=ROOMY)
    site = opened(world.service(started=False), Settings(data=data))
    with TestClient(site, base_url="http://mlgrind.test", follow_redirects=True) as made:
        made.get("/progress")
        yield made
    world.close()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_cost_and_answer_grow_with_the_input(client: TestClient, row: Row) -> None:
    small, large = (cost(client, row, row.start * times) for times in (1, TIMES))
    assert large.status < 500, large.text
    assert row.name not in READ or large.status == 200, large.text
    assert large.cpu_s <= ROOM * TIMES * max(small.cpu_s, FLOOR_S)
    assert large.length <= ROOM * TIMES * max(small.length, FLOOR_BYTES)
