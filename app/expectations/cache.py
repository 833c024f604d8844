"""Expectations on disk, one zip a digest: a JSON document, and the bytes of all arrays in one .npy.

Beside it, in files mapped into memory when asked, lie the numbers of pairs and triples of mistakes.

Never pickle: the bytes are read with `allow_pickle=False`, the rest is JSON. All arrays share one
.npy, for each has a header to parse, and a start reads thousands of arrays; it is checked as any
part of a zip, and then mapped where it lies, since most of it is never looked at. A file that can't
be read is as if it were not there, and so is one made by other software: another NumPy may draw
other random numbers, and another policy or checker may see other outcomes.
"""

from __future__ import annotations

import functools
import hashlib
import io
import json
import math
import os
import platform
import re
import tempfile
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from app.expectations.packing import ALIGNED, aligned_part, mapped, mapped_part, packed
from app.model import (
    Array,
    DrawFault,
    Expectations,
    LeftOut,
    Misconception,
    OddArray,
    Opaque,
    Outcome,
    PairsOnCases,
    Parameter,
    Sets,
    TestCase,
    Value,
)

FORMAT = 8
_DIGEST = re.compile(r"[0-9a-f]{64}")
_DOCUMENT = "expectations.json"
_ARRAYS = "arrays.npy"
_VALUES = ".sets.npy"
"""The numbers of pairs lie in a file of their own, which is mapped and not read."""
_TRIPLES = ".triples.npy"
_APP = Path(__file__).resolve().parents[1]
_MAKERS = "catalog expectations grading jail metrics model ports records sandbox".split()
"""The rooms, each a folder or one file, whose code decides what an exercise's files give."""


@functools.cache
def software() -> str:
    """What made these expectations: Python, NumPy, and a SHA-256 over our own code that did."""
    return f"Python {platform.python_version()}, NumPy {np.__version__}, {fingerprint(_APP)}"


