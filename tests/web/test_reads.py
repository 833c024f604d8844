"""Who reads much waits for themselves: nobody else waits for them, and a class not for itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest
from starlette.testclient import TestClient

from app.admission import Rate
from app.config import Settings
from app.web import deps, reads
from app.web.reads import FREE, GUESTS, REFILL, Reads
from tests.service.world import World
from tests.web.conftest import ROOMY
from tests.web.server import opened

LONG = FREE // 4


T = TypeVar("T")


async def read(line: Reads, owner: str, order: list[str], made: int = LONG) -> None:
    """One read, noted when its turn has come."""
    done = await line.turn(owner, guest=False)
    order.append(owner)
    await asyncio.sleep(0)
    done(made)


def alone(work: Coroutine[object, object, T]) -> T:
    """What it gives, in a thread of its own: a browser's loop may be under way in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


async def spent(line: Reads, owner: str) -> None:
    """Have an owner read until nothing is free."""
    while line._left(owner) > 0:
        await read(line, owner, [])


def still() -> Callable[[], float]:
    return lambda: 0.0


def test_what_is_free_is_read_at_once_and_what_is_not_one_at_a_time() -> None:
    async def crowd() -> tuple[int, int]:
        line = Reads(still())
        await spent(line, "crowd")
        order: list[str] = []
        tasks = [asyncio.create_task(read(line, "crowd", order)) for _ in range(45)]
        await asyncio.sleep(0)
        under_way = len(order), line.waiting
        await asyncio.gather(*tasks)
        assert len(order) == 45
        return under_way

    assert alone(crowd()) == (1, 44)


def test_another_does_not_wait_for_a_crowd() -> None:
    async def beside() -> list[str]:
        line, order = Reads(still()), list[str]()
        await spent(line, "crowd")
        crowd = [asyncio.create_task(read(line, "crowd", order)) for _ in range(45)]
        await asyncio.sleep(0)
        await read(line, "honest", order)
        for task in crowd:
            task.cancel()
        await asyncio.gather(*crowd, return_exceptions=True)
        return order

    assert alone(beside()) == ["crowd", "honest"]


def test_of_those_who_wait_the_one_who_read_least_goes_first() -> None:
    async def both() -> list[str]:
        line, order = Reads(still()), list[str]()
        await spent(line, "little")
        await spent(line, "much")
        for _ in range(3):
            await read(line, "much", [])
        tasks = [asyncio.create_task(read(line, "much", order)) for _ in range(3)]
        tasks.append(asyncio.create_task(read(line, "little", order)))
        await asyncio.gather(*tasks)
        return order

    assert alone(both()) == ["little", "much", "much", "much"]


def test_a_class_of_three_hundred_behind_one_address_waits_for_nobody() -> None:
    """Each with a cookie; or all without one, at their very first page."""

    async def arrive(owner: Callable[[int], str], *, guest: bool) -> int:
        line = Reads(still())
        done = [await line.turn(owner(n), guest=guest) for n in range(300)]
        for each in done:
            each(60_000)
        return line.waiting

    assert alone(arrive(lambda n: f"learner {n}", guest=False)) == 0
    assert alone(arrive(lambda _: "address 192.0.2.1", guest=True)) == 0


def test_what_was_read_is_forgotten_with_time() -> None:
    async def later() -> tuple[bool, bool]:
        now = [0.0]
        line = Reads(lambda: now[0])
        await spent(line, "one")
        before = line._left("one") > 0
        now[0] += 2 * LONG / REFILL
        return before, line._left("one") > 0

    assert alone(later()) == (False, True)


def test_a_crowd_that_comes_at_once_is_not_all_free() -> None:
    async def together() -> int:
        line = Reads(still())
        tasks = [asyncio.create_task(line.turn("crowd", guest=False)) for _ in range(45)]
        await asyncio.sleep(0)
        waiting = line.waiting
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return waiting

    assert alone(together()) == 45 - FREE // reads.EXPECTED - 1


def test_who_hangs_up_and_who_never_ends_hold_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reads, "HELD_S", 0.01)

    async def held() -> list[str]:
        line, order = Reads(), list[str]()
        line._charge("crowd", Rate(FREE, FREE / REFILL), 3 * FREE)
        await line.turn("crowd", guest=False)  # is never done
        gone = asyncio.create_task(read(line, "crowd", order))
        await asyncio.sleep(0)
        gone.cancel()
        await read(line, "crowd", order)
        return order

    assert alone(held()) == ["crowd"]


def test_owners_are_not_remembered_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reads, "REMEMBERED", 3)

    async def many() -> int:
        line = Reads(still())
        for n in range(10):
            await read(line, f"{n}", [])
        return len(line._buckets)

    assert alone(many()) <= 3


@pytest.mark.parametrize("path", ["/", "/progress", "/api/exercises"])
def test_each_page_is_charged_to_who_asked_for_it(tmp_path: Path, shelf: Path, path: str) -> None:
    world = World(tmp_path, folders=(shelf,), allowance=ROOMY)
    site = opened(world.service(started=False), Settings(data=tmp_path))
    site.state.site = replace(site.state.site, reads=(line := Reads(still())))
    with TestClient(site, base_url="http://mlgrind.test") as client:
        length = len(client.get(path).content)
        (charged,) = line._buckets.values()
    world.close()
    assert charged[0].tokens <= FREE * GUESTS - length


def test_what_came_with_a_request_that_waited_is_still_read(
    tmp_path: Path, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A campus may send its form by GET; listening for a hang-up must not take it off."""
    monkeypatch.setattr(deps, "SOON_S", -1.0)  # any wait was long
    world = World(tmp_path, folders=(shelf,), allowance=ROOMY)
    site = opened(world.service(started=False), Settings(data=tmp_path))
    with TestClient(site, base_url="http://mlgrind.test") as client:
        before = client.get("/lti/login?nothing=a")
        line = site.state.site.reads
        line._charge("@testclient", Rate(FREE, FREE / REFILL), 3 * FREE)
        assert not line.is_free("@testclient")
        after = client.get("/lti/login?nothing=a")
    world.close()
    assert (before.status_code, before.text[:100]) == (after.status_code, after.text[:100])
