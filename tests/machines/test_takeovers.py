"""Code that ends each dispatcher that takes it: real processes, a real death each time."""

from __future__ import annotations

import sys
from pathlib import Path

import psycopg

from app.jobs.parked import ParkedJobs
from app.jobs.queue_tables import address
from tests.machines import mortal_dispatcher
from tests.machines.clients import RIGHT, Log, send, source, verdicts, wait_until_all_reported
from tests.machines.mortal_dispatcher import DEADLY, TRIES
from tests.machines.processes import machines, metric, wait_for
from tests.postgres import Cluster

MORTAL = (sys.executable, str(Path(mortal_dispatcher.__file__)), "dispatcher")


def test_code_that_ends_every_dispatcher_is_parked_and_the_others_work_goes_on(
    postgres: Cluster, tmp_path: Path
) -> None:
    with postgres.database() as url, machines(url, tmp_path) as made:
        web, log = made.web(), Log()
        dispatcher = made.dispatcher(MORTAL)
        web.wait_ready()
        dispatcher.wait_ready()
        log.add(send(web.port, DEADLY + b"\n" + RIGHT, "deadly"))
        wait_for(lambda: dispatcher.deaths, "its first death, which is none of the sound one's")
        log.add(send(web.port, source(1), "sound"))
        wait_until_all_reported(url, log)
        assert verdicts(url) == {"grader_error": 1, "accepted": 1}
        assert dispatcher.deaths == TRIES
        wait_for(lambda: ParkedJobs(url).all(), "it is parked, behind its report")
        (parked,) = ParkedJobs(url).all()
        assert (parked.tries, parked.reason) == (TRIES, "the dispatcher that judged it ended")
        with psycopg.connect(address(url), autocommit=True) as asked:
            left = "SELECT count(*) FROM procrastinate_jobs"
            wait_for(lambda: asked.execute(left).fetchone() == (0,), "the jobs are done with")
        dispatcher.wait_ready()
        log.add(send(web.port, source(2), "later"))
        wait_until_all_reported(url, log)
        assert dispatcher.deaths == TRIES
        assert metric(dispatcher.port, "mlgrind_orphans_total") == 0
