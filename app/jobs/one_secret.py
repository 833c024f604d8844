"""Whether all web processes sign with one secret: each notes a hash of its own in the database.

The hash says nothing of the secret, which is 32 random bytes.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass

import psycopg

EVERY_S = 60.0
"""How often a web process says that it is still there."""

_NOTE = """
INSERT INTO secrets (machine, hash, at) VALUES (%s, %s, now())
ON CONFLICT (machine) DO UPDATE SET hash = excluded.hash, at = excluded.at
"""
LIVE = "SELECT machine, hash FROM secrets WHERE at > now() - interval '3 minutes' ORDER BY machine"
_FORGET = "DELETE FROM secrets WHERE at < now() - interval '1 day'"


def hashed(secret: bytes) -> str:
    """What the database is given of a secret."""
    return hmac.new(secret, b"one secret for all", hashlib.sha256).hexdigest()[:32]


@dataclass(frozen=True)
class SecretNote:
    """Notes what one web process signs with; `machine` is its host's name with its port."""

    machine: str
    secret: bytes

    def write(self, connection: psycopg.Connection) -> None:
        """Say so in the database. Raises psycopg.Error."""
        connection.execute(_NOTE, (self.machine, hashed(self.secret)))
        connection.execute(_FORGET)
