"""Who is sent away and when to come back, over a real connection: 429 and 503 with Retry-After."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from app.admission import MOST_WAIT_S, Allowance
from app.config import Settings
from app.model import SubmissionId
from app.records import Json
from tests.service.world import PATIENCE_S, World
from tests.web.conftest import ROOMY
from tests.web.server import Answer, Server, served
from tests.web.test_api import API
from tests.web.test_pages import REFERENCE

SUBMISSIONS, RUNS = f"{API}/submissions", f"{API}/runs"
SLOW = "# waits\n" + REFERENCE
"""Judged only when the world lets it."""


@contextmanager
def limited(world: World) -> Iterator[Server]:
    """A server on a world of the test's own, which lets everything end in the end."""
    with served(world.service(started=False), Settings(data=world.data)) as server:
        try:
            yield server
        finally:
            world.sandbox.let.set()
    world.close()


@pytest.fixture
def make(tmp_path: Path, shelf: Path) -> Callable[..., World]:
    """Makes a world with an allowance; `capacity` is what its line holds."""

    def made(allowance: Allowance, capacity: int = 1_000) -> World:
        return World(tmp_path, folders=(shelf,), allowance=allowance, capacity=capacity)

    return made


def sent_away(answer: Answer, status: int) -> bool:
    """Whether it is this problem, and says when to come back: soon enough."""
    is_problem = answer.headers["content-type"].startswith("application/problem+json")
    return (
        answer.status == status
        and is_problem
        and 1 <= int(answer.headers["retry-after"]) <= MOST_WAIT_S
    )


def submit(server: Server, source: str, cookie: str | None = None) -> Answer:
    named = {} if cookie is None else {"cookie": cookie}
    return server.post(SUBMISSIONS, {"source": source}, **named)


def judged(server: Server, told: Json) -> Json:
    """The report of a submission, asked for once it is there."""
    server.service.submissions.verdict(SubmissionId(str(told["submission"]))).result(PATIENCE_S)
    address = f"/api/submissions/{told['submission']}?read_token={told['read_token']}"
    report: Json = server.ask("GET", address).json
    return report


def cookie_of(answer: Answer) -> str:
    return answer.headers["set-cookie"].split(";")[0]


def test_a_learner_in_a_hurry_is_told_when_to_come_back(make: Callable[..., World]) -> None:
    world = make(replace(ROOMY, submissions=2, runs=1))
    with limited(world) as server:
        first = submit(server, REFERENCE)
        mine = cookie_of(first)
        assert (first.status, submit(server, REFERENCE, mine).status) == (201, 201)
        assert sent_away(submit(server, REFERENCE, mine), 429)
        assert server.post(RUNS, {"source": REFERENCE}, cookie=mine).status == 200
        assert sent_away(server.post(RUNS, {"source": REFERENCE}, cookie=mine), 429)
        assert submit(server, REFERENCE).status == 201, "another learner"
        world.wait(minutes=1)
        assert submit(server, REFERENCE, mine).status == 201


def test_live_runs_have_their_own_allowance(make: Callable[..., World]) -> None:
    with limited(make(replace(ROOMY, live=1))) as server:
        mine = cookie_of(submit(server, REFERENCE))
        live = {"source": REFERENCE, "live": True}
        assert server.post(RUNS, live, cookie=mine).status == 200
        assert sent_away(server.post(RUNS, live, cookie=mine), 429)
        assert server.post(RUNS, {"source": REFERENCE}, cookie=mine).status == 200
        assert submit(server, REFERENCE, mine).status == 201


def test_new_learners_of_an_address_are_limited_by_the_hour(make: Callable[..., World]) -> None:
    """As many without a cookie as the host says, four hundred unless told; the others go on."""
    assert Allowance().address_learners == 400
    most = 40
    world = make(replace(ROOMY, address_learners=most))
    with limited(world) as server:
        answers = [submit(server, REFERENCE) for _ in range(most)]
        assert {answer.status for answer in answers} == {201}
        gone = submit(server, REFERENCE)
        assert sent_away(gone, 429)
        assert "Many new visitors came from your network" in gone.json["title"]
        assert submit(server, REFERENCE, cookie_of(answers[0])).status == 201
        page = server.ask("GET", API.removeprefix("/api"))
        assert submit(server, REFERENCE, cookie_of(page)).status == 201, "who has seen the page"
        world.wait(hours=1)
        assert submit(server, REFERENCE).status == 201


