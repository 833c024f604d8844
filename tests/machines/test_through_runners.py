"""Web, dispatcher and runners together, each a process of its own, on one PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.machines.clients import Log, send, source, verdicts, wait_until_all_reported
from tests.machines.machines import TOKEN, Machine
from tests.machines.processes import Machines, Supervised, machines, metric, wait_for
from tests.postgres import Cluster


@pytest.fixture
def runners(tmp_path: Path) -> Iterator[tuple[Machine, Machine]]:
    made = Machine(tmp_path / "one").start(), Machine(tmp_path / "two").start()
    yield made
    for machine in made:
        machine.stop()


@pytest.fixture
def installed(
    postgres: Cluster, tmp_path: Path, runners: tuple[Machine, Machine]
) -> Iterator[Machines]:
    token = tmp_path / "token"
    token.write_text(TOKEN)
    token.chmod(0o600)
    named = {
        "MLGRIND_RUNNERS": ",".join(machine.name for machine in runners),
        "MLGRIND_RUNNER_TOKEN_FILE": str(token),
    }
    with postgres.database() as url, machines(url, tmp_path, **named) as made:
        yield made


def submitted(web: Supervised, log: Log, number: int) -> None:
    told = send(web.port, source(number), f"key-{number}")
    log.add(told)
    assert told.status in {201, 202}, told


def test_runners_judge_and_submissions_wait_for_them(
    installed: Machines, runners: tuple[Machine, Machine]
) -> None:
    """One runner dies, then the other: what is sent meanwhile is taken, and judged afterwards."""
    web, dispatcher = installed.web(), installed.dispatcher()
    web.wait_ready()
    dispatcher.wait_ready()
    log = Log()
    submitted(web, log, 0)
    wait_until_all_reported(installed.url, log)
    runners[0].kill()
    submitted(web, log, 1)
    wait_until_all_reported(installed.url, log)
    runners[1].kill()
    submitted(web, log, 2)
    wait_for(lambda: "runners_awaited" in dispatcher.printed(), "the dispatcher misses them")
    runners[1].start()
    wait_until_all_reported(installed.url, log)
    assert verdicts(installed.url) == {"accepted": 3}
    assert metric(web.port, "mlgrind_parked") == 0
