"""What all reports of an exercise share by the hash of its JSON: arguments, expected outputs."""

from __future__ import annotations

import hashlib
import json

SHARED = ("arguments", "expected")
SHARED_BYTES = 200
"""Shorter values than this stay where they are: a reference is not free either."""


def spell(value: object) -> str:
    """JSON without a blank, in ASCII."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def part(value: object) -> tuple[bytes, bytes] | None:
    """The SHA-256 and the JSON of a value that is long enough to be kept once, else None."""
    text = spell(value).encode("ascii")
    return (hashlib.sha256(text).digest(), text) if len(text) >= SHARED_BYTES else None
