"""Who is refused without end is answered slowly, so that saying no doesn't keep a server busy."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.config import Settings
from app.web.patience import AT_ONCE, HELD_S, Patience
from tests.service.world import World
from tests.web.conftest import ROOMY
from tests.web.server import opened


def test_a_crowd_is_held_and_others_are_not() -> None:
    now = [0.0]
    patience = Patience(lambda: now[0])
    assert {patience.of_refusal("1.2.3.4") for _ in range(AT_ONCE.count)} == {0.0}
    assert patience.of_refusal("1.2.3.4") == HELD_S
    assert patience.of_refusal("5.6.7.8") == 0.0
    now[0] += 1.0
    assert [patience.of_refusal("1.2.3.4") for _ in range(3)] == [0.0, 0.0, HELD_S]


def test_addresses_are_not_remembered_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.web.patience.REMEMBERED", 3)
    patience = Patience(lambda: 0.0)
    for n in range(10):
        patience.of_refusal(f"10.0.0.{n}")
        assert len(patience._buckets) <= 3


def test_the_refusals_of_one_who_goes_on_asking_come_later(
    tmp_path: Path, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[float] = []

    async def hold(seconds: float) -> None:
        held.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", hold)
    world = World(tmp_path, folders=(shelf,), allowance=replace(ROOMY, address_requests=2))
    site = opened(world.service(started=False), Settings(data=tmp_path))
    site.state.site = replace(site.state.site, patience=Patience(lambda: 0.0))
    with TestClient(site, base_url="http://mlgrind.test") as client:
        answers = [client.get("/") for _ in range(AT_ONCE.count + 4)]
    world.close()
    assert [answer.status_code for answer in answers[:2]] == [200, 200]
    refused = [answer.status_code for answer in answers].count(429)
    assert refused > AT_ONCE.count
    told = [seconds for seconds in held if seconds in (0.0, HELD_S)]
    assert told[-refused:] == [0.0] * AT_ONCE.count + [HELD_S] * (refused - AT_ONCE.count)
