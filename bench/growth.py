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
from starlette.testclient import TestClient

from app.admission import Allowance
from app.config import Settings
from bench.figures import Figure, at_most
from tests.service.world import EXERCISES, World
from tests.web.growth import MHA, ROWS, Cost, cost
from tests.web.server import opened

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
    shutil.copytree(EXERCISES / Path(MHA).name, folder / "shelf" / Path(MHA).name)
    nobody_waits = Allowance(
        submissions=MANY, runs=MANY, writes=MANY, requests=MANY, address_requests=MANY
    )
    world = World(folder, folders=(folder / "shelf",), allowance=nobody_waits)
    site = opened(world.service(started=False), Settings(data=folder))
    with TestClient(site, base_url="http://mlgrind.test") as client:
        client.get("/progress")
        for row in ROWS:
            yield row.name, cost(client, row, row.start * TIMES)
    world.close()
