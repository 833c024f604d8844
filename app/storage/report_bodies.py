"""Report bodies as they are kept: small, and read back equal to the last bit.

A visible test's arguments and expected output are the same in every report. They stand once in
`report_parts`, under the hash of their JSON. What the learner's code returned is kept as its
difference from the expected output, in steps between neighbouring floats, where that is shorter.
The rest is compressed by zlib, which every Python has, and spelled in ASCII:

    {...}        a body as it came, also one of before there were parts
    z1 base85    zlib of {"report": ..., "parts": [[test, key, hash]], "got": [[test, difference]]}
"""

from __future__ import annotations

import base64
import json
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast
from weakref import WeakKeyDictionary

from sqlalchemy import Column, ColumnElement, Connection, Engine, case, func, select

from app.model.bounds import STORED_REPORT_BYTES
from app.records import Json
from app.report.shared_values import SHARED, part, spell
from app.storage.database import add_once
from app.storage.schema import report_parts

PACKED = "z1 "
FURTHEST = 1_000
"""Floats that are more steps apart are kept as they are."""

MOST_KEPT = 10_000
_kept: WeakKeyDictionary[Engine, set[bytes]] = WeakKeyDictionary()
"""What a database has for sure. A PostgreSQL server may lose the last commits and live on."""

_INTEGER, _FLOAT = struct.Struct("<q"), struct.Struct("<d")


@dataclass(frozen=True)
class Packed:
    """The text to keep of a report, and the JSON of what it shares, by hash."""

    text: str
    parts: Mapping[bytes, bytes]


def pack(report: Json) -> Packed:
    """What to keep of a report; the work of it, done before anybody else has to wait."""
    small, parts = take_apart(report)
    packed = PACKED + base64.b85encode(zlib.compress(spell(small).encode("ascii"))).decode("ascii")
    if len(packed) < sum(map(len, parts.values())):  # shorter than a part of the plain text
        return Packed(packed, parts)
    plain = spell(report)
    return Packed(plain, {}) if len(packed) >= len(plain) else Packed(packed, parts)


def keep(connection: Connection, packed: Packed) -> str:
    """The text to keep of a report, its shared parts stored beside it.

    A transaction that keeps several reports stores the parts of all by one `keep_parts` first.
    """
    keep_parts(connection, packed.parts)
    return packed.text


def keep_parts(connection: Connection, parts: Mapping[bytes, bytes]) -> None:
    """Store what is not there yet; once a transaction, or two at once might wait for each other."""
    kept = _kept.setdefault(connection.engine, set())
    if parts.keys() <= kept:
        return
    query = select(report_parts.c.hash).where(report_parts.c.hash.in_(parts))
    known = {row.hash for row in connection.execute(query)}
    if connection.dialect.name == "sqlite" and len(kept) < MOST_KEPT:
        kept |= known  # committed before, and no row of this table is ever removed
    for key in sorted(parts.keys() - known):  # in one order, for the same reason
        add_once(connection, report_parts, hash=key, text=zlib.compress(parts[key]))


def read(connection: Connection, body: str) -> Json:
    """The report whose kept text this is."""
    if not body.startswith(PACKED):
        return cast("Json", json.loads(body))
    small = json.loads(zlib.decompress(base64.b85decode(body[len(PACKED) :])))
    return put_together(small, lambda key: _part(connection, key))


def length(body: Column[Any]) -> ColumnElement[int]:
    """How long a kept text is; None where there is none."""
    return func.length(body)


def within(body: Column[Any]) -> ColumnElement[Any]:
    """The kept text of a report, None where it is too long to be loaded."""
    return case((length(body) <= STORED_REPORT_BYTES, body))


def take_apart(report: Json) -> tuple[dict[str, Any], dict[bytes, bytes]]:
    """What is the report's own, and the JSON of what it shares with others, by hash."""
    parts: dict[bytes, bytes] = {}
    places: list[list[object]] = []
    differences: list[list[object]] = []
    tests: list[dict[str, Any]] = []
    for number, test in enumerate(cast("list[Mapping[str, Any]]", report.get("tests") or [])):
        own = dict(test)
        got = difference(test.get("got"), test.get("expected"))
        if got is not None:
            own["got"] = None
            differences.append([number, got])
        for key in SHARED:
            shared = part(test[key]) if key in test else None
            if shared is not None:
                hashed, parts[shared[0]] = shared
                places.append([number, key, hashed.hex()])
                own[key] = None
        tests.append(own)
    whole = {**report, "tests": tests} if "tests" in report else dict(report)
    return {"report": whole, "parts": places, "got": differences}, parts


