"""Clocks an hour off, by libfaketime: nothing stalls, nothing doubles, nothing is late by them."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection
from pathlib import Path

import psycopg
import pytest

from tests.machines import off_clock
from tests.machines.clients import Log, reports_by_id, send, source, wait_until_all_reported
from tests.machines.processes import machines, metric
from tests.postgres import Cluster

HOUR = 3600
OFF_CLOCK = (sys.executable, str(Path(off_clock.__file__)))
STALLS_S = 15 * 3
"""The bound of the design, thrice, for a machine that others use as well."""


def faked(off_s: int) -> dict[str, str]:
    """What lets a process's clock be off; waiting goes by the steady clock, which is left alone."""
    found = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
    if not found:
        words = "libfaketime is not here: apt-get install faketime"
        pytest.fail(words) if os.environ.get("CI") else pytest.skip(words)
    return {
        "LD_PRELOAD": str(found[0]),
        "FAKETIME": f"{off_s:+d}",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "DONT_FAKE_MONOTONIC": "1",
        # A mend for an old glibc: with a newer one, timed waits end at once and threads spin.
        "FAKETIME_FORCE_MONOTONIC_FIX": "0",
        "FAKETIME_DONT_RESET": "1",
    }


def test_with_clocks_an_hour_off_nothing_stalls_doubles_or_is_late(
    postgres: Cluster, tmp_path: Path
) -> None:
    with postgres.database() as url, machines(url, tmp_path) as made:
        both = [faked(HOUR), faked(-HOUR)]
        webs = [made.web((*OFF_CLOCK, "serve"), **each) for each in both]
        dispatchers = [made.dispatcher((*OFF_CLOCK, "dispatcher"), **each) for each in both]
        for one in made.all:
            one.wait_ready()
        now = datetime.now(UTC)
        for web, hours in zip(webs, (1, -1), strict=True):
            off = clock(web.port) - now
            assert abs(off - timedelta(hours=hours)) < timedelta(minutes=10)
        log = Log()
        for number in range(12):
            told = send(webs[number % 2].port, source(number), f"key-{number}")
            log.add(told)
            assert told.status in {201, 202}, told
        wait_until_all_reported(url, log)
        waited = reports_by_id(url)
        assert len(waited) == len(log.promised) == 12
        assert max(waited.values()) <= STALLS_S
        assert min(waited.values()) >= 0
        with psycopg.connect(url) as asked:
            row = asked.execute("SELECT max(created_at) FROM submissions").fetchone()
        (newest,) = row or (now,)
        assert abs(newest - datetime.now(UTC)) < timedelta(minutes=10)
        for one in dispatchers:
            assert metric(one.port, "mlgrind_verdict_conflicts_total") == 0
            assert metric(one.port, "mlgrind_jobs_recovered_total") == 0
            assert one.deaths == 0


def clock(port: int) -> datetime:
    """A web process's clock, as its answers tell it."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", "/healthz")
        answer = connection.getresponse()
        answer.read()
        return parsedate_to_datetime(str(answer.headers["Date"]))
    finally:
        connection.close()
