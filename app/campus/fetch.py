"""One request to an address that a campus named, and no more than that.

https only, ten seconds for all of it, no redirect followed, so many bytes and not one more. A
name that leads to an internal address is not asked, unless the host allowed its network: one who
can register a campus could else make this server ask its own neighbours. The address that was
checked is the one that is connected to.
"""

from __future__ import annotations

import http.client
import queue
import socket
import ssl
import threading
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

from app.ports.campuses import Unreachable

PATIENCE_S = 10.0
MOST_BYTES = 1 << 20

ENDS_IN_IPV4 = (ip_network("64:ff9b::/96"), ip_network("::/96"))
LOCAL_NAT64 = ip_network("64:ff9b:1::/48")
"""It leads to IPv4 addresses of a network of its own (RFC 8215)."""


@dataclass(frozen=True)
class Fetched:
    """What came back: names of headers in small letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class _Asked:
    method: str
    host: str
    port: int
    path: str
    body: bytes | None
    headers: Mapping[str, str]


class _Line:
    """The connection of one request; once it was given up, none that opens later goes on."""

    def __init__(self) -> None:
        self._open: list[socket.socket] = []
        self._over = threading.Event()

    def open(self, one: socket.socket) -> None:
        """Go on with a connection. Raises TimeoutError once the fetch gave up."""
        self._open.append(one)
        if self._over.is_set():
            one.close()
            raise TimeoutError

    def give_up(self) -> None:
        """Hang up whatever is open, and what opens from now on."""
        self._over.set()
        for one in self._open:
            _hang_up(one)


class Fetcher:
    """Asks other servers. `networks` are internal ones that may be asked."""

    def __init__(self, networks: Sequence[str] = (), trust: ssl.SSLContext | None = None) -> None:
        self._networks = [ip_network(one, strict=False) for one in networks]
        self._trust = trust

    def fetch(
        self,
        method: str,
        address: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Fetched:
        """The answer, whatever its status but a redirect. Raises Unreachable with a sentence."""
        asked = _asked(method, address, body, headers or {})
        line = _Line()
        found: queue.SimpleQueue[Fetched | Unreachable] = queue.SimpleQueue()
        threading.Thread(target=self._put, args=(asked, line, found), daemon=True).start()
        try:
            outcome = found.get(timeout=PATIENCE_S)
        except queue.Empty:
            line.give_up()
            raise Unreachable(
                f"{asked.host} did not answer within {PATIENCE_S:.0f} seconds."
            ) from None
        if isinstance(outcome, Unreachable):
            raise outcome
        return outcome

    def _put(
        self,
        asked: _Asked,
        line: _Line,
        found: queue.SimpleQueue[Fetched | Unreachable],
    ) -> None:
        try:
            found.put(self._ask(asked, line))
        except Unreachable as error:
            found.put(error)
        except ssl.SSLCertVerificationError as error:
            found.put(Unreachable(f"{asked.host} has no valid certificate: {_why(error)}."))
        except (OSError, http.client.HTTPException, ValueError) as error:
            found.put(Unreachable(f"{asked.host} does not answer: {_why(error)}."))

    def _ask(self, asked: _Asked, line: _Line) -> Fetched:
        trust = self._trust or ssl.create_default_context()
        plain = socket.create_connection((self._place(asked), asked.port), PATIENCE_S)
        line.open(plain)
        connection = http.client.HTTPSConnection(asked.host, asked.port, timeout=PATIENCE_S)
        with plain, trust.wrap_socket(plain, server_hostname=asked.host) as line_open:
            line.open(line_open)
            connection.sock = line_open
            connection.request(asked.method, asked.path, asked.body, dict(asked.headers))
            with closing(connection.getresponse()) as response:
                if 300 <= response.status < 400:
                    raise Unreachable(
                        f"{asked.host} sends us on to another address, where we do not follow."
                    )
                body = response.read(MOST_BYTES + 1)
        if len(body) > MOST_BYTES:
            raise Unreachable(f"{asked.host} answers with more than 1 MiB.")
        headers = {name.lower(): value for name, value in response.getheaders()}
        return Fetched(response.status, headers, body)

    def _place(self, asked: _Asked) -> str:
        """An address of the host that may be asked. Raises Unreachable, OSError."""
        found = socket.getaddrinfo(asked.host, asked.port, type=socket.SOCK_STREAM)
        for *_, place in found:
            if self._may_ask(str(place[0])):
                return str(place[0])
        raise Unreachable(
            f"{asked.host} is inside a network of your own. If it is your campus, "
            "name the network in MLGRIND_CAMPUS_NETWORKS."
        )

    def _may_ask(self, address: str) -> bool:
        written = ip_address(address.partition("%")[0])
        meant = _inside_of(written) or written
        if any(one in network for network in self._networks for one in (written, meant)):
            return True
        return meant.is_global and not meant.is_multicast and written not in LOCAL_NAT64


def _inside_of(address: IPv4Address | IPv6Address) -> IPv4Address | None:
    """The IPv4 address that an IPv6 one leads to: mapped, 6to4, NAT64 or IPv4-compatible."""
    if isinstance(address, IPv4Address):
        return None
    last = IPv4Address(int(address) & 0xFFFF_FFFF)
    compatible = any(address in network for network in ENDS_IN_IPV4)
    return address.ipv4_mapped or address.sixtofour or (last if compatible else None)


def _asked(method: str, address: str, body: bytes | None, headers: Mapping[str, str]) -> _Asked:
    """The parts of an address. Raises Unreachable for one that we never ask."""
    try:
        parts = urlsplit(address)
        port = parts.port or 443
    except ValueError:
        raise Unreachable("The campus names an address that is not one.") from None
    if parts.scheme != "https" or not parts.hostname or parts.username is not None:
        raise Unreachable("The campus names an address that is not https.")
    path = parts.path or "/"
    path += f"?{parts.query}" if parts.query else ""
    return _Asked(method, parts.hostname, port, path, body, headers)


def _hang_up(line: socket.socket) -> None:
    try:
        line.shutdown(socket.SHUT_RDWR)
    except OSError:  # it is closed already
        return


def _why(error: BaseException) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return error.verify_message
    if isinstance(error, socket.gaierror):
        return "there is no such name"
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).rstrip(".")
