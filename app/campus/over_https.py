"""The port `Campus`: keys, tokens and services of a campus, over https."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from urllib.parse import urlencode, urlsplit

from app.campus.fetch import Fetched
from app.campus.signatures import KeySets, OwnKeys, verified
from app.model.campuses import OwnKey, Registration
from app.ports.campuses import Claims, Reply, Unreachable

ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
ASSERTION_S = 300
"""How long our request for a token is good; a minute is too short where clocks differ."""

EARLIER_S = 60
WORDS = 300


class HttpsCampus:
    """The real one; `fetch` asks other servers (`Fetcher.fetch`)."""

    def __init__(
        self,
        secret: bytes,
        fetch: Callable[[str, str, bytes | None, Mapping[str, str]], Fetched],
        steady: Callable[[], float] = time.monotonic,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._fetch = fetch
        self._own = OwnKeys(secret)
        self._sets = KeySets(self._keys_at, steady)
        self._tokens: dict[tuple[str, tuple[str, ...]], tuple[str, float]] = {}
        self._steady = steady
        self._clock = clock

    def new_key(self) -> tuple[str, bytes]:
        """A key pair of ours: its id, and its private half encrypted."""
        return self._own.new()

    def public(self, key: OwnKey) -> Claims:
        """The public half as a JWK."""
        return self._own.public(key.kid, key.private)

    def sign(self, key: OwnKey, claims: Claims) -> str:
        """A token signed with a key of ours."""
        return self._own.sign(key.kid, key.private, claims)

    def verified(self, registration: Registration, token: str) -> Claims:
        """What a token of a campus says. Raises NotGenuine, Unreachable (its keys)."""
        return verified(token, lambda name: self._sets.key(registration.jwks_url, name))

    def _keys_at(self, address: str) -> object:
        reply = self.call("GET", address)
        if reply.status != 200:
            raise Unreachable(f"{_host(address)} shows no keys: it answers {reply.status}.")
        return reply.content

    # -------------------------------------------------------------- services

    def token(self, registration: Registration, key: OwnKey, scopes: Iterable[str]) -> str:
        """An access token for a campus's services. Raises Unreachable."""
        wanted = tuple(sorted(scopes))
        known = self._tokens.get((registration.id, wanted))
        if known is not None and self._steady() < known[1]:
            return known[0]
        form = {
            "grant_type": "client_credentials",
            "client_assertion_type": ASSERTION,
            "client_assertion": self.sign(key, self._assertion(registration)),
            "scope": " ".join(wanted),
        }
        reply = self.call(
            "POST",
            registration.token_url,
            content=urlencode(form).encode(),
            kind="application/x-www-form-urlencoded",
        )
        given = reply.content if isinstance(reply.content, dict) else {}
        token, lasts = given.get("access_token"), given.get("expires_in", ASSERTION_S)
        if reply.status not in (200, 201) or not isinstance(token, str) or not token.isascii():
            words = f": {reply.words}" if reply.words else "."
            raise Unreachable(f"{registration.name} gives us no access ({reply.status}){words}")
        lasts = lasts if isinstance(lasts, int | float) and 0 < lasts < 1e6 else ASSERTION_S
        self._tokens[registration.id, wanted] = (token, self._steady() + lasts - EARLIER_S)
        return token

    def _assertion(self, registration: Registration) -> Claims:
        now = int(self._clock())
        return {
            "iss": registration.client_id,
            "sub": registration.client_id,
            "aud": registration.token_audience or registration.token_url,
            "iat": now - 5,
            "exp": now + ASSERTION_S,
            "jti": secrets.token_urlsafe(18),
        }

    def forget_token(self, registration: Registration) -> None:
        """Ask for a new one the next time: the campus refused it."""
        for known in [key for key in tuple(self._tokens) if key[0] == registration.id]:
            self._tokens.pop(known, None)

    def call(
        self,
        method: str,
        address: str,
        *,
        token: str = "",
        content: object = None,
        accept: str = "application/json",
        kind: str = "application/json",
    ) -> Reply:
        """Ask a service of a campus; whatever status it has. Raises Unreachable."""
        headers = {"Accept": accept, "User-Agent": "ML Grind"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        body = content if isinstance(content, bytes) else None
        if content is not None:
            headers["Content-Type"] = kind
            body = body if body is not None else json.dumps(content).encode()
        return _reply(self._fetch(method, address, body, headers))


def _reply(fetched: Fetched) -> Reply:
    content = _json(fetched)
    return Reply(fetched.status, content, fetched.headers, _words(fetched, content))


def _json(fetched: Fetched) -> object:
    try:
        return json.loads(fetched.body) if fetched.body else None
    except (ValueError, RecursionError):
        return None


def _words(fetched: Fetched, content: object) -> str:
    """What the campus says, for a person to read: its own sentence where there is one."""
    said = _words_in(content) if content is not None else ""
    kind = fetched.headers.get("content-type", "")
    if not said and content is None and "html" not in kind:
        said = fetched.body[: 4 * WORDS].decode("utf-8", "replace")
    return " ".join(said.split())[:WORDS]


def _words_in(content: object, deep: int = 0) -> str:
    """The sentences in an error, whatever shape it has: each campus writes another."""
    if isinstance(content, str):
        return content
    if deep > 4:
        return ""
    if isinstance(content, list):
        return "; ".join(filter(None, (_words_in(one, deep + 1) for one in content[:5])))
    if isinstance(content, Mapping):
        for name in ("error_description", "message", "detail", "errors", "error", "title"):
            if name in content and (said := _words_in(content[name], deep + 1)):
                return said
        return "; ".join(
            filter(None, (_words_in(one, deep + 1) for one in [*content.values()][:5]))
        )
    return ""


def _host(address: str) -> str:
    return urlsplit(address).hostname or "The campus"