def test_a_full_line_is_503_and_what_is_in_it_is_judged(make: Callable[..., World]) -> None:
    world = make(replace(ROOMY, line=2))
    with limited(world) as server, ThreadPoolExecutor(2) as learners:
        held = [learners.submit(submit, server, SLOW) for _ in range(2)]
        for _ in held:
            assert world.sandbox.begun.acquire(timeout=PATIENCE_S)
        assert sent_away(submit(server, REFERENCE), 503)
        world.sandbox.let.set()
        for each in held:
            told = each.result(PATIENCE_S).json
            assert judged(server, told)["verdict"] == "accepted"


def test_a_nearly_full_disk_is_503_while_stored_ones_are_judged(
    make: Callable[..., World],
) -> None:
    world = make(ROOMY)
    with limited(world) as server, ThreadPoolExecutor(1) as learner:
        held = learner.submit(submit, server, SLOW)
        assert world.sandbox.begun.acquire(timeout=PATIENCE_S)
        world.free_bytes = 500 * 1024 * 1024 - 1
        assert sent_away(submit(server, REFERENCE), 503)
        world.sandbox.let.set()
        assert judged(server, held.result(PATIENCE_S).json)["verdict"] == "accepted"
        world.free_bytes = 500 * 1024 * 1024
        assert submit(server, REFERENCE).status == 201


def test_a_live_run_gives_way_first(make: Callable[..., World]) -> None:
    """Both fast workers are held and one place is left: a run pushes the live one out of it."""
    world = make(ROOMY, capacity=1)
    with limited(world) as server, ThreadPoolExecutor(4) as learners:
        held = [learners.submit(submit, server, SLOW) for _ in range(2)]
        for _ in held:
            assert world.sandbox.begun.acquire(timeout=PATIENCE_S)
        live = learners.submit(server.post, RUNS, {"source": REFERENCE, "live": True})
        while server.service.ready().load.runs == 0:
            os.sched_yield()
        run = learners.submit(server.post, RUNS, {"source": REFERENCE})
        assert sent_away(live.result(PATIENCE_S), 503)
        assert sent_away(server.post(RUNS, {"source": REFERENCE, "live": True}), 503)
        world.sandbox.let.set()
        assert run.result(PATIENCE_S).json["verdict"] == "accepted"
        assert {each.result(PATIENCE_S).status for each in held} <= {201, 202}


def test_a_follow_up_formula_is_sent_away_from_a_full_line(make: Callable[..., World]) -> None:
    world = make(ROOMY, capacity=1)
    with limited(world) as server, ThreadPoolExecutor(3) as learners:
        held = [learners.submit(submit, server, SLOW) for _ in range(2)]
        for _ in held:
            assert world.sandbox.begun.acquire(timeout=PATIENCE_S)
        run = learners.submit(server.post, RUNS, {"source": REFERENCE})
        while server.service.ready().load.runs == 0:
            os.sched_yield()
        formula = server.post(f"{API}/follow-ups", {"number": 1, "text": "4 * d_model ** 2"})
        assert sent_away(formula, 503)
        world.sandbox.let.set()
        assert run.result(PATIENCE_S).json["verdict"] == "accepted"


def test_open_runs_of_those_without_a_cookie_leave_room_for_the_others(
    make: Callable[..., World],
) -> None:
    """Thirty-two of them are open; the next is sent away, and who has a cookie is not."""
    world = make(ROOMY)
    with limited(world) as server, ThreadPoolExecutor(40) as clients:
        page = server.ask("GET", API.removeprefix("/api"))
        own = [clients.submit(server.post, RUNS, {"source": SLOW}) for _ in range(32)]
        assert world.sandbox.begun.acquire(timeout=PATIENCE_S)
        while server.service.ready().load.runs < 31:
            threading.Event().wait(0.01)
        gone = server.post(RUNS, {"source": REFERENCE})
        assert sent_away(gone, 429)
        assert "not only from you" in gone.json["title"]
        honest = clients.submit(server.post, RUNS, {"source": REFERENCE}, cookie=cookie_of(page))
        world.sandbox.let.set()
        assert honest.result(PATIENCE_S).status == 200
        assert {each.result(PATIENCE_S).status for each in own} == {200}


def test_a_learner_has_four_runs_open_at_most(make: Callable[..., World]) -> None:
    world = make(ROOMY)
    with limited(world) as server, ThreadPoolExecutor(4) as clients:
        mine = cookie_of(server.ask("GET", API.removeprefix("/api")))
        held = [clients.submit(server.post, RUNS, {"source": SLOW}, cookie=mine) for _ in range(4)]
        assert world.sandbox.begun.acquire(timeout=PATIENCE_S)
        while server.service.ready().load.runs < 3:
            threading.Event().wait(0.01)
        gone = server.post(RUNS, {"source": REFERENCE}, cookie=mine)
        assert sent_away(gone, 429)
        assert "still going" in gone.json["title"]
        world.sandbox.let.set()
        assert {each.result(PATIENCE_S).status for each in held} == {200}
