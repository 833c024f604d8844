"""Passwords of staff: argon2id, few at once, and the same time for a login that is not there.

19 MiB and two passes (OWASP's smaller setting) take some 30 ms here; the library's own default of
64 MiB would take eight times as long, and a crowd at the sign-in page the whole machine.
"""

from __future__ import annotations

import threading
from functools import cached_property

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

SHORTEST = 10
LONGEST_BYTES = 4_096
AT_ONCE = 2


class Passwords:
    """Makes and checks hashes; safe to use from several threads, two at a time."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
        self._places = threading.Semaphore(AT_ONCE)

    @cached_property
    def _nobodys(self) -> str:
        return self._hasher.hash("nobody's password")

    def complaint(self, password: str) -> str:
        """What is off with a new password, "" for nothing: it has to be long, and that is all."""
        if len(password) < SHORTEST:
            return f"A password has at least {SHORTEST} characters; this one has {len(password)}."
        if len(_bytes(password)) > LONGEST_BYTES:
            return "This password is longer than we keep."
        return ""

    def hashed(self, password: str) -> str:
        """What is kept of a password."""
        with self._places:
            return self._hasher.hash(_bytes(password))

    def fits(self, kept: str | None, password: str) -> bool:
        """Whether a password is the one that was kept; None, for no account, takes as long."""
        if len(_bytes(password)) > LONGEST_BYTES:
            password = ""
        with self._places:
            nobodys = self._nobodys  # made by the first sign-in, whether its login is there or not
            try:
                self._hasher.verify(kept or nobodys, _bytes(password))
                return kept is not None
            except (VerificationError, InvalidHashError):
                return False


def _bytes(password: str) -> bytes:
    """What a form sends may hold lone surrogates."""
    return password.encode("utf-8", "surrogatepass")
