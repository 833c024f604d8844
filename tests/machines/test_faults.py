"""Real processes, real signals: whoever was promised a report gets it, once.

One installation stands for all tests here: two web processes, two dispatchers, a PostgreSQL that
writes to the disk. What counts as lost is read from what the clients were told.
"""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.machines.clients import (
    Log,
    learners,
    reports_by_id,
    send,
    source,
    verdicts,
    wait_until_all_reported,
)
from tests.machines.processes import Machines, Supervised, machines, metric, wait_for
from tests.postgres import DURABLE, Cluster, NoPostgres, cluster, left_out, programs

RATE = 24.0
"""Submissions a second: what two cores that others use as well can take. The bench takes more."""

RUSH = 140.0
"""More than they can take in any case."""

CALM = 12.0
STORM, STORM_RATE = 1_000, 40.0
SLACK = 3
"""By how much a bound of the design may be missed on a machine in use."""


@dataclass
class Installation:
    """What runs, and where."""

    postgres: Cluster
    url: str
    machines: Machines
    webs: tuple[Supervised, ...]
    dispatchers: tuple[Supervised, ...]

    @property
    def ports(self) -> list[int]:
        return [one.port for one in self.webs]


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    try:
        programs()
    except NoPostgres as error:
        left_out(error)
    folder = tmp_path_factory.mktemp("machines")
    with cluster(*DURABLE) as postgres, postgres.database() as url, machines(url, folder) as made:
        webs = (made.web(), made.web())
        dispatchers = (made.dispatcher(), made.dispatcher())
        for one in made.all:
            one.wait_ready()
        yield Installation(postgres, url, made, webs, dispatchers)


@pytest.fixture(autouse=True)
def all_ready(here: Installation) -> None:
    """Each test begins with every process up."""
    for one in here.machines.all:
        one.wait_ready()


def assert_once_each(here: Installation, log: Log) -> None:
    """Every promised report is there, right, and there are as many reports as submissions."""
    wait_until_all_reported(here.url, log)
    assert set(log.statuses) <= {0, 200, 201, 202, 503}, log.statuses
    found = reports_by_id(here.url)
    assert log.promised.keys() <= found.keys()
    assert set(verdicts(here.url)) == {"accepted"}


def test_killed_dispatchers_lose_nothing(here: Installation) -> None:
    log = Log()
    crowd = learners(here.ports, log, rate=RATE, seconds=8)
    for number in range(4):
        time.sleep(2)
        here.dispatchers[number % 2].kill()
    crowd.join()
    assert_once_each(here, log)
    waited = reports_by_id(here.url)
    assert max(waited[name] for name in log.promised) <= 10 * SLACK


def test_without_a_dispatcher_submissions_wait_and_are_judged_once_one_is_back(
    here: Installation,
) -> None:
    log = Log()
    for one in here.dispatchers:
        one.stop(signal.SIGTERM)
    crowd = learners(here.ports, log, rate=5, seconds=3)
    crowd.join()
    assert set(log.statuses) <= {202, 503}, log.statuses
    assert not here.dispatchers[0].ready()
    here.dispatchers[0].start()
    back = time.monotonic()
    wait_for(lambda: log.promised.keys() & reports_by_id(here.url).keys(), "a first verdict")
    assert time.monotonic() - back <= 10 * SLACK
    here.dispatchers[1].start()
    assert_once_each(here, log)


def test_a_key_sent_again_after_a_web_process_died_gives_the_same_submission(
    here: Installation,
) -> None:
    log = Log()
    crowd = learners(here.ports, log, rate=RUSH, seconds=2)
    for web in here.webs:
        time.sleep(1)
        web.kill()
    crowd.join()
    assert_once_each(here, log)
    ids: dict[str, set[str]] = {}
    for one in log.told:
        if one.submission:
            ids.setdefault(one.key, set()).add(one.submission)
    assert all(len(found) == 1 for found in ids.values())


def test_while_postgresql_is_away_learners_are_told_to_come_back(here: Installation) -> None:
    log = Log()
    crowd = learners(here.ports, log, rate=CALM, seconds=6)
    time.sleep(2)
    here.postgres.stop()
    time.sleep(2)
    pages = [send(port, source(n), f"away-{n}") for n, port in enumerate(here.ports)]
    here.postgres.start()
    back = time.monotonic()
    crowd.join()
    assert [one.status for one in pages] == [503, 503]
    assert all(int(one.retry_after) >= 1 for one in [*pages, *log.told] if one.status == 503)
    assert_once_each(here, log)
    for one in here.machines.all:
        one.wait_ready()
    assert time.monotonic() - back <= 60 * SLACK  # the crowd's own time is in it


def test_a_storm_with_a_process_killed_every_two_seconds_loses_nothing(
    here: Installation,
) -> None:
    """The bench's storm is ten times as long."""
    log, chance = Log(), random.Random(18)
    crowd = learners(here.ports, log, rate=STORM_RATE, seconds=STORM / STORM_RATE)
    for _ in range(round(STORM / STORM_RATE / 2)):
        time.sleep(2)
        chance.choice(here.machines.all).kill()
    crowd.join()
    assert_once_each(here, log)
    assert len(log.promised) >= STORM
    for one in here.dispatchers:
        one.wait_ready()
        assert metric(one.port, "mlgrind_orphans_total") == 0
        assert metric(one.port, "mlgrind_parked") == 0
