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
import typing
from types import ModuleType

from app.jail.offer.dataclasses_safe import asdict, astuple, dataclass
from app.jail.offer.functools_safe import CachedProperty, total_ordering, update_wrapper, wraps
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


SAFE: dict[str, dict[str, object]] = {
    "functools": {
        "cached_property": CachedProperty,
        "total_ordering": total_ordering,
        "wraps": wraps,
        "update_wrapper": update_wrapper,
        "WRAPPER_ASSIGNMENTS": functools.WRAPPER_ASSIGNMENTS,
    },
    "dataclasses": {"dataclass": dataclass, "asdict": asdict, "astuple": astuple},
    "typing": {"Type": TYPE},
}
