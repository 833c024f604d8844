"""A runner that lies about verdicts, found by asking others: real runners, a real dispatcher."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from app.jobs.opinion_rows import OpinionRows
from app.jobs.queue_tables import address
from app.jobs.shut_runners import ShutRunnerRows
from app.ports.runners import RunnerId
from tests.cli.test_grade import mlgrind
from tests.machines import lying_runner
from tests.machines.clients import Log, send, source, wait_until_all_reported
from tests.machines.lying_runner import WRONG
from tests.machines.machines import TOKEN, Machine
from tests.machines.processes import machines, metric, wait_for
from tests.postgres import Cluster

LYING = (lying_runner.__file__,)


@pytest.fixture
def runners(tmp_path: Path) -> Iterator[tuple[Machine, ...]]:
    """The first lies; of idle runners the first in the settings is asked first."""
    liar = Machine(tmp_path / "liar", command=LYING).start()
    made = (liar, *(Machine(tmp_path / name).start() for name in ("one", "two")))
    yield made
    for machine in made:
        machine.stop()


def test_a_runner_that_passes_wrong_work_is_found_left_out_and_its_work_judged_again(
    postgres: Cluster,
    tmp_path: Path,
    runners: tuple[Machine, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    token = tmp_path / "token"
    token.write_text(TOKEN)
    token.chmod(0o600)
    named = {
        "MLGRIND_RUNNERS": ",".join(machine.name for machine in runners),
        "MLGRIND_RUNNER_TOKEN_FILE": str(token),
        "MLGRIND_SECOND_OPINIONS": "1",
    }
    liar = runners[0].name
    with postgres.database() as url, machines(url, tmp_path, **named) as made:
        monkeypatch.setenv("MLGRIND_DATABASE", url)
        web, dispatcher, log = made.web(), made.dispatcher(), Log()
        web.wait_ready()
        dispatcher.wait_ready()
        free = f'mlgrind_runner_slots{{runner="{liar}",state="free"}}'
        wait_for(lambda: metric(dispatcher.port, free) > 0, "the liar can be asked")
        lied = send(web.port, WRONG, "lied")  # the first of all: every runner is idle
        log.add(lied)
        wait_until_all_reported(url, log)
        assert verdict(url, lied.submission) == "accepted"  # so far the lie stands
        honest = send(web.port, source(1), "honest")
        log.add(honest)
        wait_until_all_reported(url, log)
        wait_for(lambda: ShutRunnerRows(url).all(), "the liar is found")
        assert ShutRunnerRows(url).all() == {RunnerId(liar, "127.0.0.1"): "differs"}
        wait_for(lambda: OpinionRows(url).all(), "what the three said is kept")
        (differing,) = OpinionRows(url).all()
        assert (differing.submission, differing.result) == (lied.submission, "odd")
        assert f"{liar} (127.0.0.1): accepted; " in differing.opinions
        assert differing.opinions.count("wrong_answer") == 2
        opinions = 'mlgrind_second_opinions_total{result="%s"}'
        wait_for(lambda: metric(dispatcher.port, opinions % "agree") == 1, "the honest one agrees")
        assert metric(dispatcher.port, opinions % "odd") == 1
        wait_for(lambda: shut(web.port, liar), "the web process leaves it alone as well")

        done = mlgrind("queue", "regrade", "--runner", liar, "--since", "1h")
        assert done.stdout.decode().endswith("submissions are in the queue, to be judged again.\n")
        wait_for(lambda: verdict(url, lied.submission) == "wrong_answer", "the lie is replaced")
        assert verdict(url, honest.submission) == "accepted"
        with psycopg.connect(url) as asked:
            past = asked.execute("SELECT submission, verdict FROM past_reports").fetchall()
        assert past == [(lied.submission, "accepted")]
        assert mlgrind("queue", "drain").returncode == 0

        ShutRunnerRows(url).let_in(RunnerId(liar, "127.0.0.1"))
        wait_for(lambda: not shut(web.port, liar), "it is let in everywhere")
        wait_for(lambda: not shut(dispatcher.port, liar), "it is let in everywhere")


def shut(port: int, runner: str) -> bool:
    """Whether a process gives a runner no orders."""
    return metric(port, f'mlgrind_runner_slots{{runner="{runner}",state="parked"}}') > 0


def verdict(url: str, submission: str) -> str:
    with psycopg.connect(address(url)) as asked:
        row = asked.execute(
            "SELECT verdict FROM public.reports WHERE submission = %s", (submission,)
        ).fetchone()
    assert row is not None
    return str(row[0])
