"""Requests as no browser sends them: each is answered in words or refused, none by a fault of ours.

Sent as bytes over a socket, for every client's library would mend or refuse them.
"""

from __future__ import annotations

import re
import socket
from urllib.parse import urlsplit

import pytest
from starlette.testclient import TestClient

from tests.web.server import Server

HOST = b"Host: 127.0.0.1\r\n"
MHA = b"/exercises/multi-head-attention"
JSON, FORM = b"application/json", b"application/x-www-form-urlencoded"


def _get(path: bytes, fields: bytes = b"", method: bytes = b"GET") -> bytes:
    return method + b" " + path + b" HTTP/1.1\r\n" + HOST + fields + b"Connection: close\r\n\r\n"


def _post(path: bytes, kind: bytes, body: bytes, fields: bytes = b"") -> bytes:
    length = b"Content-Type: %s\r\nContent-Length: %d\r\n" % (kind, len(body))
    return _get(path, length + fields, b"POST") + body


def _run(body: bytes, kind: bytes = JSON, fields: bytes = b"") -> bytes:
    return _post(b"/api" + MHA + b"/runs", kind, body, fields)


WEBSOCKET = (
    b"Upgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    b"Sec-WebSocket-Version: 13\r\n"
)
CASES: dict[str, tuple[bytes, int]] = {
    "options": (_get(MHA, method=b"OPTIONS"), 405),
    "options of all": (_get(b"*", method=b"OPTIONS"), 404),
    "trace": (_get(b"/", method=b"TRACE"), 405),
    "connect": (_get(b"a:1", method=b"CONNECT"), 400),
    "a method of 40 KB": (_get(b"/", method=b"A" * 40_000), 400),
    "a method of odd letters": (_get(b"/", method=b"GE\xffT"), 400),
    "version 9": (b"GET / HTTP/9.9\r\n" + HOST + b"\r\n", 400),
    "version 2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
    "TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(100)) + b"\r\n\r\n", 400),
    "an upgrade to a websocket": (_get(b"/", WEBSOCKET), 200),
    "an upgrade to HTTP/2": (_get(b"/", b"Upgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n"), 200),
    "ranges": (_get(b"/", b"Range: bytes=0-1,5-2,-1,99999999999999999999-\r\n"), 200),
    "a zero in a path": (_get(b"/exercises/\0"), 400),
    "an escaped zero": (_get(b"/exercises/%00"), 404),
    "no UTF-8 in a path": (_get(b"/exercises/%ff%fe"), 404),
    "a surrogate in a path": (_get(b"/exercises/%ed%a0%80"), 404),
    "up from static": (_get(b"/static/../../etc/passwd"), 404),
    "up from static, escaped": (_get(b"/static/%2e%2e/..%2fpyproject.toml"), 404),
    "static with a root": (_get(b"/static//etc/passwd"), 404),
    "static with a zero": (_get(b"/static/%00a"), 404),
    "up from an exercise's files": (_get(MHA + b"/files/..%2freference.py"), 404),
    "cookies twice": (_get(MHA, b"Cookie: split=1; split=2\r\nCookie: a=\xff\r\n"), 200),
    "cookies of odd numbers": (_get(MHA, b"Cookie: split=1e9; split=-5; theme=%00\r\n"), 200),
    "odd tags": (_get(MHA, b'If-None-Match: "\xff", W/"a"\r\n'), 200),
    "odd codings": (_get(MHA, b"Accept-Encoding: gzip;q=nan, br;q=1e999, *;q=\xff\r\n"), 200),
    "odd proxies": (_get(b"/", b"X-Forwarded-For: \xff,,::1%eth0, 1.2.3.4:99999\r\n"), 200),
    "an odd query": (_get(MHA + b"?draft=%ff%00&read_token=%00"), 200),
    "an endless wait": (_get(b"/api/submissions/x?wait=1e999"), 422),
    "two lengths": (_get(b"/theme", b"Content-Length: 5\r\nContent-Length: 6\r\n", b"POST"), 400),
    "a negative length": (_get(b"/theme", b"Content-Length: -5\r\n", b"POST"), 400),
    "a length and pieces": (
        _get(b"/theme", b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", b"POST"),
        400,
    ),
    "odd pieces": (_get(b"/theme", b"Transfer-Encoding: chunked\r\n", b"POST") + b"ZZ\r\n", 400),
    "pieces of a negative size": (
        _get(b"/theme", b"Transfer-Encoding: chunked\r\n", b"POST") + b"-1\r\nabc",
        400,
    ),
    "pieces of an endless size": (
        _get(b"/theme", b"Transfer-Encoding: chunked\r\n", b"POST") + b"F" * 18 + b"\r\nabc",
        400,
    ),
    "100,000 pieces": (
        _get(MHA + b"/run", b"Transfer-Encoding: chunked\r\n", b"POST")
        + b"1\r\nx\r\n" * 100_000
        + b"0\r\n\r\n",
        422,
    ),
    "pieces and no pieces": (
        _get(b"/theme", b"Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n", b"POST"),
        400,
    ),
    "pieces of another kind": (_get(b"/theme", b"Transfer-Encoding: xchunked\r\n", b"POST"), 400),
    "a length with a sign": (_get(b"/theme", b"Content-Length: +5\r\n", b"POST") + b"theme", 400),
    "a length in hex": (_get(b"/theme", b"Content-Length: 0x5\r\n", b"POST") + b"theme", 400),
    "a list of lengths": (_get(b"/theme", b"Content-Length: 5, 5\r\n", b"POST") + b"theme", 400),
    "no length": (_get(b"/theme", b"Content-Length: \r\n", b"POST") + b"theme", 400),
    "another expectation": (_post(MHA + b"/keep", FORM, b"a=1", b"Expect: 200-maybe\r\n"), 303),
    "the address of a proxy": (_get(b"http://other.test/"), 200),
    "a name and a port": (_get(b"other.test:80"), 400),
    "a port that is none": (_get(b"https://other.test:99999/"), 400),
    "a host that is none": (b"GET / HTTP/1.1\r\nHost: [::1\r\nConnection: close\r\n\r\n", 403),
    "a host of odd bytes": (b"GET / HTTP/1.1\r\nHost: \xff\r\nConnection: close\r\n\r\n", 403),
    "another site's host": (_get(b"//other.test/"), 404),
    "5,000 fields": (_get(b"/", b"".join(b"A%d: b\r\n" % n for n in range(5_000))), 431),
    "2,000 cookies": (_get(b"/", b"Cookie: " + b"a=b; " * 2_000 + b"\r\n"), 200),
    "a field without a name": (_get(b"/", b": x\r\n"), 400),
    "a field with a zero": (_get(b"/", b"A: \0\r\n"), 400),
    "a body of a page": (_get(b"/", b"Content-Length: 5\r\n") + b"hello", 200),
    "5,000 empty lines first": (b"\r\n" * 5_000 + _get(b"/"), 200),
    "a folded field": (_get(b"/", b"A: b\r\n c\r\n"), 400),
    "lists 200,000 deep": (_run(b"[" * 200_000), 400),
    "objects 60,000 deep": (_run(b'{"a":' * 60_000), 400),
    "nan": (_run(b'{"source":"x","draw":NaN}'), 422),
    "a number of 5,000 digits": (_run(b'{"source":"x","draw":' + b"9" * 5_000 + b"}"), 400),
    "no UTF-8 in JSON": (_run(b'{"source":"\xff"}'), 400),
    "a field twice": (_run(b'{"source":"x","source":[]}'), 422),
    "a body that is no gzip": (_run(b"\x1f\x8baaaa", fields=b"Content-Encoding: gzip\r\n"), 400),
    "a form of 50,000 fields": (_post(MHA + b"/run", FORM, b"a=1&" * 50_000), 400),
    "a form in parts": (_post(MHA + b"/run", b'multipart/form-data; boundary="\xff"', b"--"), 415),
    "a form in no parts": (_post(MHA + b"/run", b"multipart/form-data", b"x"), 415),
    "a launch of nothing": (_post(b"/lti/launch", FORM, b"id_token=a.b.c&state=%00"), 400),
    "a login of nothing": (_post(b"/lti/login", FORM, b"iss=%00&client_id=%ff"), 400),
}  # fmt: skip


def _status(server: Server, sent: bytes) -> int:
    at = urlsplit(server.url)
    with socket.create_connection((at.hostname or "", at.port or 0), timeout=300) as connection:
        connection.sendall(sent)
        answer = connection.recv(1 << 16)
    found = re.match(rb"HTTP/1\.1 (\d{3}) ", answer)
    assert found is not None, answer[:200]
    return int(found[1])


@pytest.mark.parametrize("name", CASES)
def test_what_no_browser_sends_is_answered(jailed: Server, name: str) -> None:
    sent, status = CASES[name]
    assert _status(jailed, sent) == status
    assert _status(jailed, _get(b"/")) == 200


ODD = ("OPTIONS", "TRACE", "PATCH", "PROPFIND", "PROP")


def test_no_route_fails_on_a_method_or_an_address_that_no_page_has(client: TestClient) -> None:
    routes = client.app.router.routes  # type: ignore[attr-defined] # typed as any ASGI app
    paths = {path for route in routes if (path := getattr(route, "path", None))}
    assert len(paths) > 100
    for path in sorted(paths):
        for method, put in zip(ODD, ("%00", "%ff", "..%2f", "9" * 400, "x"), strict=True):
            answer = client.request(method, re.sub(r"{[^}]+}", put, path))
            assert 200 <= answer.status_code < 500, (method, path)
            assert "Traceback" not in answer.text
