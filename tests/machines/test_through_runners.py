"""Web, dispatcher and runners together, each a process of its own, on one PostgreSQL."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.machines.clients import Log, send, source, verdicts, wait_until_all_reported
from tests.machines.machines import TOKEN, Machine
from tests.machines.processes import Machines, Supervised, asked, machines, metric, wait_for
from tests.postgres import Cluster

PROMISED = {
    "mlgrind_queue_jobs", "mlgrind_queue_oldest_seconds", "mlgrind_queue_wait_seconds",
    "mlgrind_grade_seconds", "mlgrind_runner_slots", "mlgrind_runner_failures_total",
    "mlgrind_jobs_recovered_total", "mlgrind_orphans_total", "mlgrind_parked",
    "mlgrind_verdict_conflicts_total", "mlgrind_second_opinions_total",
    "mlgrind_listen_reconnects_total", "mlgrind_spare_children", "mlgrind_layer",
    "mlgrind_lti_scores",
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("through")


@pytest.fixture(scope="module")
def runners(folder: Path) -> Iterator[tuple[Machine, Machine]]:
    made = Machine(folder / "one").start(), Machine(folder / "two").start()
    yield made
    for machine in made:
        machine.stop()


@pytest.fixture(scope="module")
def installed(
    postgres: Cluster, folder: Path, runners: tuple[Machine, Machine]
) -> Iterator[tuple[Machines, Supervised, Supervised]]:
    """The processes, among them a web process and a dispatcher."""
    token = folder / "token"
    token.write_text(TOKEN)
    token.chmod(0o600)
    named = {
        "MLGRIND_RUNNERS": ",".join(machine.name for machine in runners),
        "MLGRIND_RUNNER_TOKEN_FILE": str(token),
    }
    with postgres.database() as url, machines(url, folder, **named) as made:
        web, dispatcher = made.web(), made.dispatcher()
        web.wait_ready()
        dispatcher.wait_ready()
        yield made, web, dispatcher


def submitted(web: Supervised, log: Log, number: int) -> None:
    told = send(web.port, source(number), f"key-{number}")
    log.add(told)
    assert told.status in {201, 202}, told


Installed = tuple[Machines, Supervised, Supervised]


def events(text: str) -> list[dict[str, Any]]:
    """The lines of a log that are events; the last one may still be being written."""
    return [json.loads(line) for line in text.split("\n")[:-1] if line.startswith("{")]


def test_one_request_can_be_followed_through_three_logs_which_hold_no_code_and_no_name(
    installed: Installed, runners: tuple[Machine, Machine]
) -> None:
    made, web, dispatcher = installed
    log, text = Log(), source(7) + b"# the code of one learner\n"
    log.add(send(web.port, text, "followed", name="Ada Lovelace"))
    wait_until_all_reported(made.url, log)
    (submission,) = log.promised

    def logs() -> list[str]:
        return [web.printed(), dispatcher.printed(), "".join(one.events() for one in runners)]

    def found() -> list[list[dict[str, Any]]]:
        about = [[e for e in events(kept) if e.get("submission") == submission] for kept in logs()]
        named = zip(about, ("request", "judged", "order_answered"), strict=True)
        return [[one for one in kept if one["event"] == event] for kept, event in named]

    wait_for(lambda: all(found()), "each has written it down, behind the answer and the report")
    (request,), (judged,), (answered,) = found()
    assert len(request["request_id"]) == 16
    assert judged["request_id"] == answered["request_id"] == request["request_id"]
    assert judged["runner"] in {one.name for one in runners}
    for kept in logs():
        assert "the code of one learner" not in kept
        assert "Lovelace" not in kept


def test_every_promised_metric_is_at_every_process(
    installed: Installed, runners: tuple[Machine, Machine]
) -> None:
    _, web, dispatcher = installed
    headers = {"authorization": f"Bearer {TOKEN}"}

    def all_texts() -> list[str]:
        texts = [asked(one.port, "/metrics")[1] for one in (web, dispatcher)]
        return [*texts, asked(runners[0].port, "/metrics", headers)[1]]

    texts = all_texts()
    for text in texts:
        kinds = {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")}
        assert kinds >= PROMISED
    wait_for(lambda: min(map(spares, all_texts())) >= 1, "those that were used are replaced")
    assert 'mlgrind_runner_slots{runner="' in texts[1]
    assert 'mlgrind_layer{name="seccomp"} 1.0' in texts[2]
    assert 'mlgrind_grade_seconds_count{part="record"}' in texts[1]


def spares(text: str) -> float:
    (line,) = [line for line in text.splitlines() if line.startswith("mlgrind_spare_")]
    return float(line.split()[1])


def test_runners_judge_and_submissions_wait_for_them(
    installed: Installed, runners: tuple[Machine, Machine]
) -> None:
    """One runner dies, then the other: what is sent meanwhile is taken, and judged afterwards."""
    made, web, dispatcher = installed
    log, before = Log(), verdicts(made.url)["accepted"]
    submitted(web, log, 0)
    wait_until_all_reported(made.url, log)
    runners[0].kill()
    submitted(web, log, 1)
    wait_until_all_reported(made.url, log)
    runners[1].kill()
    submitted(web, log, 2)
    wait_for(lambda: "runners_awaited" in dispatcher.printed(), "the dispatcher misses them")
    runners[1].start()
    wait_until_all_reported(made.url, log)
    assert verdicts(made.url) == {"accepted": before + 3}
    assert metric(web.port, "mlgrind_parked") == 0
