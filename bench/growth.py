"""The growth table at a hundredfold: what the costliest request takes, and the longest answer.

The rows are those of the tests (`tests/web/growth.py`), sent to a site in this process.
"""

from __future__ import annotations

import io
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import structlog
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.admission import Allowance
from app.config import Settings
from bench.figures import Figure, at_most
from tests.service.world import EXERCISES, World
from tests.web.growth import MHA, ROWS, Cost, cost
from tests.web.growth_routes import rows
from tests.web.server import opened
from tests.web.test_wall import Town

MANY = 1_000_000
TIMES = 100
AIM_MS, AIM_KB = 200, 1_500


def figures() -> Iterator[Figure]:
    """The worst of all rows."""
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(io.StringIO()))
    with tempfile.TemporaryDirectory(prefix="mlgrind-bench-") as folder:
        found = dict(_costs(Path(folder)))
    structlog.reset_defaults()
    slowest = max(found, key=lambda name: found[name].cpu_s)
    longest = max(found, key=lambda name: found[name].length)
    spent_ms, sent_kb = found[slowest].cpu_s * 1e3, found[longest].length / 1e3
    yield at_most(
        f"the costliest of {len(found)} inputs grown 100 ×", spent_ms, "ms", AIM_MS, slowest
    )
    yield at_most("the longest answer to one of them", sent_kb, "kB", AIM_KB, longest)


def _costs(folder: Path) -> Iterator[tuple[str, Cost]]:
    for name in (Path(MHA).name, "stable-softmax"):
        shutil.copytree(EXERCISES / name, folder / "shelf" / name)
    nobody_waits = Allowance(
        submissions=MANY, runs=MANY, writes=MANY, requests=MANY, address_requests=MANY
    )
    world = World(folder, folders=(folder / "shelf",), allowance=nobody_waits)
    service = world.service(started=False)
    site = opened(service, Settings(data=folder))
    with TestClient(site, base_url="http://mlgrind.test") as client:
        client.get("/progress")
        for row in ROWS:
            yield row.name, cost(client, row, row.start * TIMES)
    yield from _of_routes(site, Town(service, lambda **_: _client(site)))
    world.close()


def _of_routes(site: FastAPI, town: Town) -> Iterator[tuple[str, Cost]]:
    """Every route there is, asked by who may."""
    host = town.client(lambda **_: _client(site), "host")
    for row in rows(site, town.paths):
        client = host if "/classes" in row.name or "/staff" in row.name else town.learner
        yield row.name, cost(client, row, row.start * TIMES)


def _client(site: FastAPI) -> TestClient:
    return TestClient(site, base_url="http://mlgrind.test", follow_redirects=False)
