"""A web process, a dispatcher and runners: learners' code runs on the runners, and comes back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.client import HTTPConnection

import pytest

from tests.machines.clients import SLUG, source
from tests.machines.machines import PATIENCE_S, TOKEN, Machine
from tests.machines.processes import Supervised, wait_for
from tests.machines.processes import machines as processes
from tests.postgres import NoPostgres, left_out, programs


@pytest.fixture(scope="module")
def installation(
    postgres_of_module: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Supervised, tuple[Machine, Machine]]]:
    folder = tmp_path_factory.mktemp("through")
    runners = Machine(folder / "one").start(), Machine(folder / "two").start()
    token = folder / "tokens"
    token.write_text("\n".join(f"{runner.name} {TOKEN}" for runner in runners))
    settings = {
        "MLGRIND_RUNNERS": ",".join(runner.name for runner in runners),
        "MLGRIND_RUNNER_TOKEN_FILE": str(token),
    }
    with processes(postgres_of_module, folder, **settings) as made:
        web = made.web()
        made.dispatcher()
        for one in made.all:
            one.wait_ready()
        yield web, runners
    for runner in runners:
        runner.stop()


@pytest.fixture(scope="module")
def postgres_of_module() -> Iterator[str]:
    from tests.postgres import cluster

    try:
        programs()
    except NoPostgres as error:
        left_out(error)
    with cluster() as postgres, postgres.database() as url:
        yield url


def sent(web: Supervised, path: str, text: bytes) -> tuple[dict[str, object], str]:
    """The answer to a source, and the id that our log knows the request by."""
    line = HTTPConnection("127.0.0.1", web.port, timeout=PATIENCE_S)
    body = json.dumps({"source": text.decode()}).encode()
    line.request("POST", path, body, {"content-type": "application/json"})
    response = line.getresponse()
    said = json.loads(response.read())
    line.close()
    assert response.status in (200, 201, 202), said
    return said, response.headers["X-Request-Id"]


def events(runners: tuple[Machine, Machine]) -> str:
    return "".join(runner.events() for runner in runners)


def test_a_submission_is_judged_by_a_dispatcher_through_a_runner(
    installation: tuple[Supervised, tuple[Machine, Machine]],
) -> None:
    web, runners = installation
    said, _ = sent(web, f"/api/exercises/{SLUG}/submissions", source(1))
    wait_for(
        lambda: str(said["submission"]) in events(runners), "the runner's word of a submission"
    )


def test_a_run_is_known_by_its_request_on_the_runner_too(
    installation: tuple[Supervised, tuple[Machine, Machine]],
) -> None:
    web, runners = installation
    said, request_id = sent(web, f"/api/exercises/{SLUG}/runs", source(2))
    assert said["verdict"] == "accepted"
    assert f'"request_id": "{request_id}"' in events(runners)


def test_with_one_runner_dead_the_other_answers(
    installation: tuple[Supervised, tuple[Machine, Machine]],
) -> None:
    web, runners = installation
    runners[0].kill()
    for number in range(3, 9):
        said, _ = sent(web, f"/api/exercises/{SLUG}/runs", source(number))
        assert said["verdict"] == "accepted"
