"""The hostile programs sent to a runner: the same ends, and the runner is none the worse for it.

With the language policy and without it, some of them in `make test`, all of them in `make corpus`.
Every byte on the way to the runner is kept: at the end none of them tells an answer.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.model import Exercise, Expectations
from app.sandbox.fleet import Fleet
from app.sandbox.pool import LocalSandbox
from app.sandbox.remote import RemoteSandbox
from app.sandbox.runner_addresses import named
from tests.hostile import promises
from tests.hostile.attack import HONEST, Attack, Configuration
from tests.hostile.corpus import Case, cases
from tests.hostile.grounds import grounds
from tests.hostile.passes import in_every_configuration, is_whole
from tests.machines.machines import COMMAND, TOKEN, Machine
from tests.machines.recorder import Recorder, arrays, recorder, truth_in

PRODUCT = Configuration(root=True, namespaces=True, landlock=True, policy=True)
UNPOLICED = Configuration(root=True, namespaces=True, landlock=True, policy=False)
COMMANDS = {PRODUCT: COMMAND, UNPOLICED: ("-m", "tests.machines.unpoliced")}
ALWAYS = frozenset({"res_stdout_one_line", "res_stdout_array", "res_big_alloc"})
"""What runs into a limit says on which line, and a runner passes it on."""

WITH_POLICY = [
    case
    for at, case in enumerate(in_every_configuration())
    if is_whole() or at % 14 == 0 or case.name in ALWAYS
]
WITHOUT = [case for case in cases() if case.raw][:: 1 if is_whole() else 60]


@dataclass(frozen=True)
class Attacked:
    """A runner under attack, and all that it was sent."""

    attack: Attack
    wire: Recorder


@pytest.fixture(scope="module")
def attacked(
    request: pytest.FixtureRequest,
    truth: tuple[Exercise, Expectations],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Attacked]:
    os.environ["SECRET_KEY"] = "MLGRIND_CANARY_env"
    made: Configuration = request.param
    machine = Machine(tmp_path_factory.mktemp("runner"), command=COMMANDS[made])
    house = LocalSandbox(spares=1)
    try:
        machine.start()
        with grounds(made.children) as laid, recorder(machine.host, machine.port) as wire:
            fleet = Fleet([named(wire.name, {"": TOKEN})])
            attack = Attack(made, RemoteSandbox(fleet, house), laid, *truth)  # type: ignore[arg-type]
            attack.submit(HONEST.read_bytes())
            yield Attacked(attack, wire)
            fleet.close()
    finally:
        machine.stop()
        house.close()
        del os.environ["SECRET_KEY"]


POLICED = pytest.mark.parametrize("attacked", [PRODUCT], indirect=True, ids=str)
BARE = pytest.mark.parametrize("attacked", [UNPOLICED], indirect=True, ids=str)


@POLICED
@pytest.mark.parametrize("case", WITH_POLICY, ids=lambda case: case.name)
def test_attack_ends_as_it_must(attacked: Attacked, case: Case) -> None:
    promises.ends_as_it_must(attacked.attack, case)


@POLICED
def test_no_attack_had_the_runner_parked_or_was_sent_an_answer(
    attacked: Attacked, truth: tuple[Exercise, Expectations]
) -> None:
    stands_and_knows_nothing(attacked, truth[1])


@BARE
@pytest.mark.parametrize("case", WITHOUT, ids=lambda case: case.name)
def test_attack_without_the_policy_ends_as_it_must(attacked: Attacked, case: Case) -> None:
    promises.ends_as_it_must(attacked.attack, case)


@BARE
def test_without_the_policy_it_is_not_parked_and_sent_no_answer_either(
    attacked: Attacked, truth: tuple[Exercise, Expectations]
) -> None:
    stands_and_knows_nothing(attacked, truth[1])


def stands_and_knows_nothing(attacked: Attacked, known: Expectations) -> None:
    """What code can forge is the code's fault: it must not cost the others a runner."""
    sandbox = attacked.attack.sandbox
    assert isinstance(sandbox, RemoteSandbox)
    (view,) = sandbox.fleet.views()
    assert (view.parked, view.shut) == ("", False)
    (runner,) = sandbox.fleet._known.values()
    assert runner.standing.lies == ()
    sent = attacked.wire.sent
    assert any(part in sent for part in arrays(known.tests[-1].arguments))
    assert truth_in(sent, known) == []


def test_the_corpus_is_not_empty() -> None:
    assert len(WITH_POLICY) >= 10
    assert len(WITHOUT) >= 5
    assert Path(__file__).parent.joinpath("cases").is_dir()
