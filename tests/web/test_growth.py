"""Whatever is sent ten times as long costs at most ten times as much, or is refused in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.config import Settings
from tests.service.world import World
from tests.web.conftest import ROOMY
from tests.web.growth import ROWS, Row, cost
from tests.web.growth_routes import rows
from tests.web.server import opened
from tests.web.test_wall import Town, every_route

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


# ------------------------------------------------------------------ every route there is


def _town(data: Path, shelf: Path) -> tuple[FastAPI, Town, Callable[..., TestClient], World]:
    world = World(data, folders=(shelf,), allowance=ROOMY)
    service = world.service(started=False)
    site = opened(service, Settings(data=data))

    def visit(**options: object) -> TestClient:
        return TestClient(
            site,
            base_url="http://mlgrind.test",
            raise_server_exceptions=False,
            follow_redirects=False,
        )

    return site, Town(service, visit), visit, world


def test_no_route_costs_more_than_what_it_is_sent(tmp_path: Path, shelf: Path) -> None:
    site, town, visit, world = _town(tmp_path, shelf)
    clients = town.client(visit, "host"), town.learner
    table = rows(site, town.paths)
    off = [found for row in table for found in _off(clients, row)]
    world.close()
    assert off == []
    named = {tuple(row.name.rpartition(" of ")[2].split()) for row in table}
    assert named == {
        (method, route.path)
        for route in every_route(site)
        for method in (route.methods or set()) - {"HEAD"}
    }
    assert len(named) > 110 and len(table) > 230


def _off(clients: tuple[TestClient, ...], row: Row) -> list[str]:
    """What is wrong with a row: it failed, or grew faster than its input."""
    client = clients["/classes" not in row.name and "/staff" not in row.name]
    small, large = (cost(client, row, row.start * times) for times in (1, TIMES))
    if large.status >= 500:
        return [f"{row.name}: {large.status} {large.text[:200]}"]
    slow = large.cpu_s > ROOM * TIMES * max(small.cpu_s, FLOOR_S)
    long = large.length > ROOM * TIMES * max(small.length, FLOOR_BYTES)
    return [f"{row.name}: {small.cpu_s} to {large.cpu_s} s"] * slow + [f"{row.name}: long"] * long


def test_a_route_that_grows_too_fast_is_found(tmp_path: Path, shelf: Path) -> None:
    site, town, visit, world = _town(tmp_path, shelf)

    @site.get("/planted/{text}")
    def planted(text: str, more: str = "") -> str:
        return "a" * (len(text) ** 3 // 10) + "b" * len(more)

    found = [row for row in rows(site, town.paths) if "/planted" in row.name]
    off = [each for row in found for each in _off((town.learner, town.learner), row)]
    world.close()
    assert [row.name for row in found] == [
        "text of GET /planted/{text}", "?more of GET /planted/{text}"
    ]  # fmt: skip
    assert off == ["text of GET /planted/{text}: long"]
