"""What one process has found out about a runner, all processes go by, until a person looked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
import structlog

from app.jobs.queue_tables import make_queue
from app.jobs.shut_runners import ShutRunnerRows
from app.ports import SandboxFault, StoreAway
from app.ports.runners import RunnerId, ShutRunners
from app.sandbox.agreement import Agreement
from app.sandbox.fleet import Fleet
from app.sandbox.pool import LocalSandbox
from app.sandbox.remote import RemoteSandbox
from app.sandbox.runner_addresses import named
from app.sandbox.standing import Standing
from tests.machines.liar import body, liar
from tests.machines.machines import TOKEN, Machine, order

ANN, BOB = RunnerId("ann", "10.0.0.1"), RunnerId("bob", "10.0.0.2")
DOUBLE = "def f(x):\n    return 2 * x\n"


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    with structlog.testing.capture_logs():
        yield


@dataclass
class FakeRows:
    """The port ShutRunners, which may be away."""

    rows: dict[RunnerId, str] = field(default_factory=dict)
    away: bool = False

    def all(self) -> Mapping[RunnerId, str]:
        self._check()
        return dict(self.rows)

    def shut(self, runner: RunnerId, reason: str) -> None:
        self._check()
        self.rows.setdefault(runner, reason)

    def let_in(self, runner: RunnerId) -> bool:
        self._check()
        return self.rows.pop(runner, None) is not None

    def _check(self) -> None:
        if self.away:
            raise StoreAway("no connection")


SHUT = Standing().failed("differs", 0.0)


def test_what_others_have_shut_out_is_shut_here_with_its_reason() -> None:
    agreement = Agreement(FakeRows({ANN: "differs", BOB: "of a later release"}))
    changes = agreement.changes({ANN: Standing(), BOB: Standing()})
    assert {one: (new.shut, new.reason) for one, new in changes.items()} == {
        ANN: (True, "differs"),
        BOB: (True, "broken"),
    }


def test_what_is_let_in_elsewhere_is_let_in_here() -> None:
    rows = FakeRows({ANN: "differs"})
    agreement = Agreement(rows)
    shut = agreement.changes({ANN: Standing()})
    rows.rows.clear()
    assert agreement.changes(shut) == {ANN: Standing()}
    assert agreement.changes({ANN: Standing()}) == {}


def test_what_could_not_be_shared_is_shared_at_a_later_look() -> None:
    rows = FakeRows(away=True)
    agreement = Agreement(rows)
    agreement.tell(ANN, SHUT)
    assert agreement.changes({ANN: SHUT}) == {}
    rows.away = False
    assert agreement.changes({ANN: SHUT}) == {}
    assert rows.rows == {ANN: "differs"}
    assert agreement.changes({ANN: SHUT}) == {}


def test_while_the_database_is_away_nothing_changes() -> None:
    rows = FakeRows({ANN: "differs"})
    agreement = Agreement(rows)
    shut = agreement.changes({ANN: Standing()})
    rows.away = True
    assert agreement.changes(shut) == {}


def test_the_rows_are_those_of_all(postgres_url: str) -> None:
    make_queue(postgres_url)
    one, other = ShutRunnerRows(postgres_url), ShutRunnerRows(postgres_url)
    one.shut(ANN, "differs")
    other.shut(ANN, "late")
    assert other.all() == {ANN: "differs"}
    assert one.let_in(ANN)
    assert not other.let_in(ANN)
    assert other.all() == {}


def test_a_database_that_does_not_answer_is_one_that_is_away() -> None:
    with pytest.raises(StoreAway):
        ShutRunnerRows("postgresql://nobody@127.0.0.1:9/none").all()


@contextmanager
def asking(rows: ShutRunners, *names: str, house: LocalSandbox) -> Iterator[RemoteSandbox]:
    entries = [named(name, {"": TOKEN}) for name in names]
    fleet = Fleet(entries, agreement=Agreement(rows))
    try:
        yield RemoteSandbox(fleet, house, away_s=0.0)
    finally:
        fleet.close()


def test_a_runner_that_one_process_shuts_out_gets_no_order_of_another(
    house: LocalSandbox, machines: tuple[Machine, Machine]
) -> None:
    rows = FakeRows()
    with liar(body(b"lies")) as (name, seen):
        both = (name, machines[0].name)
        with asking(rows, *both, house=house) as one, asking(rows, *both, house=house) as other:
            assert one.distrust(RunnerId(name, "127.0.0.1"), "seen by the test")
            other.fleet._look()
            for sandbox in (one, other):
                assert sandbox.run(order(DOUBLE, 21)).executions[0].value == 42
                assert {view.name: view.shut for view in sandbox.fleet.views()}[name]
            assert seen == []
            assert other.fleet.let_in(name, "127.0.0.1")
            one.fleet._look()
            assert not any(view.shut for view in one.fleet.views())
        with asking(FakeRows({RunnerId(name, "127.0.0.1"): "late"}), *both, house=house) as later:
            later.run(order(DOUBLE, 21))  # from its start
        assert seen == []


def test_no_more_than_a_third_is_left_out_for_verdicts_that_differ(house: LocalSandbox) -> None:
    names = [f"127.0.0.{number}:9" for number in range(1, 6)]
    with asking(FakeRows(), *names, house=house) as sandbox:
        told = [sandbox.distrust(RunnerId(name, name[:-2]), "differs") for name in names]
        assert told == [True, True, False, False, False]
        assert not sandbox.distrust(RunnerId("unknown:9", "127.0.0.1"), "differs")


def test_an_order_goes_to_none_that_it_must_not_go_to(
    house: LocalSandbox, machines: tuple[Machine, Machine]
) -> None:
    with (
        liar(body(b"lies")) as (name, seen),
        asking(FakeRows(), name, machines[0].name, house=house) as sandbox,
    ):
        without = sandbox.without([RunnerId(name, "127.0.0.1")])
        assert without.run(order(DOUBLE, 21)).executions[0].value == 42
        assert seen == []
        nobody = sandbox.without([RunnerId(n, "127.0.0.1") for n in (name, machines[0].name)])
        with pytest.raises(SandboxFault, match="no runner takes orders"):
            nobody.run(order(DOUBLE, 21))
