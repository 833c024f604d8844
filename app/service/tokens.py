"""Ids and secrets: what must not be guessed, and what sorts by the time it was made."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import threading
import time
import uuid

CODE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no I, L, O or U to be read wrong."""

CODE_LENGTH = 16
"""Letters of a recovery code: 16 × 5 = 80 bits, which a person can still copy by hand."""


class Sequence:
    """Makes UUIDv7 (RFC 9562): text that sorts by time, strictly within one process."""

    def __init__(self) -> None:
        self._last = 0
        self._lock = threading.Lock()

    def next(self) -> str:
        """48 bits of milliseconds, 12 bits of their fraction, 62 random bits."""
        with self._lock:
            ticks = max((time.time_ns() << 12) // 1_000_000, self._last + 1)
            self._last = ticks
        high = (ticks >> 12) << 16 | 0x7000 | ticks & 0xFFF
        return str(uuid.UUID(int=high << 64 | 0b10 << 62 | secrets.randbits(62)))


def new_code() -> str:
    """A recovery code, in groups of four for people: "7K3M-PQ2X-…"."""
    letters = "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))
    return "-".join(letters[n : n + 4] for n in range(0, CODE_LENGTH, 4))


def code_hash(code: str) -> bytes:
    """What is kept of a code. Spaces, dashes, case and the letters people mistake do not matter.

    A plain SHA-256 is enough for 80 random bits: 2^80 tries are out of reach even without a server
    that counts them. Codes of 24 letters, made before, open their work as before.
    """
    plain = code.upper().translate(str.maketrans("ILO", "110", " -\t\r\n\u2013\u2014"))
    return hashlib.sha256(b"code:" + plain.encode("utf-8", "surrogatepass")).digest()


def token_hash(token: str) -> bytes:
    """What is kept of the token in a link."""
    return hashlib.sha256(b"link:" + token.encode("utf-8", "surrogatepass")).digest()


def signed(secret: bytes, purpose: str, about: bytes) -> str:
    """A 128-bit token only this server can make, the same each time; URL-safe, 22 letters."""
    mac = hmac.new(secret, purpose.encode() + b":" + about, hashlib.sha256).digest()
    return base64.urlsafe_b64encode(mac[:16]).rstrip(b"=").decode()


def same(one: str, other: str) -> bool:
    """Compare two tokens in constant time."""
    return hmac.compare_digest(
        one.encode("utf-8", "surrogatepass"), other.encode("utf-8", "surrogatepass")
    )
