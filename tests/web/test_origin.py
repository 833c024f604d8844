"""Where a request came from: pages of other sites, proxies, addresses of the network."""

from __future__ import annotations

import socket

import pytest

from app.web.arrival import arrival
from tests.web.server import Serve, Server
from tests.web.test_api import API
from tests.web.test_pages import MHA, WRONG

BODY = {"source": WRONG}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 201),
        ({"origin": "http://127.0.0.1:{port}"}, 201),
        ({"origin": "https://127.0.0.1:{port}"}, 201),
        ({"origin": "http://127.0.0.1:1"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://[nonsense"}, 403),
        ({"sec-fetch-site": "same-origin", "origin": "null"}, 201),
        ({"sec-fetch-site": "none"}, 201),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-origin", "origin": "http://evil.example"}, 403),
    ],
)
def test_a_page_of_another_site_changes_nothing(
    plain: Server, headers: dict[str, str], status: int
) -> None:
    sent = {k.replace("-", "_"): v.replace("{port}", str(plain.port)) for k, v in headers.items()}
    answer = plain.post(f"{API}/submissions", BODY, **sent)
    assert answer.status == status
    if status == 403:
        assert "another site" in answer.json["detail"]
        form = {"content-type": "application/x-www-form-urlencoded"}
        refused = plain.ask("POST", f"{MHA}/keep", b"source=x", {**form, **headers})
        assert refused.status == 403


def test_reading_is_open_to_links_from_anywhere(plain: Server) -> None:
    headers = {"sec-fetch-site": "cross-site", "origin": "http://evil.example"}
    assert plain.ask("GET", MHA, headers=headers).status == 200


def test_behind_a_proxy_the_public_address_is_ones_own(serve: Serve) -> None:
    with serve(public_url="https://grind.example.org") as server:
        ours = {"origin": "https://grind.example.org"}
        assert server.post(f"{API}/submissions", BODY, **ours).status == 201
        for origin in ("http://grind.example.org", f"http://127.0.0.1:{server.port}"):
            assert server.post(f"{API}/submissions", BODY, origin=origin).status == 403


def test_forwarded_headers_count_from_trusted_proxies_only(serve: Serve) -> None:
    forwarded = {"x-forwarded-proto": "https", "x-forwarded-host": "grind.example.org",
                 "x-forwarded-for": "203.0.113.9, 10.0.0.1"}  # fmt: skip
    with serve() as server:
        assert "Secure" not in server.ask("GET", MHA, headers=forwarded).headers["set-cookie"]
    with serve(trusted_proxies=("127.0.0.0/8",)) as server:
        assert "Secure" in server.ask("GET", MHA, headers=forwarded).headers["set-cookie"]
        sent = {k.replace("-", "_"): v for k, v in forwarded.items()}
        ours = server.post(f"{API}/submissions", BODY, **sent, origin="https://grind.example.org")
        assert ours.status == 201
        theirs = server.post(f"{API}/submissions", BODY, **sent, origin="https://evil.example")
        assert theirs.status == 403


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("127.0.0.1", "203.0.113.1", "203.0.113.1"),
        ("127.0.0.1", "198.51.100.1, 203.0.113.1, 10.0.0.7", "203.0.113.1"),
        ("127.0.0.1", "made up, 203.0.113.1", "203.0.113.1"),
        ("127.0.0.1", "203.0.113.1, made up", "127.0.0.1"),
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "2001:db8::1", "2001:db8::1"),
        ("192.0.2.5", "203.0.113.1", "192.0.2.5"),
    ],
)
def test_the_nearest_address_that_is_no_proxy_is_the_clients(
    peer: str, forwarded: str, address: str
) -> None:
    """What stands before it in X-Forwarded-For anybody may have written."""
    headers = [(b"host", b"x"), (b"x-forwarded-for", forwarded.encode())]
    scope = {"type": "http", "scheme": "http", "client": (peer, 1), "headers": headers}
    assert arrival(scope, ("127.0.0.1", "10.0.0.0/8"), None).address == address


def test_plain_http_works_on_an_address_of_the_network(plain: Server) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        host = probe.getsockname()[0]
    headers = {"content-type": "application/json", "origin": f"http://{host}:{plain.port}"}
    body = b'{"source": ""}'
    answer = plain.ask("POST", f"{API}/submissions", body, headers, host=host)
    assert answer.status == 201 and "Secure" not in answer.headers["set-cookie"]
