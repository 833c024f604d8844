"""What only a connection can show: heads over their bounds, requests that never end."""

from __future__ import annotations

import socket
import time
from contextlib import closing

import pytest

from app.model.bounds import BODY_BYTES, HEAD_BYTES, HEAD_FIELDS
from app.web import connection
from tests.web.server import Server

PATIENCE_S = 20


def talk(server: Server, *pieces: bytes) -> bytes:
    """Send pieces on one connection, and read until the server closes it."""
    with closing(socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_S)) as line:
        try:
            for piece in pieces:
                line.sendall(piece)
        except OSError:  # closed while there was more to send
            pass
        heard = b""
        try:
            while piece := line.recv(65_536):
                heard += piece
        except ConnectionResetError:
            pass
        return heard


GET = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"


@pytest.mark.parametrize(
    "head",
    [
        b"X-Long: " + b"a" * HEAD_BYTES + b"\r\n",
        b"".join(b"X-%d: a\r\n" % n for n in range(HEAD_FIELDS + 1)),
        b"Cookie: " + b"a=b; " * (HEAD_BYTES // 4) + b"\r\n",
    ],
    ids=["long", "many", "cookies"],
)
def test_a_head_over_its_bounds_is_refused_in_words(plain: Server, head: bytes) -> None:
    said = talk(plain, GET, head, b"\r\n")
    assert said.startswith(b"HTTP/1.1 431 ") and b"may have 32768 bytes and 100 fields" in said


def test_a_head_that_never_ends_is_ended(plain: Server) -> None:
    said = talk(plain, GET + b"X-Long: ", *([b"a" * 1_024] * 2_000))
    assert b"200" not in said


def test_a_head_within_its_bounds_is_served(plain: Server) -> None:
    fields = b"".join(b"X-%d: %s\r\n" % (n, b"a" * 250) for n in range(HEAD_FIELDS - 10))
    assert talk(plain, GET, fields, b"\r\n").startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize(
    "pieces",
    [(), (b"GET /he",), (GET,), (GET.replace(b"GET", b"POST") + b"Content-Length: 9\r\n\r\nthe",)],
    ids=["nothing", "line", "head", "body"],
)
def test_half_a_request_is_dropped(
    plain: Server, monkeypatch: pytest.MonkeyPatch, pieces: tuple[bytes, ...]
) -> None:
    monkeypatch.setattr(connection, "HEAD_S", 0.2)
    monkeypatch.setattr(connection, "BODY_S", 0.2)
    began = time.monotonic()
    talk(plain, *pieces)
    assert time.monotonic() - began < PATIENCE_S


def test_two_requests_on_one_connection_are_both_served(plain: Server) -> None:
    first = GET.replace(b"Connection: close\r\n", b"") + b"\r\n"
    assert talk(plain, first + GET + b"\r\n").count(b"HTTP/1.1 200 ") == 2


def test_a_body_of_the_longest_length_is_read(plain: Server) -> None:
    body = b"theme=" + b"a" * (BODY_BYTES - 6)
    head = b"POST /theme HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
    kind = b"Content-Type: application/x-www-form-urlencoded\r\n"
    said = talk(plain, head, kind, b"Content-Length: %d\r\n\r\n" % len(body), body)
    assert said.startswith(b"HTTP/1.1 204 ")


LONGER_THAN_UVICORN_S = 6
"""It closes an idle connection after five seconds unless told otherwise."""


def test_a_connection_is_there_for_who_thinks_for_a_while(plain: Server) -> None:
    ask = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with closing(socket.create_connection(("127.0.0.1", plain.port), timeout=PATIENCE_S)) as line:
        for thinks_s in (0, LONGER_THAN_UVICORN_S):
            time.sleep(thinks_s)
            line.sendall(ask)
            heard = b""
            while not heard.endswith(b"\r\n\r\nok\n"):
                piece = line.recv(65_536)
                assert piece, "the server closed it"
                heard += piece
            assert heard.startswith(b"HTTP/1.1 200 ")


def test_head_and_not_modified_leave_the_connection_for_the_next(plain: Server) -> None:
    """Neither has a body, though both may speak of its length; all are sent without waiting."""
    host = b" HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    tag = plain.ask("GET", "/").headers["etag"].encode()
    said = talk(
        plain,
        b"HEAD /" + host + b"\r\n"
        b"GET /" + host + b"If-None-Match: " + tag + b"\r\n\r\n"
        b"HEAD /healthz" + host + b"\r\n"
        b"GET /healthz" + host + b"Connection: close\r\n\r\n",
    )
    heads = said.split(b"HTTP/1.1 ")[1:]
    assert [head[:3] for head in heads] == [b"200", b"304", b"200", b"200"]
    bodies = [head.split(b"\r\n\r\n", 1)[1] for head in heads]
    assert bodies[:3] == [b"", b"", b""]
    assert bodies[3] == plain.ask("GET", "/healthz").body
