"""All bytes that go to a runner: learners' code and its arguments, and nothing of the truth."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.model import LearnerId, Slug
from app.sandbox.fleet import Fleet
from app.sandbox.pool import LocalSandbox
from app.sandbox.remote import RemoteSandbox
from app.sandbox.runner_addresses import named
from tests.fake_store import FakeStore
from tests.hostile.server import children
from tests.machines.machines import TOKEN, Machine, fleet_of
from tests.machines.memory import family, memory
from tests.machines.recorder import Recorder, arrays, recorder, truth_in
from tests.service.world import EXERCISES, PATIENCE_S, World

ANN = LearnerId("ann-whose-name-nobody-needs")
CAUSAL = Slug("causal-attention")
FOLDER = EXERCISES / CAUSAL
RIGHT = b"# own\n" + (FOLDER / "reference.py").read_bytes().replace(b'"""', b'"""own ', 1)
HELD = b"""# held while its runner is looked at
import numpy as np

n = 0
while n < 60_000_000:
    n += 1

def causal_attention(Q, K, V):
    return np.zeros((len(Q), V.shape[1]))
"""
"""It computes nothing, so that an answer in the memory came from elsewhere."""

ZEROS = HELD.replace(b"60_000_000", b"0").replace(b"held", b"not held")
WRONG = RIGHT.replace(b"np.sqrt", b"np.cbrt")


@pytest.fixture
def wire(machines: tuple[Machine, Machine]) -> Iterator[Recorder]:
    with recorder(machines[0].host, machines[0].port) as made:
        yield made


@pytest.fixture
def world(wire: Recorder, house: LocalSandbox, tmp_path: Path) -> Iterator[World]:
    shutil.copytree(FOLDER, tmp_path / "exercises" / CAUSAL)
    fleet = Fleet([named(wire.name, {"": TOKEN})])
    made = World(tmp_path, folders=(tmp_path / "exercises",), store=FakeStore())
    made.sandbox = RemoteSandbox(fleet, house)  # type: ignore[assignment] # else a scripted one
    made.house = house
    yield made
    for service in made.opened:
        service._parts.line.close()
    fleet.close()


def test_a_runner_is_sent_nothing_of_the_truth(world: World, wire: Recorder) -> None:
    service = world.service()
    known = service.exercises.expectations(CAUSAL)
    for source in (RIGHT, WRONG):
        stored = service.submissions.submit(ANN, CAUSAL, source)
        service.submissions.verdict(stored.id).result(PATIENCE_S)
    service.runs.run(ANN, CAUSAL, WRONG).result(PATIENCE_S)
    service.runs.run(ANN, CAUSAL, WRONG, smallest=True).result(PATIENCE_S)
    service.runs.run(ANN, CAUSAL, WRONG, draw=987_654).result(PATIENCE_S)
    typed = ", ".join(f"np.array({np.asarray(a).tolist()})" for a in known.tests[0].arguments)
    service.runs.run(ANN, CAUSAL, RIGHT, arguments=typed).result(PATIENCE_S)
    service.follow_ups.answer(ANN, CAUSAL, 1, "n * (n + 1) / 2 + 0").result(PATIENCE_S)
    sent = wire.sent

    assert sent.count(b"POST /run") >= 8
    assert RIGHT in sent and b"+ 0" in sent
    told = [case for case in known.tests if arrays(case.arguments)]
    assert any(not case.visible for case in told)
    for case in told:
        assert any(part in sent for part in arrays(case.arguments)), case.name
    assert truth_in(sent, known) == []
    for path in FOLDER.rglob("*"):
        if path.is_file():
            assert path.read_bytes() not in sent, path.name
    secret = service._parts.secret
    for words in (b"rtol", b"atol", b"tolerance", b"sqlite", b"postgres", secret, ANN.encode()):
        assert words not in sent, words


def test_a_runners_memory_holds_nothing_of_the_truth(tmp_path: Path, house: LocalSandbox) -> None:
    """While it works, and its jail not even the token."""
    shutil.copytree(FOLDER, tmp_path / "exercises" / CAUSAL)
    machine = Machine(tmp_path / "runner").start()
    with fleet_of(machine) as fleet:
        world = World(tmp_path, folders=(tmp_path / "exercises",), store=FakeStore())
        world.sandbox = RemoteSandbox(fleet, house)  # type: ignore[assignment] # else a scripted one
        world.house = house
        service = world.service()
        known = service.exercises.expectations(CAUSAL)
        service.runs.run(ANN, CAUSAL, ZEROS, smallest=True).result(PATIENCE_S)
        judged = service.submissions.submit(ANN, CAUSAL, HELD)
        assert machine.process is not None
        parent, at_work = machine.process.pid, b""
        end = time.monotonic() + PATIENCE_S
        while HELD not in at_work and time.monotonic() < end:
            jail = {pid: memory(pid) for pid in family(parent)[1:]}
            at_work = b"".join(jail.values())
        works = {pid: each for pid, each in jail.items() if HELD in each or children(pid)}
        read = {parent: memory(parent), **works}  # a spare child is a copy of the keeper
        service.submissions.verdict(judged.id).result(PATIENCE_S)
        service._parts.line.close()
    secret = service._parts.secret
    machine.stop()

    assert HELD in at_work
    assert TOKEN.encode() in read[parent]  # it asks for it; so what is there is found
    assert TOKEN.encode() not in at_work
    hidden = [case for case in known.tests if not case.visible]
    assert any(part in at_work for case in hidden for part in arrays(case.arguments))
    some = replace(known, draws=known.draws[::64])  # to search for all takes minutes
    for each in read.values():
        assert truth_in(each, some) == []
        for path in FOLDER.rglob("*"):
            if path.is_file():
                assert path.read_bytes() not in each, path.name
        assert secret not in each and ANN.encode() not in each
