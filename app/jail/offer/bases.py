"""Which classes a learner's class may inherit from, each with its reason, and what it may hold.

A subclass counts as the learner's own, and on what is their own learners may do all that plain
Python allows. So a base must give a subclass nothing that reaches beyond the learner's own values:
not `cached_property`, which writes any name into an instance; not `RandomState`, whose state is raw
memory; not NumPy's scalars, whose bytes are.
"""

from __future__ import annotations

import builtins
import collections
import collections.abc
import dataclasses
import types
import typing
from collections.abc import Iterator
from typing import Any

import numpy as np

from app.jail.offer.frozen import sentence
from app.jail.offer.names import CLASS_DUNDERS, DUNDER_METHODS, is_dunder
from app.jail.offer.refusals import Unavailable, cannot_inherit, dunder_name
from app.jail.offer.stand_ins import TYPE, StandIn, refuse_base

_VALUES = "a number, a text or a container with methods of one's own holds the learner's values"
_INTERFACES = "an interface: it names methods and has none that reach anything"
_ERRORS = "an error of one's own, to raise and to catch"
_FORMS = "a way to write a class, and the class is the learner's"


def _errors() -> Iterator[type]:
    yield from (v for v in vars(builtins).values() if isinstance(v, type))
    yield from (v for v in vars(np.exceptions).values() if isinstance(v, type))
    yield from (np.linalg.LinAlgError, dataclasses.FrozenInstanceError)


def _interfaces() -> Iterator[type]:
    yield from (getattr(collections.abc, name) for name in collections.abc.__all__)
    yield from (v for name, v in vars(typing).items() if name.startswith("Supports"))


_CONTAINERS: tuple[type, ...] = (
    int, float, complex, str, bytes, list, dict, tuple, set, frozenset, collections.deque,
    collections.defaultdict, collections.OrderedDict, collections.Counter, collections.ChainMap,
)  # fmt: skip
_WAYS: tuple[type, ...] = (
    *types.resolve_bases((typing.NamedTuple, typing.TypedDict)),
    typing.Generic, typing.Protocol,
)  # fmt: skip

BASES: dict[type, str] = {
    object: "every class does",
    property: "a property of one's own calls the learner's functions and keeps nothing else",
    **dict.fromkeys(_CONTAINERS, _VALUES),
    **dict.fromkeys(_interfaces(), _INTERFACES),
    **dict.fromkeys((e for e in _errors() if issubclass(e, BaseException)), _ERRORS),
    **dict.fromkeys(_WAYS, _FORMS),
}
"""The classes of the library that may be inherited from, and why."""

_PYTHONS_OWN = frozenset(
    """
    __module__ __qualname__ __dict__ __weakref__ __annotations__ __annotate__ __annotate_func__
    __annotations_cache__ __conditional_annotations__ __classcell__ __classdict__ __classdictcell__
    __static_attributes__ __firstlineno__ __type_params__ __orig_bases__ __parameters__
    __abstractmethods__ __match_args__ __protocol_attrs__ __non_callable_proto_members__
    __subclasshook__ __callable_proto_members_only__ __getnewargs__ __replace__ __total__
    __required_keys__ __optional_keys__ __readonly_keys__ __mutable_keys__ __closed__
    __extra_items__
    """.split()
)
"""Names that Python writes into a class by itself."""


def check_bases(bases: tuple[Any, ...], module: str) -> None:
    """Refuse bases that are neither the learner's own, made in `module`, nor in `BASES`.

    Raises Unavailable, or what `refuse_base` raises, before any of the class's body has run.
    """
    for base in types.resolve_bases(bases):
        if isinstance(base, StandIn):
            refuse_base(base)
        if not isinstance(base, builtins.type):
            continue  # Python says itself that this is no class
        if issubclass(base, builtins.type):
            refuse_base(TYPE)
        if base not in BASES and base.__module__ != module:
            raise Unavailable(sentence(cannot_inherit(base.__name__)))


def check_body(made: Any) -> None:
    """Refuse a class that holds a name Python or NumPy asks objects for and no program may define.

    The names of a class statement were checked when it was compiled; what `__slots__` lists, or
    whatever else made a name, is seen here.
    """
    for name in vars(made) if isinstance(made, builtins.type) else ():
        allowed = name in DUNDER_METHODS or name in CLASS_DUNDERS or name in _PYTHONS_OWN
        if is_dunder(name) and not allowed:
            raise Unavailable(sentence(dunder_name(name)))
