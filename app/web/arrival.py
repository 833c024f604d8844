"""How a request came: whose address, over which scheme, under which host, and from which page.

`X-Forwarded-*` counts only from the proxies of MLGRIND_TRUSTED_PROXIES; from anybody else it is
what a stranger wrote. The server in front of this must not interpret it (uvicorn's
`proxy_headers` is off).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address, ip_network
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Arrival:
    """`address` is the client's, `host` what its browser shows, `direct` true without a proxy."""

    address: str
    scheme: str
    host: str
    direct: bool

    @property
    def secure(self) -> bool:
        """Whether the learner's browser speaks https."""
        return self.scheme == "https"

    @property
    def origin(self) -> str:
        """What a page of ours calls itself."""
        return f"{self.scheme}://{self.host}"


def arrival(scope: Scope, proxies: Sequence[str], public_url: str | None) -> Arrival:
    """Who asks, as far as it can be known."""
    headers = Headers(scope=scope)
    address = str((scope.get("client") or ("",))[0])
    scheme, host = str(scope.get("scheme", "http")), headers.get("host", "")
    forwarded = any(name.startswith("x-forwarded-") or name == "forwarded" for name in headers)
    if forwarded and is_among(address, proxies):
        scheme = _last(headers.get("x-forwarded-proto")) or scheme
        host = _last(headers.get("x-forwarded-host")) or host
        address = _client(address, headers.get("x-forwarded-for", ""), proxies)
    if public_url:
        public = urlsplit(public_url)
        scheme, host = public.scheme, public.netloc
    return Arrival(address, "https" if scheme == "https" else "http", host, not forwarded)


def is_own_name(host: str) -> bool:
    """Whether a Host header names this machine itself: "localhost", or an address of loopback.

    The name counts because any page of the web may have its own name point to this machine.
    """
    name = host.lower()
    if name.rpartition(":")[2].isdecimal() and not name.endswith("]"):
        name = name.rpartition(":")[0]
    name = name.removeprefix("[").removesuffix("]")
    return name == "localhost" or name.endswith(".localhost") or is_loopback(name)


@lru_cache(maxsize=1_024)
def neighbourhood(address: str) -> str:
    """The address that limits are counted by: of IPv6 the /64, for one household has it whole."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return address
    mapped = found.ipv4_mapped
    return str(mapped) if mapped else str(ip_network((found, 64), strict=False))


def is_loopback(address: str) -> bool:
    """Whether an address is this machine's own."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def foreign(arrival: Arrival, headers: Headers, public_url: str | None) -> bool:
    """Whether a browser says that the request was made by a page that is not ours.

    With neither header it is no browser. Without MLGRIND_PUBLIC_URL only host and port are
    compared: a proxy that we were not told of may have taken https off on the way.
    """
    site = headers.get("sec-fetch-site")
    if site is not None and site not in {"same-origin", "none"}:
        return True
    origin = headers.get("origin")
    if origin is None:
        return False
    if not origin.strip():  # no browser sends one
        return True
    if origin == "null":  # what a page without a referrer calls itself, and what a sandbox does
        return site is None
    named = origin.partition("://")[0]
    own = arrival.origin if public_url else f"{named}://{arrival.host}"
    theirs = _place(origin)
    return theirs is None or theirs != _place(own)


def _place(origin: str) -> tuple[str, str, int | None] | None:
    """Scheme, host and port of an origin, or None where it is none."""
    try:
        parts = urlsplit(origin)
        port = parts.port or _DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return None
    return parts.scheme, (parts.hostname or "").lower(), port


def is_among(address: str, proxies: Sequence[str]) -> bool:
    """Whether an address is one of the proxies, or in one of their networks."""
    return _is_among(address, tuple(proxies))


@lru_cache(maxsize=1_024)
def _is_among(address: str, proxies: tuple[str, ...]) -> bool:
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return any(parsed in ip_network(proxy, strict=False) for proxy in proxies)


def _last(value: str | None) -> str:
    """The entry that the nearest proxy wrote."""
    return value.rsplit(",", 1)[-1].strip() if value else ""


def _client(peer: str, forwarded_for: str, proxies: Sequence[str]) -> str:
    """The nearest address that is no proxy of ours: what stands before it anybody may have made."""
    for entry in reversed([part.strip() for part in forwarded_for.split(",")]):
        if not entry or not _is_address(entry):
            return peer
        if not is_among(entry, proxies):
            return entry
        peer = entry
    return peer


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
