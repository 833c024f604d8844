"""A report made to fit its bound: first prints are cut, then values, then what decorates it.

tests, words ─┐
values ───────┼─▶ fits with its prints? ─▶ yes: done
trace, probe ─┘        │ no: prints share what room there is ─▶ still no: less of each value ─▶ …
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from app.model.bounds import (
    PRINTS_BYTES,
    PROBE_BYTES,
    REPORT_BYTES,
    TRACE_BYTES,
    VALUES,
    ValueBounds,
)
from app.report import shared_values

Json: TypeAlias = dict[str, Any]

CUT = "\n… cut here"
LINES_CUT = "The lines after these are left out: the trace is too long to be shown whole."


def length(found: object) -> int:
    """Bytes of a value as JSON: no writer of JSON that keeps to one line makes it longer."""
    return len(json.dumps(found))


def fitted(spell: Callable[[ValueBounds], Json]) -> Json:
    """The report with as much of values and prints as fits; `spell` writes it within bounds."""
    for bounds in VALUES:
        found = spell(bounds)
        size = shared_values.length(found)
        if size <= REPORT_BYTES:
            return found
        prints = _prints(found)
        room = REPORT_BYTES - size + sum(map(length, prints))
        if room >= min(PRINTS_BYTES, sum(map(length, prints))):
            return _with_prints(found, room)
    bare = {**found, "trace": None, "probe": None, "problems": found["problems"][:10]}
    return _with_prints(bare, max(0, REPORT_BYTES - length(_with_prints(bare, 0))))


def trace(found: Json | None) -> Json | None:
    """The shape trace within its bound: its first lines, and a word that the others are gone."""
    if found is None or length(found) <= TRACE_BYTES:
        return found
    kept: list[Any] = []
    room = TRACE_BYTES - length({**found, "lines": []}) - length(LINES_CUT)
    for line in found["lines"]:
        room -= length(line) + 2
        if room < 0:
            break
        kept.append(line)
    return {**found, "lines": kept, "cut": f"{found['cut']} {LINES_CUT}".strip()}


def probe(found: Json | None) -> Json | None:
    """The labelled probe within its bound, or none."""
    return found if found is None or length(found) <= PROBE_BYTES else None


# ------------------------------------------------------------------ prints


def _prints(found: Mapping[str, Any]) -> list[str]:
    return [found["load_stdout"], *(test["stdout"] or "" for test in found["tests"])]


def _with_prints(found: Json, room: int) -> Json:
    """The report with its prints cut to the room they have together: short ones stay whole."""
    prints = _prints(found)
    shares = _shares([length(text) for text in prints], room)
    cut = [_cut(text, share) for text, share in zip(prints, shares, strict=True)]
    tests = [
        test if test["stdout"] is None else {**test, "stdout": text}
        for test, text in zip(found["tests"], cut[1:], strict=True)
    ]
    return {**found, "load_stdout": cut[0], "tests": tests}


def _shares(sizes: list[int], room: int) -> list[int]:
    """What each may have of the room: the smallest first, and the rest shared by the others."""
    shares = [0] * len(sizes)
    order = sorted(range(len(sizes)), key=lambda at: sizes[at])
    for left, at in zip(range(len(sizes), 0, -1), order, strict=True):
        shares[at] = min(sizes[at], room // left)
        room -= shares[at]
    return shares


def _cut(text: str, room: int) -> str:
    if length(text) <= room:
        return text
    room -= length(CUT)
    kept = bisect_right(range(1, len(text) + 1), room, key=lambda n: length(text[:n]))
    return text[:kept] + CUT if room > 0 else ""
