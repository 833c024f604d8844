"""Functions of dataclasses: a field is a name, and objects are copied plainly.

The real ones turn fields' names into code, and copy by the protocols of pickling.
"""

from __future__ import annotations

import dataclasses
import sys
import typing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import numpy as np

from app.jail.offer.attribute_names import is_plain_name
from app.jail.offer.names import MODULE
from app.jail.offer.refusals import Unavailable

_FIELD_NAMES = {
    name: getattr(dataclasses, name) for name in ("InitVar", "KW_ONLY", "field", "dataclass")
}


def dataclass(cls: Any = None, /, **options: Any) -> Any:
    """`dataclasses.dataclass` for classes whose module cannot be imported.

    It looks the module up by name to read annotations that are text; a stand-in with the names it
    looks for is there for as long as it does. The code it makes holds the fields' names and sets
    attributes by them, so each must be an identifier that a program may write: the fields of a
    `TypedDict` can be called anything. Raises Unavailable otherwise, and for a class of others.
    """
    if cls is None:
        return lambda real: dataclass(real, **options)
    _check(cls)
    with _module_to_look_up(cls.__module__):
        return dataclasses.dataclass(**options)(cls)


@contextmanager
def _module_to_look_up(name: str) -> Iterator[None]:
    if name in sys.modules:
        yield
        return
    module = ModuleType(name)
    module.__dict__.update(
        _FIELD_NAMES, typing=typing, dataclasses=dataclasses, ClassVar=typing.ClassVar
    )
    sys.modules[name] = module
    try:
        yield
    finally:
        del sys.modules[name]


def _check(cls: Any) -> None:
    if not isinstance(cls, type):
        return  # the real one says so
    if cls.__module__ != MODULE:
        raise Unavailable("dataclass takes a class of your own here.")
    annotated = vars(cls).get("__annotations__", {})
    for name in annotated:
        if not is_plain_name(name):
            raise Unavailable(f"A field cannot be called {name!r} here. Use a plain name.")


def asdict(obj: Any, *, dict_factory: Callable[..., Any] = dict) -> Any:
    """`dataclasses.asdict`, which copies containers and arrays and keeps all else as it is."""
    if not _is_instance(obj):
        raise TypeError("asdict() should be called on dataclass instances")
    return _taken_apart(obj, lambda pairs: dict_factory(pairs))


def astuple(obj: Any, *, tuple_factory: Callable[..., Any] = tuple) -> Any:
    """`dataclasses.astuple`, which copies containers and arrays and keeps all else as it is."""
    if not _is_instance(obj):
        raise TypeError("astuple() should be called on dataclass instances")
    return _taken_apart(obj, lambda pairs: tuple_factory([value for _, value in pairs]))


def _is_instance(value: object) -> bool:
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


def _taken_apart(value: Any, make: Callable[[list[tuple[str, Any]]], Any]) -> Any:
    if _is_instance(value):
        fields = dataclasses.fields(value)
        return make([(f.name, _taken_apart(getattr(value, f.name), make)) for f in fields])
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*[_taken_apart(item, make) for item in value])
    if type(value) in (list, tuple, set, frozenset):
        return type(value)(_taken_apart(item, make) for item in value)
    if type(value) is dict:
        return {_taken_apart(k, make): _taken_apart(v, make) for k, v in value.items()}
    return value.copy() if isinstance(value, np.ndarray) else value
