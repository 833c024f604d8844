"""A runner that is not what it says: never believed, soon left alone, and another is asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from app.jail import wire
from app.model import Execution, Ran
from app.ports import KIND, Kind, SandboxFault
from app.sandbox import parcel_ran, peer
from app.sandbox.fleet import Fleet
from app.sandbox.pool import LocalSandbox
from app.sandbox.remote import RemoteSandbox
from app.sandbox.runner_addresses import named
from app.sandbox.standing import FIRST_S, LONGEST_S, Standing
from tests.machines.liar import Say, body, cut_off, endless, hangs_up, liar
from tests.machines.machines import TOKEN, Machine, order

DOUBLE = "def f(x):\n    return 2 * x\n"


@dataclass
class Clock:
    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@contextmanager
def asking(*names: str, house: LocalSandbox) -> Iterator[tuple[RemoteSandbox, Clock]]:
    clock = Clock()
    fleet = Fleet([named(name, {"": TOKEN}) for name in names], steady=clock)
    try:
        yield RemoteSandbox(fleet, house, away_s=0.0, steady=clock), clock
    finally:
        fleet.close()


def spelled(ran: Ran) -> bytes:
    return b"".join(parcel_ran.pack(ran))


RIGHT = Ran(executions=(Execution("returned", value=42, arguments=(21,)),))
SAID: dict[str, tuple[Say, str]] = {
    "no answer": (body(b"<html>welcome</html>"), "broken"),
    "an empty answer": (body(b""), "broken"),
    "half an answer": (body(spelled(RIGHT)[:-3]), "broken"),
    "an answer to more calls": (
        body(spelled(Ran(executions=RIGHT.executions * 2))),
        "broken",
    ),
    "a page": (body(b"not here", 404), "broken"),
    "a refusal of our token": (body(b"", 401), "token"),
    "another version": (body(b"", 409), "version"),
    "a fault of its own": (
        body(parcel_ran.pack_fault(SandboxFault("no keeper"))),
        "fault",
    ),
    "no end of frames": (endless(wire.frame(b"E", bytes(2**18))), "broken"),
    "an end in the middle": (hangs_up, "died"),
    "a part of its answer": (cut_off(spelled(RIGHT)[:-3]), "cut"),
    "a proxy that takes no order so long": (body(b"too large", 413), "cut"),
}


@pytest.mark.parametrize(("say", "reason"), SAID.values(), ids=SAID.keys())
def test_the_next_runner_answers_for_one_that_does_not(
    say: Say, reason: str, machines: tuple[Machine, Machine], house: LocalSandbox
) -> None:
    with (
        liar(say) as (name, seen),
        asking(name, machines[0].name, house=house) as (sandbox, _),
    ):
        for _ in range(4):
            assert sandbox.run(order(DOUBLE, 21)).executions[0].value == 42
        assert len(seen) == 1  # once asked, it is parked
        parked = {view.name: view.parked for view in sandbox.fleet.views()}
        assert parked[name] and not parked[machines[0].name], reason
        assert sandbox.fleet._known[_place(sandbox, name)].standing.reason == reason


def _place(sandbox: RemoteSandbox, name: str) -> peer.RunnerAt:
    return next(place for place in sandbox.fleet._known if place.name == name)


def test_three_lies_in_an_hour_shut_it_out_until_the_operator_looks(house: LocalSandbox) -> None:
    with liar(body(b"lies")) as (name, seen), asking(name, house=house) as (sandbox, clock):
        for lie in range(1, 4):
            with pytest.raises(SandboxFault, match="no answer|broken"):
                sandbox.run(order(DOUBLE, 21))
            assert len(seen) == lie
            clock.now += 60
        clock.now += 7200
        with pytest.raises(SandboxFault, match="no runner takes orders"):
            sandbox.run(order(DOUBLE, 21))
        assert len(seen) == 3
        (view,) = sandbox.fleet.views()
        assert (view.shut, view.parked) == (True, "gave what is no answer")
        assert not sandbox.layers()[0].present
        assert sandbox.fleet.let_in(view.name, view.address)
        with pytest.raises(SandboxFault):
            sandbox.run(order(DOUBLE, 21))
        assert len(seen) == 4


def test_failures_park_for_half_a_second_doubling_to_a_minute() -> None:
    standing, waits = Standing(), []
    for _ in range(10):
        standing = standing.failed("died", 100.0)
        waits.append(standing.until - 100.0)
    assert waits == [0.5, 1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert (FIRST_S, LONGEST_S) == (0.5, 60.0)
    assert not standing.shut  # however often a machine dies
    assert standing.answered().failed("died", 100.0).until == 100.5


def test_lies_of_more_than_an_hour_ago_are_forgotten() -> None:
    standing = Standing()
    for at in (0.0, 1800.0, 3700.0):
        standing = standing.failed("broken", at).answered()
    assert not standing.shut
    assert standing.failed("late", 3800.0).shut


def test_code_under_which_two_runners_ended_is_not_tried_on_a_third(
    machines: tuple[Machine, Machine], house: LocalSandbox
) -> None:
    with (
        liar(hangs_up) as (one, seen_by_one),
        liar(hangs_up) as (two, seen_by_two),
        asking(one, two, house=house) as (sandbox, _),
    ):
        ran = sandbox.run(order(DOUBLE, 21))
        assert (ran.loading.ended, str(ran.loading.cause)) == ("killed", "machines")
        assert [execution.ended for execution in ran.executions] == ["not_run"]
        assert (len(seen_by_one), len(seen_by_two)) == (1, 1)


def test_an_answer_that_is_cut_off_is_no_death_and_no_lie(house: LocalSandbox) -> None:
    """A proxy that ends what is longer than a mebibyte would end every runner so."""
    cut = cut_off(spelled(RIGHT)[:-3])
    with (
        liar(cut) as (one, _),
        liar(cut) as (two, _),
        asking(one, two, house=house) as (sandbox, clock),
    ):
        for _ in range(4):
            with pytest.raises(SandboxFault, match="cut"):
                sandbox.run(order(DOUBLE, 21))
            clock.now += LONGEST_S
        assert [view.shut for view in sandbox.fleet.views()] == [False, False]


def test_one_that_answers_in_drops_is_hung_up_when_its_order_must_have_ended(
    house: LocalSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peer, "ROOM_S", -25.0)  # with the limits below, 5 s
    with liar(endless(b".", 0.2)) as (name, _), asking(name, house=house) as (sandbox, _):
        with pytest.raises(SandboxFault, match="late"):
            sandbox.run(order(DOUBLE, 21, budget_wall_s=1.0))


def test_a_runner_of_another_version_gets_no_order(
    machines: tuple[Machine, Machine], house: LocalSandbox
) -> None:
    with (
        liar(body(b""), made_of="python-2.7") as (name, seen),
        asking(name, machines[0].name, house=house) as (sandbox, _),
    ):
        sandbox.run(order(DOUBLE, 21))
        assert seen == []
        assert {v.name: v.parked for v in sandbox.fleet.views()}[name] == "is another version"
        assert sandbox.layers()[0].detail == "1 of 2 take orders"


def test_without_a_runner_a_run_does_not_wait(house: LocalSandbox) -> None:
    with asking("127.0.0.1:9", house=house) as (sandbox, _):
        kind = KIND.set(Kind.RUN)
        try:
            with pytest.raises(SandboxFault, match="no runner takes orders"):
                sandbox.run(order(DOUBLE, 21))
        finally:
            KIND.reset(kind)
        assert not sandbox.layers()[0].present
