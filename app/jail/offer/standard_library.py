"""The parts of the standard library that learners get, made safe where the real ones are not."""

from __future__ import annotations
import __future__

import collections
import collections.abc
import dataclasses
import functools
import itertools
import math
import operator
import sys
import types
import typing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from app.jail.offer.refusals import Unavailable
from app.jail.offer.stand_ins import TYPE

NAMES: dict[str, tuple[ModuleType, str]] = {
    "math": (math, " ".join(name for name in vars(math) if not name.startswith("_"))),
    "itertools": (itertools, " ".join(n for n in vars(itertools) if not n.startswith("_"))),
    "operator": (
        operator,
        """
        abs add and_ concat contains countOf eq floordiv ge getitem gt iadd iand iconcat ifloordiv
        ilshift imatmul imod imul index indexOf inv invert ior ipow irshift is_ is_not isub
        itemgetter itruediv ixor le lshift lt matmul mod mul ne neg not_ or_ pos pow rshift sub
        truediv truth xor
        """,
    ),
    "functools": (
        functools,
        "cache cached_property cmp_to_key lru_cache partial partialmethod reduce total_ordering",
    ),
    "collections": (collections, "ChainMap Counter OrderedDict defaultdict deque namedtuple"),
    "collections.abc": (
        collections.abc,
        """
        Callable Collection Container Generator Hashable ItemsView Iterable Iterator KeysView
        Mapping MappingView MutableMapping MutableSequence MutableSet Reversible Sequence Set Sized
        ValuesView
        """,
    ),
    "dataclasses": (
        dataclasses,
        """
        FrozenInstanceError InitVar KW_ONLY MISSING asdict astuple field fields is_dataclass replace
        """,
    ),
    "typing": (
        typing,
        """
        Annotated Any Callable ClassVar Collection Concatenate Container Counter DefaultDict Deque
        Dict Final FrozenSet Generator Generic Hashable ItemsView Iterable Iterator KeysView List
        Literal LiteralString Mapping MutableMapping MutableSequence MutableSet NamedTuple Never
        NewType NoReturn NotRequired Optional OrderedDict ParamSpec Protocol Required Reversible
        Self Sequence Set Sized SupportsAbs SupportsFloat SupportsIndex SupportsInt SupportsRound
        TYPE_CHECKING Text Tuple TypeAlias TypeGuard TypeVar TypedDict Union Unpack ValuesView cast
        final overload override runtime_checkable
        """,
    ),
    "__future__": (__future__, " ".join(__future__.all_feature_names)),
}
"""Offered names by module, and where they come from; what follows is put in their place."""


def wraps(wrapped: Callable[..., Any], **options: Any) -> Callable[[Any], Any]:
    """`functools.wraps` without its options, which copy any attribute of any function."""
    if options:
        raise Unavailable("wraps() takes the function only here: leave the other arguments out.")
    return lambda wrapper: update_wrapper(wrapper, wrapped)


def update_wrapper(wrapper: Any, wrapped: Any, **options: Any) -> Any:
    """Give a function the name and documentation of another, and return it."""
    if options:
        raise Unavailable("update_wrapper() takes two functions here: leave the rest out.")
    if isinstance(wrapper, types.FunctionType):
        for name in ("__name__", "__qualname__", "__doc__"):
            value = getattr(wrapped, name, None)
            if type(value) is str:
                setattr(wrapper, name, value)
    return wrapper


_FIELD_NAMES = {
    name: getattr(dataclasses, name) for name in ("InitVar", "KW_ONLY", "field", "dataclass")
}


def dataclass(cls: Any = None, /, **options: Any) -> Any:
    """`dataclasses.dataclass` for classes whose module cannot be imported.

    It looks the module up by name to read annotations that are text; a stand-in with the names it
    looks for is there for as long as it does. The code it makes holds the fields' names: those are
    identifiers, for nobody can set a field's name or make a field that lies about it.
    """
    if cls is None:
        return lambda real: dataclass(real, **options)
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


SAFE: dict[str, dict[str, object]] = {
    "functools": {
        "wraps": wraps,
        "update_wrapper": update_wrapper,
        "WRAPPER_ASSIGNMENTS": functools.WRAPPER_ASSIGNMENTS,
    },
    "dataclasses": {"dataclass": dataclass},
    "typing": {"Type": TYPE},
}
