"""Authors' files run in the house's own jail, and never where learners' code runs."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from app.model import Formula, Lane, LearnerId, Order, Slug
from app.service import Refused, Service
from tests.service.test_rejudging import rejudging
from tests.service.world import EXERCISES, PATIENCE_S, ScriptedSandbox, World

ANN = LearnerId("ann")
CAUSAL = Slug("causal-attention")
FOLDER = EXERCISES / CAUSAL
RIGHT = b"# own\n" + (FOLDER / "reference.py").read_bytes()
WRONG = RIGHT.replace(b"np.sqrt", b"np.cbrt") + b"\n# own\n"
FORMULA = "n * (n + 1) / 2 + 0"


@pytest.fixture
def service(world: World, tmp_path: Path) -> Service:
    world.house = ScriptedSandbox()
    shutil.copytree(FOLDER, tmp_path / "exercises" / CAUSAL)
    world.folders = (tmp_path / "exercises",)
    return world.service()


def play(world: World, service: Service) -> None:
    """Everything that has code run for a learner."""
    for source in (RIGHT, WRONG, b"# loops\n" + RIGHT):
        stored = service.submissions.submit(ANN, CAUSAL, source)
        service.submissions.verdict(stored.id).result(PATIENCE_S)
    service.runs.run(ANN, CAUSAL, WRONG).result(PATIENCE_S)
    service.runs.run(ANN, CAUSAL, WRONG, smallest=True).result(PATIENCE_S)
    service.runs.run(ANN, CAUSAL, WRONG, draw=3).result(PATIENCE_S)
    service.runs.run(ANN, CAUSAL, WRONG, draw=987_654).result(PATIENCE_S)
    case = service.exercises.expectations(CAUSAL).examples[0]
    given = ", ".join(f"np.array({np.asarray(a).tolist()})" for a in case.arguments)
    service.runs.run(ANN, CAUSAL, RIGHT, arguments=given).result(PATIENCE_S)
    service.follow_ups.answer(ANN, CAUSAL, 1, FORMULA).result(PATIENCE_S)
    service.typeset((Formula("x", False),))
    world.sandbox.faults = 99
    ours = service.submissions.submit(ANN, CAUSAL, b"# faults\n" + WRONG)
    service.submissions.verdict(ours.id).result(PATIENCE_S)
    world.sandbox.faults = 0
    list(rejudging(world).faults())


def authors() -> frozenset[bytes]:
    """The text of every file of the exercise."""
    return frozenset(path.read_bytes() for path in FOLDER.rglob("*.py"))


def texts(orders: list[Order]) -> list[bytes]:
    return [source.text for order in orders for source in order.sources]


def test_no_authors_code_goes_where_learners_code_runs_nor_the_other_way(
    world: World, service: Service
) -> None:
    play(world, service)
    house = world.house
    assert isinstance(house, ScriptedSandbox)
    assert not authors() & set(texts(world.sandbox.orders))
    names = {source.name for order in world.sandbox.orders for source in order.sources}
    assert names == {"solution.py", "lists", "arguments", "formula"}
    assert any(source in authors() for source in texts(house.orders))
    assert not any(b"# own" in text or b"+ 0" in text for text in texts(house.orders))
    files = {source.name for order in house.orders for source in order.sources}
    assert {"reference.py", "inputs.py", "stages.py"} <= files
    assert set(house.lanes) == {Lane.AUTHOR}


def test_a_run_is_refused_while_learners_code_has_no_jail(world: World, service: Service) -> None:
    world.sandbox.holds = False
    with pytest.raises(Refused) as refused:
        service.runs.run(ANN, CAUSAL, RIGHT)
    assert (refused.value.kind, refused.value.retry_after > 0) == ("not_ready", True)
    assert service.ready().grades


def test_both_jails_are_closed_with_the_service(world: World, tmp_path: Path) -> None:
    closed: list[str] = []

    class Closing(ScriptedSandbox):
        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

        def close(self) -> None:
            closed.append(self.name)

    world.sandbox, world.house = Closing("learners'"), Closing("the house's")
    world.folders = (tmp_path,)
    world.service().close()
    assert closed[:2] == ["learners'", "the house's"]
