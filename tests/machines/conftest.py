"""Two runners for the whole folder; what kills its runners starts its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.sandbox.pool import LocalSandbox
from app.sandbox.remote import RemoteSandbox
from tests.machines.machines import Machine, fleet_of


@pytest.fixture(scope="session")
def house() -> Iterator[LocalSandbox]:
    sandbox = LocalSandbox(spares=1)
    yield sandbox
    sandbox.close()


@pytest.fixture(scope="session")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Machine, Machine]]:
    folder = tmp_path_factory.mktemp("machines")
    made = Machine(folder / "one").start(), Machine(folder / "two").start()
    yield made
    for machine in made:
        machine.stop()


@pytest.fixture(scope="session")
def sandbox(machines: tuple[Machine, Machine], house: LocalSandbox) -> Iterator[RemoteSandbox]:
    with fleet_of(*machines) as fleet:
        yield RemoteSandbox(fleet, house)


@pytest.fixture(autouse=True)
def own_loops(no_loop_runs: None) -> None:
    """Every test of this room may run a loop."""
