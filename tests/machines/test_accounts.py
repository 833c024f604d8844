"""What a runner says of itself: nothing of it holds up a caller, and it comes back when it can."""

from __future__ import annotations

import asyncio
import itertools
import json
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from app.jail.wire import frame
from app.model import Execution, Order, Ran
from app.ports import PLACE, SandboxFault
from app.sandbox import fleet as fleets
from app.sandbox import parcel, parcel_ran, runner_site
from app.sandbox.fleet import Fleet
from app.sandbox.peer import RunnerAt
from app.sandbox.pool import LocalSandbox
from app.sandbox.remote import RemoteSandbox
from app.sandbox.runner_addresses import Entry, named, places
from app.sandbox.slots import Slots
from app.sandbox.software import software
from app.sandbox.standing import Standing
from tests.machines.liar import Answering, Say, body, endless, liar
from tests.machines.machines import TOKEN, order
from tests.ports import free_port

PATIENCE_S = 60
DOUBLE = order("def f(x):\n    return 2 * x\n", 21)
RIGHT = b"".join(
    parcel_ran.pack(Ran(executions=(Execution("returned", value=42, arguments=(21,)),)))
)


def account(**said: object) -> bytes:
    known = {"ready": True, "software": software(), "fast": 2, "slow": 1}
    return json.dumps({**known, **said}).encode()


def drips_headers(one: Answering) -> None:
    one.wfile.write(b"HTTP/1.1 200 OK\r\nx-long: ")
    while True:
        one.wfile.write(b"a")
        one.wfile.flush()
        threading.Event().wait(0.2)


SAID: dict[str, Say] = {
    "brackets without end": body(b"[" * 60_000),
    "a number of many digits": body(b'{"fast": ' + b"9" * 6_000 + b"}"),
    "a list": body(b"[]"),
    "what is no text": body(b"\xff\xfe{"),
    "no places": body(account(fast=0)),
    "places that are no number": body(account(slow=True)),
    "more places than any": body(account(fast=2**40)),
    "more than it may": body(b" " * (1 << 17) + account()),
    "another status": body(b"", 700),
    "bytes a few at a time": endless(b" ", 0.2),
    "a head that does not end": drips_headers,
}


@pytest.mark.parametrize("ready", SAID.values(), ids=SAID.keys())
def test_whatever_a_runner_says_of_itself_the_others_go_on(
    ready: Say, house: LocalSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fleets, "ASK_S", 1.0)
    port = free_port()
    with liar(body(RIGHT), ready=ready) as (liar_at, _), liar(body(RIGHT)) as (sound, _):
        made = Fleet([named(name, {"": TOKEN}) for name in (liar_at, sound, f"127.0.0.1:{port}")])
        try:
            sandbox = RemoteSandbox(made, house)
            assert sandbox.run(DOUBLE).executions[0].value == 42
            views = {view.name: view for view in made.views()}
            assert not views[sound].parked
            assert all(thread.is_alive() for thread in made._threads)
            with _At(port):  # one that comes is found, whatever the other does
                _until(lambda: made.usable() >= 2)
        finally:
            made.close()


class _At:
    """A sound runner at a port that is known before."""

    def __init__(self, port: int) -> None:
        self._port, self._end = port, threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def _serve(self) -> None:
        with socket.create_server(("127.0.0.1", self._port)) as listening:
            listening.settimeout(0.1)
            while not self._end.is_set():
                try:
                    line, _ = listening.accept()
                except TimeoutError:
                    continue
                with line:
                    line.recv(1 << 16)
                    said = account()
                    line.sendall(
                        b"HTTP/1.1 200 OK\r\nconnection: close\r\n"
                        b"content-length: %d\r\n\r\n%s" % (len(said), said)
                    )


def _until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end
        threading.Event().wait(0.05)


def test_a_look_that_fails_is_not_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fleets, "ASK_S", 0.05)
    looked = threading.Semaphore(0)

    def no_places(*_: object) -> dict[RunnerAt, str]:
        looked.release()
        if fails.is_set():
            raise RuntimeError("no names today")
        return {}

    fails = threading.Event()
    monkeypatch.setattr(fleets, "places", no_places)
    made = Fleet([])
    try:
        fails.set()
        for _ in range(5):
            assert looked.acquire(timeout=PATIENCE_S)
    finally:
        made.close()


def test_one_that_is_shut_out_stays_so_whatever_it_answers_meanwhile() -> None:
    with liar(body(b"")) as (name, _):
        made = Fleet([named(name, {"": TOKEN})], steady=lambda: 1000.0)
        try:
            (known,) = made._known.values()
            for _ in range(3):
                made.failed(known, "broken", "")
            assert known.standing.shut
            made._not_ready(known, "refused", "")  # an account that was under way
            assert known.standing.shut
            made.answered(known)  # an order that was under way
            assert (known.standing.shut, made.usable()) == (True, 0)
            assert made.views()[0].parked
        finally:
            made.close()
    shut = replace(Standing(), shut=True, reason="differs", until=9.0)
    assert shut.answered() == shut


