"""Where the page fetches what all reports of an exercise share: under the hash of its content.

An address names the exercise, the SHA-256 of the value's JSON (as the store keeps it), and what its
parts are called in code. Only this server makes addresses: a hash that was learned of one exercise
opens nothing under the name of another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from app.model import Expectations, Slug
from app.records import Json
from app.report.shared_values import part
from app.service.tokens import same, signed

PLAIN = "-"
"""In place of names: the value itself, no assignments. No parameter can be called so."""


@dataclass(frozen=True)
class TestAddresses:
    """The addresses of one test's values as NumPy code; "" where the page holds them itself."""

    arguments: str = ""
    expected: str = ""
    got: str = ""


HERE = TestAddresses()
"""The page holds all of it."""


def addresses(
    report: Json, expectations: Expectations | None, secret: bytes
) -> Mapping[str, TestAddresses]:
    """By test, for the report of a submission, whose parts the store has."""
    slug, submission = Slug(str(report["exercise"])), report["submission"]
    names = ",".join(p.name for p in expectations.parameters) if expectations else ""
    found = {}
    for number, test in enumerate(cast("list[dict[str, Any]]", report["tests"])):
        expected = _address(slug, test.get("expected"), PLAIN, secret)
        got = f"/submissions/{submission}/got/{number}.py"
        if test.get("got") == test.get("expected"):
            got = expected
        arguments = _address(slug, test.get("arguments"), names, secret) if names else ""
        found[str(test["name"])] = TestAddresses(arguments, expected, got)
    return found


def is_ours(slug: Slug, hashed: str, names: str, token: str, secret: bytes) -> bool:
    """Whether this server made the address."""
    return same(_token(slug, hashed, names, secret), token)


def _address(slug: Slug, value: object, names: str, secret: bytes) -> str:
    shared = None if value is None else part(value)
    if shared is None:
        return ""
    hashed = shared[0].hex()
    return f"/exercises/{slug}/parts/{hashed}/{_token(slug, hashed, names, secret)}/{names}.py"


def _token(slug: Slug, hashed: str, names: str, secret: bytes) -> str:
    return signed(secret, "part", f"{slug} {hashed} {names}".encode())
