"""[legal] of exercise.toml: the sizes, ranks, dtypes and options that an exercise allows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from app.model import Legal, Option, Span
from app.model.legal import NONE

Complain = Callable[[str, str], None]
"""Called with a key, as in "legal.sizes.n_q", and what is wrong with it."""

_KEYS = ("sizes", "ranks", "dtypes", "options", "minus_infinity", "relations", "largest")


def legal(value: object, complain: Complain) -> Legal | None:
    """The table as data; None where there is none. What is wrong goes to `complain`, key by key."""
    if value is None:
        return None
    if not isinstance(value, dict):
        complain("legal", "must be a table, [legal].")
        return None
    for key in value.keys() - set(_KEYS):
        complain(f"legal.{key}", "is not a key we know here. Is it misspelled?")
    largest = value.get("largest")
    if largest is not None and (isinstance(largest, bool) or not isinstance(largest, int | float)):
        complain("legal.largest", "must be a number.")
        largest = None
    return Legal(
        sizes=_spans(value, "sizes", complain),
        ranks=_spans(value, "ranks", complain),
        dtypes={
            key: _texts(texts, f"legal.dtypes.{key}", complain)
            for key, texts in _table(value, "dtypes", complain).items()
        },
        options={
            key: _options(found, f"legal.options.{key}", complain)
            for key, found in _table(value, "options", complain).items()
        },
        minus_infinity=_texts(value.get("minus_infinity", []), "legal.minus_infinity", complain),
        relations=_texts(value.get("relations", []), "legal.relations", complain),
        largest=None if largest is None else float(largest),
    )


def _table(value: Mapping[str, object], key: str, complain: Complain) -> Mapping[str, object]:
    found = value.get(key, {})
    if isinstance(found, dict):
        return found
    complain(f"legal.{key}", f"must be a table, [legal.{key}].")
    return {}


def _spans(value: Mapping[str, object], key: str, complain: Complain) -> dict[str, Span]:
    found = {}
    for name, entry in _table(value, key, complain).items():
        span = _span(entry)
        if span is None:
            message = "must be { least = 1, greatest = 64 }, with drawn_to between them if need be."
            complain(f"legal.{key}.{name}", message)
        else:
            found[name] = span
    return found


def _span(entry: object) -> Span | None:
    if not isinstance(entry, dict) or not {"least", "greatest"} <= entry.keys():
        return None
    if entry.keys() - {"least", "greatest", "drawn_to"}:
        return None
    if not all(type(number) is int and number >= 0 for number in entry.values()):
        return None
    span = Span(**cast("dict[str, int]", entry))
    return span if span.least <= span.drawn <= span.greatest else None


def _texts(value: object, key: str, complain: Complain) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(text, str) for text in value):
        return tuple(value)
    complain(key, 'must be a list of strings, as in ["a", "b"].')
    return ()


def _options(value: object, key: str, complain: Complain) -> tuple[Option, ...]:
    if isinstance(value, list) and value and all(isinstance(v, str | int | float) for v in value):
        return tuple(value)
    message = (
        f'must be a list of values; "left out", "{NONE}", "array" and "number" may stand in it.'
    )
    complain(key, message)
    return ()