def test_one_that_is_shut_out_stays_so_when_its_name_leads_nowhere_for_a_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = RunnerAt("grader", "http", "grader", 8100, "127.0.0.1")
    known_now = [{place: TOKEN}, {}, {place: TOKEN}]
    monkeypatch.setattr(fleets, "places", lambda *_: known_now[0])
    made = Fleet([], steady=lambda: 1000.0)
    try:
        for _ in range(3):
            made.failed(made._known[place], "broken", "")
        for shut in ([], [True]):
            known_now.pop(0)
            made._look()
            assert [view.shut for view in made.views()] == shut
        assert made.let_in("grader", "127.0.0.1")
        assert [view.shut for view in made.views()] == [False]
    finally:
        made.close()


def test_the_only_runner_is_asked_again_as_soon_as_it_is_back(house: LocalSandbox) -> None:
    """An order does not wait until its patience is over for one that was away for a moment."""
    refuses = threading.Event()
    refuses.set()

    def say(one: Answering) -> None:
        if refuses.is_set():
            refuses.clear()
            one.connection.shutdown(socket.SHUT_RDWR)  # no head of an answer
            return
        body(RIGHT)(one)

    with liar(say) as (name, seen):
        made = Fleet([named(name, {"": TOKEN})])
        try:
            sandbox = RemoteSandbox(made, house, away_s=float(PATIENCE_S))
            assert sandbox.run(DOUBLE).executions[0].value == 42
            assert len(seen) == 2
        finally:
            made.close()


class Failing:
    """A jail with a bug."""

    def run(self, order: Order) -> Ran:
        assert PLACE.get() is not None
        raise KeyError("a bug")

    def layers(self) -> tuple[()]:
        return ()

    def close(self) -> None:
        """Nothing is held."""


def test_a_bug_in_a_runner_is_a_fault_and_no_death() -> None:
    headers = {"authorization": f"Bearer {TOKEN}", "x-software": software(), "x-lane": "fast"}
    site = runner_site.site(Failing(), TOKEN.encode(), Slots(1, 1))  # type: ignore[arg-type]
    with TestClient(site) as client:
        answer = client.post("/run", content=parcel.pack(DOUBLE), headers=headers)
        assert answer.content.lstrip(b".") == frame(b"!", b"KeyError")
        again = client.post("/run", content=parcel.pack(DOUBLE), headers=headers)
        assert again.status_code == 200  # its place is free again


def test_an_order_that_does_not_come_whole_gives_its_place_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(runner_site, "BODY_S", 0.1)
    slots = Slots(1, 1)
    site = runner_site.RunnerSite(Failing(), TOKEN.encode(), slots)  # type: ignore[arg-type]

    async def receive() -> dict[str, object]:
        await asyncio.Event().wait()
        return {}

    sent = [(b"authorization", f"Bearer {TOKEN}".encode()), (b"x-lane", b"fast")]
    sent += [(b"x-software", software().encode()), (b"content-length", b"100")]
    scope = {"type": "http", "method": "POST", "path": "/run", "headers": sent}
    assert asyncio.run(site.run(Request(scope, receive))).status_code == 408
    assert slots.taken == {"fast": 0, "slow": 0}


def test_a_runner_that_says_it_is_full_for_ever_does_not_keep_an_order(house: LocalSandbox) -> None:
    clock = itertools.count(1000, 50)
    with liar(body(b"", 503)) as (name, seen):
        made = Fleet([named(name, {"": TOKEN})])
        try:
            sandbox = RemoteSandbox(made, house, steady=lambda: float(next(clock)))
            with pytest.raises(SandboxFault, match="no place was free"):
                sandbox.run(DOUBLE)
            assert len(seen) >= 2
        finally:
            made.close()


def test_runners_stay_known_while_their_names_cannot_be_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entry = Entry("grader:8100", "http", "grader", 8100, TOKEN)
    known = RunnerAt("grader:8100", "http", "grader", 8100, "10.0.0.5")
    other = RunnerAt("other:8100", "http", "other", 8100, "10.0.0.6")
    raised = [socket.gaierror(socket.EAI_AGAIN, "again"), socket.gaierror(socket.EAI_NONAME, "no")]

    def asked(*_: object, **__: object) -> list[object]:
        raise raised.pop(0)

    monkeypatch.setattr(socket, "getaddrinfo", asked)
    assert places([entry], (known, other)) == {known: TOKEN}
    assert places([entry], (known, other)) == {}  # a name that is no more stands for nothing
