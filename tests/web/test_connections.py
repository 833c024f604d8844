"""Connections are bounded by address and in all, and nobody who is being answered is cut off."""

from __future__ import annotations

import resource
import socket
import threading
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field

import pytest

from app.config import Settings
from app.model.bounds import ADDRESS_CONNECTIONS, CONNECTIONS, UNSENT_BYTES
from app.web import connections
from app.web.connections import Connections, OpenLine, room
from tests.service.world import World
from tests.web.server import served

ANN, BEN, PROXY = "192.0.2.1", "192.0.2.2", "127.0.0.1"
PAGE, PAGES = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 1_000
UNTAKEN = Connections.untaken
GET = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@dataclass(eq=False)
class Fake:
    is_idle: bool = True
    closed: list[bool] = field(default_factory=list)

    def close(self) -> None:
        self.closed.append(True)


def connected(connections: Connections, address: str, count: int, *, idle: bool) -> list[Fake]:
    made = [Fake(idle) for _ in range(count)]
    for one in made:
        connections.add(one, address)
    return made


def test_of_one_address_the_one_idle_longest_goes() -> None:
    connections = Connections(most=100, each=3)
    ben = connected(connections, BEN, 3, idle=True)
    ann = connected(connections, ANN, 3, idle=True)
    connections.used(ann[0])
    more = connected(connections, ANN, 1, idle=True)
    assert [bool(one.closed) for one in (*ann, *more)] == [False, True, False, False]
    assert not any(one.closed for one in ben) and len(connections) == 6


def test_one_that_is_answered_is_never_closed_for_another() -> None:
    connections = Connections(most=100, each=3)
    ann = connected(connections, ANN, 5, idle=False)
    assert [bool(one.closed) for one in ann] == [False, False, False, True, True]


def test_where_all_are_too_many_whoever_has_most_gives_one() -> None:
    connections = Connections(most=10, each=5)
    ann = connected(connections, ANN, 5, idle=True)
    others = [connected(connections, f"192.0.2.{n}", 1, idle=True)[0] for n in range(10, 16)]
    assert [bool(one.closed) for one in ann] == [True, False, False, False, False]
    assert not any(one.closed for one in others) and len(connections) == 10


def test_a_proxy_speaks_for_many() -> None:
    connections = Connections(most=100, each=3, proxies=(PROXY, "172.16.0.0/12"))
    for proxy in (PROXY, "172.18.0.2"):
        assert not any(one.closed for one in connected(connections, proxy, 20, idle=True))
    assert any(one.closed for one in connected(connections, "172.32.0.2", 20, idle=True))


def test_of_ipv6_a_whole_network_is_one_address() -> None:
    connections = Connections(most=100, each=3)
    for n in range(6):
        connected(connections, f"2001:db8::{n}", 1, idle=True)
    assert len(connections) == 3


def test_of_answers_that_nobody_takes_the_oldest_are_dropped() -> None:
    connections = Connections(most=100)
    slow = connected(connections, ANN, 4, idle=False)
    quick = connected(connections, BEN, 1, idle=False)[0]
    connections.untaken(quick, UNSENT_BYTES // 3)
    connections.taken(quick)
    for one in slow:
        connections.untaken(one, UNSENT_BYTES // 3)
    assert [bool(one.closed) for one in slow] == [True, False, False, False]
    assert not quick.closed and len(connections) == 4


def test_what_ended_is_counted_no_more() -> None:
    connections = Connections(most=100, each=2)
    for one in connected(connections, ANN, 2, idle=True):
        connections.remove(one)
        connections.remove(one)
    assert len(connections) == 0
    assert not any(one.closed for one in connected(connections, ANN, 2, idle=True))


def test_a_class_behind_one_address_has_five_connections_each() -> None:
    assert ADDRESS_CONNECTIONS >= 300 * 5 and CONNECTIONS >= 4 * ADDRESS_CONNECTIONS


def test_there_is_room_for_children_beside_all_connections() -> None:
    assert room() < resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def test_a_server_full_of_idle_connections_serves_the_next(world: World) -> None:
    with ExitStack() as stack:
        site = served(world.service(started=False), Settings(data=world.data), most=20)
        server = stack.enter_context(site)
        for _ in range(60):
            line = socket.create_connection(("127.0.0.1", server.port), timeout=60)
            stack.enter_context(closing(line))
        for _ in range(3):
            line = socket.create_connection(("127.0.0.1", server.port), timeout=60)
            with closing(line):
                line.sendall(GET)
                assert line.recv(100).startswith(b"HTTP/1.1 200 ")


def test_a_crowd_that_reads_no_answer_is_dropped(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "UNSENT_BYTES", 1)
    full = threading.Event()

    def untaken(own: Connections, line: OpenLine, size: int) -> None:
        UNTAKEN(own, line, size)
        full.set()

    monkeypatch.setattr(Connections, "untaken", untaken)
    with served(world.service(started=False), Settings(data=world.data)) as server:
        line = socket.create_connection(("127.0.0.1", server.port), timeout=60)
        with closing(line):
            line.sendall(PAGE * PAGES)
            assert full.wait(60)
            assert heard(line).count(b"HTTP/1.1 200 ") < PAGES
        assert server.ask("GET", "/healthz").status == 200


def heard(line: socket.socket) -> bytes:
    """All that still comes on a connection until it ends."""
    pieces = []
    with suppress(ConnectionResetError):
        while piece := line.recv(1 << 20):
            pieces.append(piece)
    return b"".join(pieces)
