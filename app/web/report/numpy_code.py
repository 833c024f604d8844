"""What a learner may take along from a report: arrays and arguments as NumPy code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.model import Expectations
from app.web.report.numbers import COPIED_NUMBERS, array_of, code

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Copy:
    """Something to take along as NumPy code."""

    label: str
    code: str


def copies(test: Json, expectations: Expectations | None) -> tuple[Copy, ...]:
    """Expected, yours and the arguments as NumPy code, where all their numbers are here."""
    found = []
    for label, key in (("Copy expected", "expected"), ("Copy yours", "got")):
        array = array_of(test.get(key))
        if array is not None and array.size <= COPIED_NUMBERS:
            found.append(Copy(label, code(array)))
    arguments = test.get("arguments")
    names = [p.name for p in expectations.parameters] if expectations else []
    if arguments and names:
        lines = [_assignment(n, v) for n, v in zip(names, arguments, strict=False)]
        if all(lines) and sum(map(len, lines)) < 32 * COPIED_NUMBERS:
            found.append(Copy("Copy arguments", "\n".join(lines)))
    return tuple(found)


def _assignment(name: str, value: Json) -> str:
    """ "Q = np.array(…)", or "" where a number is missing."""
    prefix = f"{name} = "
    if value.get("kind") == "dict":
        entries = {key: array_of(part) for key, part in value["entries"].items()}
        known = {key: array for key, array in entries.items() if array is not None}
        return prefix + code(dict(known), indent=len(prefix)) if len(known) == len(entries) else ""
    if value.get("kind") == "text":
        return f"{prefix}{value['text']!r}"
    if value.get("kind") == "none":
        return f"{prefix}None"
    array = array_of(value)
    if array is None:
        return ""
    return prefix + (
        str(value["text"]) if value["kind"] == "number" else code(array, indent=len(prefix))
    )
