"""What is fetched from a campus: https only, ten seconds, so many bytes, nobody inside."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from app.campus import fetch
from app.campus.fetch import Fetcher
from app.ports.campuses import Unreachable
from tests.browser.two_sites import Certificates, over_tls

HERE = ("127.0.0.0/8",)
BOUND_S = fetch.PATIENCE_S
LARGE = b"[" + b"1," * (5 * 2**19) + b"1]"


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine in use is slow, and that is no failure of who is asked."""
    monkeypatch.setattr(fetch, "PATIENCE_S", 300.0)


async def fine(_request: Request) -> Response:
    return JSONResponse({"fine": True})


async def large(_request: Request) -> Response:
    return Response(LARGE, media_type="application/json")


async def elsewhere(_request: Request) -> Response:
    return RedirectResponse("https://elsewhere.test/")


async def slow(request: Request) -> Response:
    """Answers when whoever asked is gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
    return Response()


def campus(_port: int) -> Starlette:
    pages = {"/x": fine, "/large": large, "/elsewhere": elsewhere, "/slow": slow}
    return Starlette(routes=[Route(path, page) for path, page in pages.items()])


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return Certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="module")
def port(certificates: Certificates) -> Iterator[int]:
    with over_tls(campus, certificates) as found:
        yield found


def test_an_answer_comes_back_as_it_is(port: int, certificates: Certificates) -> None:
    found = Fetcher(HERE, certificates.trusted()).fetch("GET", f"https://localhost:{port}/x")
    assert (found.status, found.body) == (200, b'{"fine":true}')


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("/large", "answers with more than 1 MiB"),
        ("/elsewhere", "sends us on to another address, where we do not follow"),
    ],
)
def test_too_much_and_elsewhere_are_a_sentence(
    port: int, certificates: Certificates, path: str, sentence: str
) -> None:
    fetcher = Fetcher(HERE, certificates.trusted())
    with pytest.raises(Unreachable, match=sentence):
        fetcher.fetch("GET", f"https://localhost:{port}{path}")


def test_who_does_not_answer_in_time_is_given_up(
    port: int, certificates: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert BOUND_S == 10
    monkeypatch.setattr(fetch, "PATIENCE_S", 0.5)
    with pytest.raises(Unreachable, match="did not answer within|does not answer"):
        Fetcher(HERE, certificates.trusted()).fetch("GET", f"https://localhost:{port}/slow")


def test_a_connection_that_opens_after_it_was_given_up_is_closed() -> None:
    line, (ours, theirs) = fetch._Line(), socket.socketpair()
    line.give_up()
    with theirs, pytest.raises(TimeoutError):
        line.open(ours)
    assert ours.fileno() == -1


def test_a_certificate_that_is_not_valid_is_a_sentence(port: int) -> None:
    with pytest.raises(Unreachable, match="localhost has no valid certificate"):
        Fetcher(HERE).fetch("GET", f"https://localhost:{port}/x")


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1", "10.0.0.1", "169.254.169.254", "[::1]", "[::ffff:10.0.0.1]",
             "192.168.1.1"],
)  # fmt: skip
def test_nobody_inside_is_asked_unless_the_host_allows_it(host: str) -> None:
    with pytest.raises(Unreachable, match="MLGRIND_CAMPUS_NETWORKS|does not answer"):
        Fetcher().fetch("GET", f"https://{host}:1/x")
    if host == "localhost":
        with pytest.raises(Unreachable, match="MLGRIND_CAMPUS_NETWORKS"):
            Fetcher(("10.0.0.0/8",)).fetch("GET", f"https://{host}:1/x")


@pytest.mark.parametrize(
    ("address", "may"),
    [
        ("2002:a00:1::", False), ("2002:7f00:1::1", False), ("2002:a9fe:a9fe::", False),
        ("64:ff9b::10.0.0.1", False), ("64:ff9b::169.254.169.254", False),
        ("64:ff9b:1::10.0.0.1", False), ("::10.0.0.1", False), ("::127.0.0.1", False),
        ("::", False), ("::1", False), ("::ffff:192.168.0.1", False), ("fe80::1%eth0", False),
        ("2002:808:808::", True), ("64:ff9b::8.8.8.8", True), ("::ffff:8.8.8.8", True),
        ("2001:4860:4860::8888", True), ("8.8.8.8", True),
    ],
)  # fmt: skip
def test_an_inside_address_within_another_is_inside_too(address: str, may: bool) -> None:
    assert Fetcher()._may_ask(address) is may


def test_a_network_the_host_names_is_asked_however_it_is_written() -> None:
    ours = Fetcher(("10.0.0.0/8", "fd00::/8", "::1/128"))
    for address in ("10.0.0.1", "::ffff:10.0.0.1", "2002:a00:1::", "64:ff9b::10.0.0.1", "fd00::1",
                    "::1"):  # fmt: skip
        assert ours._may_ask(address), address
    assert not ours._may_ask("64:ff9b::192.168.0.1")


@pytest.mark.parametrize(
    "address",
    ["http://campus.test/", "ftp://campus.test/", "https://", "https://a:b@campus.test/",
     "https://[1", "https://campus.test:99999/", "file:///etc/passwd", ""],
)  # fmt: skip
def test_what_is_no_https_address_is_never_asked(address: str) -> None:
    with pytest.raises(Unreachable, match="is not https|is not one"):
        Fetcher().fetch("GET", address)


def test_a_port_nobody_listens_on_is_a_sentence() -> None:
    with pytest.raises(Unreachable, match="127.0.0.1 does not answer"):
        Fetcher(HERE).fetch("GET", "https://127.0.0.1:1/")
