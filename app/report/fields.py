"""Dataclasses as JSON objects and back, field by field: a new field needs no line here.

Tuples are lists in JSON, an Enum is its value. A key that an earlier version did not write, or
that is null, reads as the field's default.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")

_AS_THEY_ARE = frozenset({str, int, bool, NoneType})


def plain(found: object) -> Any:
    """What JSON makes of a value of the model: dicts, lists, texts and numbers.

    Floats are milliseconds and keep three decimals.

    >>> from app.model import EqualBefore
    >>> plain(EqualBefore(3, "Q", "queries"))
    {'line': 3, 'name': 'Q', 'stage': 'queries'}
    """
    if type(found) in _AS_THEY_ARE:  # nearly all are: every verdict waits for this
        return found
    if isinstance(found, Enum):
        return found.value
    if isinstance(found, tuple):
        return [plain(part) for part in found]
    if isinstance(found, float):
        return round(found, 3)
    return json_object(found) if is_dataclass(found) else found


def json_object(found: Any, *without: str) -> dict[str, Any]:
    """The fields of a dataclass's instance as a JSON object, all but those named."""
    kind: Any = type(found)
    return {name: plain(getattr(found, name)) for name in _names(kind, without)}


def read(kind: type[T], found: Mapping[str, Any], **given: object) -> T:
    """A dataclass from a JSON object; `given` are fields that were read already.

    Raises KeyError, TypeError and ValueError for what no version of ours wrote.

    >>> from app.model import EqualBefore
    >>> read(EqualBefore, {"line": 3, "name": "Q", "stage": "queries", "later": 1})
    EqualBefore(line=3, name='Q', stage='queries')
    """
    plainly: Any = kind
    hints, needed = _hints(plainly, frozenset(given)), _needed(plainly)
    own = {
        name: _value(hint, found[name])
        for name, hint in hints.items()
        if found.get(name) is not None or name in needed
    }
    return kind(**own, **given)


def _value(hint: Any, found: Any) -> Any:
    if found is None:
        return None
    kind, arguments = get_origin(hint), get_args(hint)
    if kind in (Union, UnionType):
        return _value(next(each for each in arguments if each is not NoneType), found)
    if kind is tuple:
        return tuple(_value(arguments[0], part) for part in found)
    if is_dataclass(hint):
        return read(hint, found)  # type: ignore[arg-type]
    if isinstance(hint, type) and issubclass(hint, Enum | float):
        return hint(found)
    return found


@cache
def _names(kind: type[Any], without: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if field.name not in without)


@cache
def _needed(kind: type[Any]) -> frozenset[str]:
    """The fields without a default."""
    return frozenset(
        field.name
        for field in fields(kind)
        if field.default is MISSING and field.default_factory is MISSING
    )


@cache
def _hints(kind: type[Any], without: frozenset[str]) -> dict[str, Any]:
    """The types of a dataclass's fields, all but those named."""
    wanted = {field.name: field.type for field in fields(kind) if field.name not in without}
    holder = type("Wanted", (), {"__annotations__": wanted})
    return get_type_hints(holder, vars(sys.modules[kind.__module__]))
