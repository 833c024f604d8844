"""What all reports of an exercise share, by the hash of its JSON: arguments, expected outputs.

They are spelled once, too: known by the very objects that expectations hold, so that nothing that a
learner's code returned is ever kept here.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any

SHARED = ("arguments", "expected")
SHARED_BYTES = 200
"""Shorter values than this stay where they are: a reference is not free either."""

KEPT_LETTERS = 1 << 20
"""Of all texts together; those of the shipped exercises take a third."""

_MARK = secrets.token_hex(12)
"""What stands in a text for a value until it is put there: no program can know it."""

_MARKED = re.compile(f'"{_MARK}([0-9]+)"')


@dataclass(frozen=True)
class Spelled:
    """A value's JSON: the object, its text without blanks, that text's SHA-256.

    `length` is that of its text with blanks; `source` what it was made of.
    """

    source: object
    found: object
    text: str
    hashed: bytes
    length: int


class SpelledOnce:
    """What was spelled lately, by the identity of its source, and of the JSON object it became."""

    def __init__(self, most: int = KEPT_LETTERS) -> None:
        """`most`: letters of all texts that are kept."""
        self._most = most
        self._total = 0
        self._kept: OrderedDict[int, Spelled] = OrderedDict()
        self._of_found: dict[int, Spelled] = {}
        self._lock = Lock()

    def get(self, source: object, spell: Callable[[], object]) -> Any:
        """The JSON object of a source; it is shared by all who ask, and changed by no one."""
        with self._lock:
            known = self._kept.get(id(source))
            if known is not None and known.source is source:
                self._kept.move_to_end(id(source))
                return known.found
        found = spell()
        self._keep(source, found)
        return found

    def of(self, found: object) -> Spelled | None:
        """What is known of a JSON object that `get` gave; None of any other."""
        known = self._of_found.get(id(found))
        return known if known is not None and known.found is found else None

    def _keep(self, source: object, found: object) -> None:
        text = spell(found)
        hashed = hashlib.sha256(text.encode("ascii")).digest()
        made = Spelled(source, found, text, hashed, len(json.dumps(found)))
        with self._lock:
            if id(source) in self._kept or len(text) > self._most // 8:
                return
            self._kept[id(source)] = self._of_found[id(found)] = made
            self._total += len(text)
            while self._total > self._most:
                _, gone = self._kept.popitem(last=False)
                self._of_found.pop(id(gone.found), None)
                self._total -= len(gone.text)


once = SpelledOnce()


def spell(value: object) -> str:
    """JSON without a blank, in ASCII."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def part(value: object) -> tuple[bytes, bytes] | None:
    """The SHA-256 and the JSON of a value that is long enough to be kept once, else None."""
    known = once.of(value)
    if known is not None:
        text = known.text.encode("ascii")
        return (known.hashed, text) if len(text) >= SHARED_BYTES else None
    text = spell(value).encode("ascii")
    return (hashlib.sha256(text).digest(), text) if len(text) >= SHARED_BYTES else None


def spell_report(report: Mapping[str, Any]) -> str:
    """As `spell`, with what all reports share put in as it was spelled before."""
    put: list[str] = []

    def marked(known: Spelled) -> str:
        put.append(known.text)
        return f"{_MARK}{len(put) - 1}"

    text = spell(_with_others(report, marked))
    return _MARKED.sub(lambda mark: put[int(mark[1])], text)


def length(report: Mapping[str, Any]) -> int:
    """Bytes of a report as JSON: no writer of JSON that keeps to one line makes it longer."""
    apart: list[int] = []

    def nothing(known: Spelled) -> str:
        apart.append(known.length - 2)  # what stands there has two quotes
        return ""

    return len(json.dumps(_with_others(report, nothing))) + sum(apart)


def _with_others(report: Mapping[str, Any], instead: Callable[[Spelled], str]) -> dict[str, Any]:
    """The report with something else for each value that is known."""
    tests = report.get("tests")
    if not isinstance(tests, list) or not all(isinstance(test, dict) for test in tests):
        return dict(report)
    return {**report, "tests": [{**test, **dict(_others(test, instead))} for test in tests]}


def _others(
    test: Mapping[str, Any], instead: Callable[[Spelled], str]
) -> Iterator[tuple[str, str]]:
    for key in SHARED:
        known = once.of(test.get(key))
        if known is not None:
            yield key, instead(known)
