"""The hostile programs sent to a runner: the same ends, and the runner is none the worse for it.

Every eighth of them in `make test`, all of them in `make corpus`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.model import Exercise, Expectations
from app.sandbox.pool import LocalSandbox
from app.sandbox.remote import RemoteSandbox
from tests.hostile import promises
from tests.hostile.attack import HONEST, Attack, Configuration
from tests.hostile.corpus import Case
from tests.hostile.grounds import grounds
from tests.hostile.passes import in_every_configuration, is_whole
from tests.machines.machines import Machine, fleet_of

PRODUCT = Configuration(root=True, namespaces=True, landlock=True, policy=True)
CASES = in_every_configuration()[:: 1 if is_whole() else 8]


@pytest.fixture(scope="module")
def attack(
    truth: tuple[Exercise, Expectations], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Attack]:
    os.environ["SECRET_KEY"] = "MLGRIND_CANARY_env"
    machine = Machine(tmp_path_factory.mktemp("runner"))
    house = LocalSandbox(spares=1)
    try:
        with grounds(PRODUCT.children) as laid, fleet_of(machine.start()) as fleet:
            sandbox = RemoteSandbox(fleet, house)
            made = Attack(PRODUCT, sandbox, laid, *truth)  # type: ignore[arg-type]
            made.submit(HONEST.read_bytes())
            yield made
    finally:
        machine.stop()
        house.close()
        del os.environ["SECRET_KEY"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_attack_ends_as_it_must(attack: Attack, case: Case) -> None:
    promises.ends_as_it_must(attack, case)


def test_no_attack_had_the_runner_parked(attack: Attack) -> None:
    """What code can forge is the code's fault: it must not cost the others a runner."""
    sandbox = attack.sandbox
    assert isinstance(sandbox, RemoteSandbox)
    (view,) = sandbox.fleet.views()
    assert (view.parked, view.shut) == ("", False)
    (known,) = sandbox.fleet._known.values()
    assert known.standing.lies == ()


def test_the_corpus_is_not_empty() -> None:
    assert len(CASES) >= 15
    assert Path(__file__).parent.joinpath("cases").is_dir()
