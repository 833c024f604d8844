"""The hostile programs through the whole product: HTTP, database, line, jail, grader, report."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

import pytest

from app.model import Verdict
from tests.hostile.attack import EXERCISE, HONEST, NARROW
from tests.hostile.corpus import Case, cases
from tests.hostile.passes import is_whole
from tests.hostile.server import PATIENCE_S, Server, serving

T = TypeVar("T")
pytestmark = pytest.mark.timeout(12 * PATIENCE_S)  # the first test waits for the whole corpus
SLUG = EXERCISE.name
BUSY = b"t = 0\nfor n in range(15_000_000):\n    t += n\n" + HONEST.read_bytes()
"""About a second of honest work."""

LOOP = b"while True:\n    pass\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("server")) as started:
        yield started


@pytest.fixture(scope="module")
def corpus(server: Server) -> dict[str, tuple[Case, str]]:
    """What the stored report says of every case; after each, an honest one is accepted."""

    def attack(case: Case) -> tuple[int, dict[str, object]]:
        told = server.submit(SLUG, case.source)
        status, honest = server.submit(SLUG, HONEST.read_bytes())
        assert server.report(status, honest)["verdict"] == Verdict.ACCEPTED, case.name
        return told

    typed = [case for case in _asked() if _can_be_typed(case.source)]
    with ThreadPoolExecutor(2) as learners:
        told = list(learners.map(attack, typed))
    reports = [server.report(*each) for each in told]
    return {c.name: (c, r["verdict"]) for c, r in zip(typed, reports, strict=True)}


def _asked() -> list[Case]:
    """All cases, but of those that use all there is of a limit every third: seconds for each.

    With narrower limits all of them run against each configuration of the wall.
    """
    found = cases()
    endless = [case for case in found if case.expected in NARROW]
    left_out = {case.name for at, case in enumerate(endless) if at % 3 and not is_whole()}
    return [case for case in found if case.name not in left_out]


def _can_be_typed(source: bytes) -> bool:
    """JSON carries text, lone surrogates and NUL among it, but no bytes that are none."""
    try:
        source.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True


def test_every_attack_over_http_ends_as_it_must(corpus: dict[str, tuple[Case, str]]) -> None:
    assert len(corpus) > 200
    wrong = {
        name: verdict for name, (case, verdict) in corpus.items() if verdict not in case.expected
    }
    assert wrong == {}


@pytest.mark.usefixtures("corpus")
def test_the_server_is_as_it_was_after_the_corpus(server: Server) -> None:
    status, ready = server.ask("GET", "/readyz")
    assert (status, ready["ready"], ready["waiting"]["submissions"]) == (200, True, 0)
    keeper = next(layer for layer in ready["layers"] if layer["name"] == "keeper")
    assert keeper["detail"] == "as it was started"
    assert server.logged("grader_error") == []


def wait_for(condition: Callable[[], T]) -> T:
    """What it gives once that is something; fails where it never is."""
    end = time.monotonic() + PATIENCE_S
    while not (found := condition()):
        assert time.monotonic() < end
        os.sched_yield()
    return found


def busy_children(server: Server) -> list[int]:
    """Children that have worked for longer than any waiting one has."""
    return [pid for pid in server.jailed() if _cpu_s(pid) > 0.2]


def _cpu_s(pid: int) -> float:
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return 0.0


def test_a_keeper_killed_under_a_submission_is_replaced_and_told_of(server: Server) -> None:
    with ThreadPoolExecutor(1) as learner:
        told = learner.submit(server.submit, SLUG, BUSY)
        wait_for(lambda: busy_children(server))
        os.kill(server.keeper(), signal.SIGKILL)
        assert server.report(*told.result(PATIENCE_S))["verdict"] == Verdict.ACCEPTED
    ready = server.ask("GET", "/readyz")[1]
    keeper = next(layer for layer in ready["layers"] if layer["name"] == "keeper")
    assert ready["ready"] and keeper["detail"] == "died and was started again once"
    assert len(server.logged("keeper_replaced")) == 1
    assert "mlgrind_keepers_replaced_total 1.0" in server.ask("GET", "/metrics")[1]


def test_a_child_killed_under_a_submission_is_replaced_and_told_of(server: Server) -> None:
    with ThreadPoolExecutor(1) as learner:
        told, killed = learner.submit(server.submit, SLUG, BUSY), set[int]()

        def is_lost() -> bool:  # a busy one may be at a second look, which is lost without a word
            if server.logged("child_lost"):
                return True  # whoever is busy now judges it again
            for pid in set(busy_children(server)) - killed:
                killed.add(pid)
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.05)
            return False

        wait_for(is_lost)
        assert server.report(*told.result(PATIENCE_S))["verdict"] == Verdict.ACCEPTED
    assert [event["again"] for event in server.logged("child_lost")] == [True]
    assert "mlgrind_children_lost_total 1.0" in server.ask("GET", "/metrics")[1]
    assert server.ask("GET", "/readyz")[1]["ready"]


def test_sixty_loops_leave_the_page_and_an_honest_submission_fast(server: Server) -> None:
    """Told by order: nearly all loops are still in line when both are there."""
    with ThreadPoolExecutor(60) as learners:
        loops = [learners.submit(server.submit, SLUG, LOOP) for _ in range(60)]
        answers = [loop.result(PATIENCE_S) for loop in loops]
        status, _ = server.ask("GET", "/")
        honest = server.report(*server.submit(SLUG, HONEST.read_bytes()))
        waiting = server.ask("GET", "/readyz")[1]["waiting"]["submissions"]
    assert (status, honest["verdict"]) == (200, Verdict.ACCEPTED)
    assert waiting >= 30
    assert {code for code, _ in answers} <= {201, 202}
