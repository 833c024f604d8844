"""A dispatcher that stood still for long and goes on: its jobs are another's, and done once."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from threading import Thread

import psycopg

from app.jobs.queue_tables import address
from tests.machines import mortal_dispatcher
from tests.machines.clients import (
    RIGHT,
    Log,
    reports_by_id,
    send,
    source,
    verdicts,
    wait_until_all_reported,
)
from tests.machines.processes import machines, metric, wait_for
from tests.postgres import Cluster

HURRIED = (sys.executable, str(Path(mortal_dispatcher.__file__)), "dispatcher")
BUSY = b"t = 0\nfor n in range(6_000_000):\n    t += n\n" + RIGHT
"""Honest work, long enough to be met in the middle."""


def test_one_that_comes_back_finds_its_job_done_and_writes_no_second_report(
    postgres: Cluster, tmp_path: Path
) -> None:
    with postgres.database() as url, machines(url, tmp_path) as made:
        web, log = made.web(), Log()
        stopped = made.dispatcher(HURRIED)
        web.wait_ready()
        stopped.wait_ready()
        log.add(send(web.port, source(0), "before"))
        wait_until_all_reported(url, log)
        with psycopg.connect(address(url), autocommit=True) as asked:
            doing = "SELECT count(*) FROM procrastinate_jobs WHERE status = 'doing'"
            sent = Thread(target=lambda: log.add(send(web.port, BUSY, "busy")))
            sent.start()

            def caught() -> bool:
                """Stopped in the middle of it: a moment later it may be between two places."""
                if asked.execute(doing).fetchone() != (1,):
                    return False
                os.kill(stopped.pid, signal.SIGSTOP)
                if asked.execute(doing).fetchone() == (1,):
                    return True
                os.kill(stopped.pid, signal.SIGCONT)
                return False

            wait_for(caught, "it is under way")
            try:
                second = made.dispatcher(HURRIED)
                second.wait_ready()
                sent.join()
                wait_until_all_reported(url, log)
                assert metric(second.port, "mlgrind_jobs_recovered_total") >= 1
                before = reports_by_id(url)
            finally:
                os.kill(stopped.pid, signal.SIGCONT)
        stopped.wait_ready()
        second.stop(signal.SIGTERM)
        log.add(send(web.port, source(1), "after"))
        wait_until_all_reported(url, log)
        assert verdicts(url) == {"accepted": 3}
        found = reports_by_id(url)
        assert {name: found[name] for name in before} == before
        assert metric(stopped.port, "mlgrind_orphans_total") == 0
        assert metric(stopped.port, "mlgrind_parked") == 0