def fingerprint(app: Path) -> str:
    """A SHA-256 over the names and the text of all our modules that shape an expectation."""
    digest = hashlib.sha256()
    for path in makers(app):
        digest.update(f"{path.relative_to(app).as_posix()}\n".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def makers(app: Path) -> list[Path]:
    """The files of `app` that `fingerprint` reads, those in folders inside the rooms too."""
    rooms = ([app / f"{room}.py", *(app / room).rglob("*.py")] for room in _MAKERS)
    return sorted(path for room in rooms for path in room if path.is_file())


class Cache:
    """A directory of expectations; entries are written whole or not at all."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def load(self, digest: str) -> Expectations | None:
        """Those of a digest; None where missing, damaged or made by other software."""
        try:
            with zipfile.ZipFile(self._path(digest)) as archive:
                document = json.loads(archive.read(_DOCUMENT))
                made = (document.get("format"), document.get("software"), document.get("digest"))
                if made != (FORMAT, software(), digest):
                    return None
                read = _Reader(mapped_part(archive, _ARRAYS)).expectations(document)
            whole = self._with_values(read)
            triples = mapped(self._path(digest).with_suffix(_TRIPLES), software())
            return whole and replace(whole, triples=triples)
        except Exception:  # noqa: BLE001 - damage breaks a zip's readers in more ways than they list
            return None

    def save(self, expectations: Expectations) -> None:
        """Keep expectations under their digest. Raises OSError where they can't be written."""
        path = self._path(expectations.digest)
        if expectations.pairs is not None:
            values = io.BytesIO()
            np.save(values, expectations.pairs.values, allow_pickle=False)
            self._write(path.with_suffix(_VALUES), values.getvalue())
        self._write(path, _Writer().expectations(expectations))

    def save_triples(self, digest: str, triples: Sets) -> None:
        """Keep what three mistakes give. Raises OSError where it can't be written."""
        table = io.BytesIO()
        np.save(table, packed(triples, software()), allow_pickle=False)
        self._write(self._path(digest).with_suffix(_TRIPLES), table.getvalue())

    def _write(self, path: Path, data: bytes) -> None:
        self._directory.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=self._directory, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(name).replace(path)
        finally:
            Path(name).unlink(missing_ok=True)

    def _with_values(self, read: Expectations) -> Expectations | None:
        """With the pairs' numbers mapped; None where the file of them is of another making."""
        if read.pairs is None:
            return read
        path = self._path(read.digest).with_suffix(_VALUES)
        values = np.load(path, mmap_mode="r", allow_pickle=False)
        if values.shape != (int(read.pairs.at[-1]),) or values.dtype != np.float64:
            return None
        return replace(read, pairs=replace(read.pairs, values=values))

    def _path(self, digest: str) -> Path:
        if not _DIGEST.fullmatch(digest):
            raise ValueError("not a SHA-256 digest")
        return self._directory / f"{digest}.zip"


class _Writer:
    """Turns expectations into a zip; the arrays' bytes follow one another as they are met."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def expectations(self, e: Expectations) -> bytes:
        document = {
            "format": FORMAT,
            "software": software(),
            "digest": e.digest,
            "parameters": [vars(p) for p in e.parameters],
            "tests": [self._case(c) for c in e.tests],
            "examples": [self._case(c) for c in e.examples],
            "misconceptions": [vars(m) for m in e.misconceptions],
            "outcomes": {s: [self._outcome(o) for o in all_] for s, all_ in e.outcomes.items()},
            "on_examples": {
                s: [self._outcome(o) for o in all_] for s, all_ in e.on_examples.items()
            },
            "stages": {
                name: [[stage, [self._value(a) for a in arrays]] for stage, arrays in found]
                for name, found in e.stages.items()
            },
            "draws": [self._case(c) for c in e.draws],
            "draw_faults": [vars(fault) for fault in e.draw_faults],
            "helpers": list(e.helpers),
            "pairs": None if e.pairs is None else self._sets(e.pairs),
            "confirming": list(e.confirming),
            "on_draws": {s: [self._outcome(o) for o in all_] for s, all_ in e.on_draws.items()},
            "pairs_on_draws": None if e.pairs_on_draws is None else self._shown(e.pairs_on_draws),
            "shown": None if e.shown is None else self._shown(e.shown),
            "left_out": [vars(one) for one in e.left_out],
            "passing": [list(chain) for chain in e.passing],
        }
        arrays, whole = io.BytesIO(), io.BytesIO()
        np.save(arrays, np.frombuffer(self._bytes, np.uint8), allow_pickle=False)
        with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as archive:
            archive.writestr(aligned_part(_ARRAYS), arrays.getvalue())
            archive.writestr(_DOCUMENT, json.dumps(document))
        return whole.getvalue()

    def _sets(self, sets: Sets) -> dict[str, Any]:
        """All but the values."""
        arrays = (sets.key, sets.total, sets.room, sets.members, sets.at)
        return {"arrays": [self._value(array) for array in arrays], "tests": list(sets.tests)}

    def _shown(self, shown: PairsOnCases) -> list[Any]:
        arrays = (shown.key, shown.total, shown.room, shown.members)
        return [self._value(array) for array in arrays]

    def _case(self, case: TestCase) -> dict[str, Any]:
        arguments, expected = self._value(case.arguments), self._value(case.expected)
        more = [self._case(one) for one in case.more]
        return {**vars(case), "arguments": arguments, "expected": expected, "more": more}

    def _outcome(self, outcome: Outcome) -> list[Any]:
        return [outcome.kind, self._value(outcome.value), outcome.text]

    def _value(self, value: Value) -> Any:
        if isinstance(value, np.ndarray):
            return {"array": self._array(value)}
        if isinstance(value, tuple):
            return {"tuple": [self._value(part) for part in value]}
        if isinstance(value, dict):
            return {"dict": [[key, self._value(part)] for key, part in value.items()]}
        if isinstance(value, OddArray):
            return {"odd": [value.dtype, list(value.shape)]}
        if isinstance(value, Opaque):
            return {"opaque": value.type_name}
        return {"plain": value}

    def _array(self, array: Array) -> list[Any]:
        """Its dtype, its shape, and where its bytes begin."""
        self._bytes += bytes(-len(self._bytes) % ALIGNED)
        start = len(self._bytes)
        self._bytes += array.tobytes()
        return [array.dtype.str, list(array.shape), start]


class _Reader:
    """Reads what `_Writer` wrote, given the bytes of all arrays."""

    def __init__(self, data: Array) -> None:
        self._bytes = data

    def expectations(self, document: dict[str, Any]) -> Expectations:
        return Expectations(
            digest=document["digest"],
            parameters=tuple(Parameter(**p) for p in document["parameters"]),
            tests=tuple(self._case(c) for c in document["tests"]),
            examples=tuple(self._case(c) for c in document["examples"]),
            misconceptions=tuple(Misconception(**m) for m in document["misconceptions"]),
            outcomes=self._outcomes(document["outcomes"]),
            on_examples=self._outcomes(document["on_examples"]),
            stages={
                name: tuple((stage, tuple(map(self._array, arrays))) for stage, arrays in found)
                for name, found in document["stages"].items()
            },
            draws=tuple(self._case(c) for c in document["draws"]),
            draw_faults=tuple(DrawFault(**fault) for fault in document["draw_faults"]),
            helpers=tuple(document["helpers"]),
            pairs=None if document["pairs"] is None else self._sets(document["pairs"]),
            confirming=tuple(document["confirming"]),
            on_draws=self._outcomes(document["on_draws"]),
            pairs_on_draws=self._shown(document["pairs_on_draws"]),
            shown=self._shown(document["shown"]),
            left_out=tuple(LeftOut(**one) for one in document["left_out"]),
            passing=tuple(tuple(chain) for chain in document["passing"]),
        )

    def _outcomes(self, spelled: dict[str, Any]) -> dict[str, tuple[Outcome, ...]]:
        return {
            slug: tuple(Outcome(kind, self._value(value), text) for kind, value, text in all_)
            for slug, all_ in spelled.items()
        }

    def _sets(self, spelled: dict[str, Any]) -> Sets:
        key, total, room, members, at = (self._value(array) for array in spelled["arrays"])
        return Sets(key, total, room, members, at, np.empty(0), tuple(spelled["tests"]))

    def _shown(self, spelled: list[Any] | None) -> PairsOnCases | None:
        return None if spelled is None else PairsOnCases(*map(self._value, spelled))

    def _case(self, case: dict[str, Any]) -> TestCase:
        arguments, expected = self._value(case["arguments"]), self._value(case["expected"])
        more = tuple(map(self._case, case["more"]))
        return TestCase(**{**case, "arguments": arguments, "expected": expected, "more": more})

    def _array(self, spelled: dict[str, Any]) -> Array:
        name, shape, start = spelled["array"]
        if (dtype := np.dtype(name)).hasobject:
            raise ValueError("bytes that would be read as addresses of objects")
        some = math.prod(shape) > 0  # and then one object: there are 23,000, of np.frombuffer four
        return np.ndarray(shape, dtype, self._bytes, start) if some else np.empty(shape, dtype)

    def _value(self, spelled: dict[str, Any]) -> Any:
        kind, value = next(iter(spelled.items()))
        if kind == "array":
            return self._array(spelled)
        if kind == "tuple":
            return tuple(self._value(part) for part in value)
        if kind == "dict":
            return {key: self._value(part) for key, part in value}
        if kind == "odd":
            return OddArray(value[0], tuple(value[1]))
        return Opaque(value) if kind == "opaque" else value
