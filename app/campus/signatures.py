"""Tokens: those of a campus checked against its keys, ours signed with our own.

Only RS256 with a named key. Of a campus's keys those that can be none are passed over, so that one
odd key breaks nothing; an unknown name makes us look again, at most once a minute.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import jwt
from cryptography.fernet import Fernet
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.rsa import (
    RSAPrivateKey,
    RSAPublicKey,
    generate_private_key,
)
from jwt.algorithms import RSAAlgorithm

from app.ports.campuses import Claims, NotGenuine, Unreachable

ALGORITHM = "RS256"
BITS = 2048
AGAIN_S = 60.0
OLD_S = 3600.0
MOST_KEYS = 100
MOST_LETTERS = 64 * 1024


@dataclass(frozen=True)
class _Keys:
    by_name: Mapping[str, RSAPublicKey]
    at: float


class KeySets:
    """The public keys of campuses, kept in memory. `fetch` gives the JSON at an address."""

    def __init__(
        self, fetch: Callable[[str], object], steady: Callable[[], float] = time.monotonic
    ) -> None:
        self._fetch = fetch
        self._steady = steady
        self._sets: dict[str, _Keys] = {}
        self._asked: dict[str, float] = {}
        self._lock = threading.Lock()

    def key(self, address: str, name: str) -> RSAPublicKey:
        """The key of a name. Raises NotGenuine where the campus has none such, Unreachable."""
        known = self._sets.get(address)
        fresh = known is not None and self._steady() - known.at < OLD_S
        if known is not None and fresh and name in known.by_name:
            return known.by_name[name]
        if self._may_ask(address):
            try:
                known = self._read(address)
            except Unreachable:
                if known is None:
                    raise
        if known is None:
            raise Unreachable("The keys of the campus could not be read a moment ago.")
        if name not in known.by_name:
            raise NotGenuine("It is signed with a key that your campus does not list.")
        return known.by_name[name]

    def _may_ask(self, address: str) -> bool:
        with self._lock:
            now = self._steady()
            if now - self._asked.get(address, -AGAIN_S) < AGAIN_S:
                return False
            self._asked[address] = now
            return True

    def _read(self, address: str) -> _Keys:
        try:
            listed = self._fetch(address)
            keys = listed.get("keys") if isinstance(listed, dict) else None
            if not isinstance(keys, list):
                raise Unreachable("The campus’s list of keys is not one.")
        except Unreachable:
            if address not in self._sets:
                self._asked.pop(address, None)  # nothing is known yet: the next one may ask
            raise
        found = {name: key for name, key in map(_usable, keys[:MOST_KEYS]) if key is not None}
        self._sets[address] = _Keys(found, self._steady())
        return self._sets[address]


def _usable(listed: object) -> tuple[str, RSAPublicKey | None]:
    """The name and the key of an entry; None for one that cannot sign as we want it."""
    if not isinstance(listed, dict) or listed.get("kty") != "RSA":
        return "", None
    name = listed.get("kid")
    if not isinstance(name, str) or not name or listed.get("alg", ALGORITHM) != ALGORITHM:
        return "", None
    if listed.get("use", "sig") != "sig":
        return "", None
    try:
        key = RSAAlgorithm.from_jwk({"kty": "RSA", "n": listed["n"], "e": listed["e"]})
    except (jwt.PyJWTError, KeyError, ValueError, TypeError, AttributeError, OverflowError):
        return "", None
    if not isinstance(key, RSAPublicKey) or key.key_size < BITS:
        return "", None
    return name, key


def verified(token: str, key: Callable[[str], RSAPublicKey]) -> Claims:
    """What a token says, once its signature fits. Raises NotGenuine."""
    if len(token) > MOST_LETTERS:
        raise NotGenuine("It is longer than any message of a campus.")
    try:
        header = jwt.get_unverified_header(token)
        if header.get("alg") != ALGORITHM:
            raise NotGenuine(f"It has to be signed by {ALGORITHM}.")
        name = header.get("kid")
        if not isinstance(name, str) or not name:
            raise NotGenuine("It does not say with which key it is signed.")
        read = jwt.PyJWS().decode_complete(token, key(name), algorithms=[ALGORITHM])
        claims = json.loads(read["payload"])
    except (jwt.PyJWTError, ValueError, RecursionError, binascii.Error):
        raise NotGenuine("Its signature does not match.") from None
    if not isinstance(claims, dict):
        raise NotGenuine("It says nothing.")
    return claims


class OwnKeys:
    """Makes and uses keys of ours; their private halves are encrypted with the server's secret."""

    def __init__(self, secret: bytes) -> None:
        digest = hashlib.sha256(b"mlgrind campus keys:" + secret).digest()
        self._box = Fernet(base64.urlsafe_b64encode(digest))

    def new(self) -> tuple[str, bytes]:
        """A pair: its name (RFC 7638) and its private half, encrypted."""
        made = generate_private_key(public_exponent=65537, key_size=BITS)
        text = made.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        return _thumbprint(_jwk(made)), self._box.encrypt(text)

    def public(self, name: str, private: bytes) -> Claims:
        """The public half as a JWK."""
        return {**_jwk(self._opened(private)), "kid": name, "alg": ALGORITHM, "use": "sig"}

    def sign(self, name: str, private: bytes, claims: Claims) -> str:
        """A signed token."""
        key = self._opened(private)
        return jwt.encode(dict(claims), key, algorithm=ALGORITHM, headers={"kid": name})

    def _opened(self, private: bytes) -> RSAPrivateKey:
        text = self._box.decrypt(private)  # whose signature says that `new` made it: the check of
        # its primes, which takes longer than all else here, would find nothing.
        key = serialization.load_pem_private_key(text, None, unsafe_skip_rsa_key_validation=True)
        assert isinstance(key, RSAPrivateKey)  # noqa: S101 (new made it)
        return key


def _jwk(key: RSAPrivateKey) -> dict[str, Any]:
    found: dict[str, Any] = RSAAlgorithm.to_jwk(key.public_key(), as_dict=True)
    return {name: found[name] for name in ("kty", "n", "e")}


def _thumbprint(jwk: Mapping[str, Any]) -> str:
    text = json.dumps(dict(sorted(jwk.items())), separators=(",", ":"))
    digest = hashlib.sha256(text.encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