def put_together(small: Mapping[str, Any], given: Any) -> Json:
    """The report that was taken apart; `given` gives the JSON of a hash."""
    report: dict[str, Any] = small["report"]
    for number, key, hashed in small["parts"]:
        report["tests"][number][key] = json.loads(given(bytes.fromhex(hashed)))
    for number, got in small["got"]:
        test = report["tests"][number]
        test["got"] = applied(got, test["expected"])
    return report


def difference(got: object, expected: object) -> object | None:
    """What makes the expected value the one that came; None where that is no shorter."""
    if got is None or expected is None:
        return None
    found = _difference(got, expected)
    if found is None or len(spell(found)) >= len(spell(got)):
        return None
    return found if spell(applied(found, expected)) == spell(got) else None


def _difference(got: object, expected: object) -> object | None:
    if isinstance(got, list) and isinstance(expected, list) and len(got) == len(expected):
        each = [_difference(one, other) for one, other in zip(got, expected, strict=True)]
        return None if None in each else {"each": each}
    if not isinstance(got, dict) or not isinstance(expected, dict):
        return None
    mine, theirs = got.get("data"), expected.get("data")
    rest = {**got, "data": None} == {**expected, "data": None} and list(got) == list(expected)
    if not rest or not isinstance(mine, list) or not isinstance(theirs, list):
        return None
    if len(mine) != len(theirs):
        return None
    return {"steps": [_steps(one, other) for one, other in zip(mine, theirs, strict=True)]}


def _steps(one: object, other: object) -> object:
    """0 for the same, a number of neighbours for a float near by, else [the value]."""
    if type(one) is type(other) and one == other:
        return 0
    if isinstance(one, str) and isinstance(other, str):
        try:
            steps = _bits(float(one)) - _bits(float(other))
        except ValueError:
            return [one]
        if 0 < abs(steps) <= FURTHEST and _moved(other, steps) == one:
            return steps
    return [one]


def applied(found: Any, expected: Any) -> Any:
    """The value that differs from the expected one by this."""
    if "each" in found:
        return [applied(one, other) for one, other in zip(found["each"], expected, strict=True)]
    steps = zip(found["steps"], expected["data"], strict=True)
    data = [
        one[0] if isinstance(one, list) else _moved(other, one) if one else other
        for one, other in steps
    ]
    return {key: data if key == "data" else value for key, value in expected.items()}


def _moved(text: str, steps: int) -> str:
    """A float's text so many neighbours on; "" where that is none."""
    try:
        return repr(_FLOAT.unpack(_INTEGER.pack(_bits(float(text)) + steps))[0])
    except struct.error:
        return ""


def _bits(number: float) -> int:
    """Neighbouring floats of one sign have neighbouring numbers."""
    return cast("int", _INTEGER.unpack(_FLOAT.pack(number))[0])


def read_part(connection: Connection, hashed: bytes) -> Any | None:
    """The value that stands under a hash, None where there is none."""
    query = select(report_parts.c.text).where(report_parts.c.hash == hashed)
    found = connection.execute(query).scalar()
    return None if found is None else json.loads(zlib.decompress(found))


def _part(connection: Connection, hashed: bytes) -> bytes:
    known = _remembered.get(hashed)
    if known is None:
        query = select(report_parts.c.text).where(report_parts.c.hash == hashed)
        known = zlib.decompress(connection.execute(query).scalar_one())
        _remembered.put(hashed, known)
    return known


class _Remembered:
    """The parts read last: a hash means one text for ever."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._texts: dict[bytes, bytes] = {}

    def get(self, hashed: bytes) -> bytes | None:
        return self._texts.get(hashed)

    def put(self, hashed: bytes, text: bytes) -> None:
        if len(self._texts) >= self._most:
            self._texts.clear()
        self._texts[hashed] = text


_remembered = _Remembered(500)
