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
from tests.machines.processes import machines, metric
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
        log.add(send(web.port, source(1), "sound"))
        wait_until_all_reported(url, log)
        assert verdicts(url) == {"grader_error": 1, "accepted": 1}
        assert dispatcher.deaths == TRIES
        (parked,) = ParkedJobs(url).all()
        assert (parked.tries, parked.reason) == (TRIES, "the dispatcher that judged it ended")
        with psycopg.connect(address(url)) as asked:
            left = asked.execute("SELECT count(*) FROM procrastinate_jobs").fetchone()
        assert left == (0,)
        dispatcher.wait_ready()
        log.add(send(web.port, source(2), "later"))
        wait_until_all_reported(url, log)
        assert dispatcher.deaths == TRIES
        assert metric(dispatcher.port, "mlgrind_orphans_total") == 0
