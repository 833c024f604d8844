"""Where a submission would wait long, it is refused before it is stored, and the moment counts."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path

import pytest

from app.futures import settled
from app.model import LearnerId, SubmissionId
from app.ports import GradeJob, Load
from app.records import Json
from app.service import Refused
from tests.fake_store import FakeStore
from tests.service.world import REFERENCE, SOFTMAX, ScriptedSandbox, World

ANN = LearnerId("ann")


class LongQueue:
    """A judge that says how long its queue is, and judges nothing."""

    def __init__(self, wait_s: float) -> None:
        self._wait_s = wait_s

    def start(self) -> None:
        """Nothing to start."""

    def left(self) -> tuple[SubmissionId, ...]:
        return ()

    def judge(self, job: GradeJob) -> Future[Json]:
        return Future()

    def place(self, submission: SubmissionId) -> int | None:
        return 7

    def wait_s(self) -> float:
        return self._wait_s

    def load(self) -> Load:
        return Load(100, 0, 2, 0)

    def close(self, drain_s: float = 0.0) -> None:
        """Nothing is held."""


def test_a_wait_of_twenty_seconds_is_taken(tmp_path: Path) -> None:
    world = World(tmp_path, store=FakeStore(), judge=LongQueue(20.0))
    submission = world.service().submissions.submit(ANN, SOFTMAX, REFERENCE)
    assert world.opened[0].submissions.place(submission.id) == 7
    world.close()


class AtOnce(LongQueue):
    """A judge that accepts everything at once."""

    def judge(self, job: GradeJob) -> Future[Json]:
        return settled({"verdict": "accepted"})


def test_beside_a_shared_queue_a_web_process_looks_at_nothing_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dispatchers do, when they have nothing else to do."""
    world = World(tmp_path, store=FakeStore(), judge=AtOnce(0.0))
    service, begun = world.service(), []
    service.exercises.expectations(SOFTMAX)
    monkeypatch.setattr(service.second_looks, "begin", lambda *about: begun.append(about))
    service.submissions.submit(ANN, SOFTMAX, REFERENCE)
    assert begun == []
    world.close()


@pytest.mark.parametrize("wait_s", [20.1, 90.0, 4_000.0])
def test_a_longer_one_is_refused_for_fifteen_seconds_at_most(wait_s: float, tmp_path: Path) -> None:
    store = FakeStore()
    world = World(tmp_path, store=store, judge=LongQueue(wait_s), chance=0.999)
    with pytest.raises(Refused) as refused:
        world.service().submissions.submit(ANN, SOFTMAX, REFERENCE)
    assert refused.value.kind == "line_full"
    assert 10 <= refused.value.retry_after <= 15
    assert store.submissions.history(ANN, SOFTMAX) == ()
    world.close()


def test_without_a_runner_a_submission_is_taken_into_the_queue_and_a_run_is_not(
    tmp_path: Path,
) -> None:
    world = World(tmp_path, store=FakeStore(), judge=LongQueue(0.0), house=ScriptedSandbox())
    world.sandbox.holds = False
    service = world.service()
    assert service.submissions.submit(ANN, SOFTMAX, REFERENCE).report is None
    with pytest.raises(Refused) as refused:
        service.runs.run(ANN, SOFTMAX, REFERENCE)
    assert refused.value.kind == "not_ready"
    world.close()


def test_without_a_house_jail_no_submission_is_taken_into_the_queue(tmp_path: Path) -> None:
    house = ScriptedSandbox()
    world = World(tmp_path, store=FakeStore(), judge=LongQueue(0.0), house=house)
    service = world.service()
    house.holds = False
    with pytest.raises(Refused) as refused:
        service.submissions.submit(ANN, SOFTMAX, REFERENCE)
    assert refused.value.kind == "not_ready"
    world.close()
