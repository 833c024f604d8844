"""The guards of the running program: attribute access, attribute stores, class statements.

They are made for one module name, by which they know the learner's own classes and functions: on
those anything goes that plain Python allows. On all others a name that reaches memory, files,
modules or frames is refused, and so is any module, code object, frame, traceback or file that a
name would give. docs/security.md has the table of all ways to an attribute.
"""

from __future__ import annotations

import builtins
import types
from typing import Any

import numpy as np
from RestrictedPython.transformer import INSPECT_ATTRIBUTES

from app.jail.offer.attribute_names import exact, refuse, settable
from app.jail.offer.bases import check_bases, check_body
from app.jail.offer.doors import DOORS
from app.jail.offer.frozen import Namespace, sentence
from app.jail.offer.methods import method, setter
from app.jail.offer.names import (
    DUNDER_METHODS,
    DUNDER_READS,
    GUARDED,
    NAMED_TUPLE_NAMES,
    REPLACED,
    SETTER,
    is_dunder,
)
from app.jail.offer.own import Own
from app.jail.offer.patterns import Patterns
from app.jail.offer.refusals import METACLASS, Unavailable, UnavailableAttribute, frozen
from app.jail.offer.replaced import replaced

_CAREFUL = GUARDED | INSPECT_ATTRIBUTES
_ARRAY_STORES = frozenset(["shape", "dtype", "flat", "real", "imag"])
_PLAIN = (
    int, float, complex, str, bytes, type(None), tuple, range, slice, frozenset, super,
    np.generic, types.GeneratorType, types.MethodType, types.BuiltinFunctionType,
)  # fmt: skip
_OPEN = (list, dict, set, bytearray, BaseException, type(np.zeros(1).flags), np.flatiter)
"""Instances whose attributes may be set: Python itself says what they have."""


class Guards:
    """The guards for code whose `__name__` is `module`; compiled code calls `read` and `write`."""

    __slots__ = ("_own", "_patterns")

    def __init__(self, module: str) -> None:
        self._own = Own(module)
        self._patterns = Patterns(self._own, self.read)

    @property
    def plain(self) -> set[type]:
        """The classes known to be plain so far: compiled code looks there before it calls."""
        return self._own.plain

    # ---------------------------------------------------------------- compiled code calls these

    def read(self, value: Any, name: str) -> Any:
        """`value.name`; raises UnavailableAttribute for what is refused."""
        dunder = name[:2] == "__" and is_dunder(name)
        if not dunder and self._own.is_plain(type(value)):
            return getattr(value, name)
        if dunder:
            return self._dunder(value, name)
        if (name in _CAREFUL or name[0] == "_") and not self._may_read(value, name):
            refuse(name, value)
        found = getattr(value, name)
        if name in REPLACED:
            found = replaced(value, name, found, self.read)
        if isinstance(found, DOORS):
            refuse(name, value)
        return found

    def write(self, value: Any, name: str) -> Any:
        """`value`, if its attribute `name` may be set or deleted; raises Unavailable otherwise."""
        if self._own.is_plain(type(value)) or value in self._own:
            return value
        if isinstance(value, np.ndarray):
            if name not in _ARRAY_STORES and hasattr(value, name):
                refuse(name, value)
            return value
        if isinstance(value, _PLAIN + _OPEN):
            return value
        if isinstance(value, Namespace):
            setattr(value, name, None)
        kind = value.__name__ if isinstance(value, type) else f"A {type(value).__name__}"
        raise Unavailable(sentence(frozen(kind)))

    def change(self, value: Any, name: str) -> Any:
        """`value`, if `value.name += …` may read the attribute and set it."""
        if self._own.is_plain(type(value)) and not is_dunder(name):
            return value
        if name in REPLACED and not (value in self._own and self._own.gave(value, name)):
            refuse(name, value)
        self.read(value, name)
        return self.write(value, name)

    def pattern(self, cls: Any, count: int, names: tuple[str, ...]) -> Any:
        """The class to run a class pattern against; see `patterns`."""
        return self._patterns.of(cls, count, names)

    def build_class(self, body: Any, name: str, *bases: Any, **keywords: Any) -> Any:
        """The class statement, without metaclasses in whatever spelling."""
        if "metaclass" in keywords:
            raise Unavailable(sentence(METACLASS))
        check_bases(bases, self._own.module)
        made = builtins.__build_class__(body, name, *bases, **keywords)
        check_body(made)
        return made

    # ---------------------------------------------------------------- the learner calls these

    def getattr(self, value: Any, name: str, /, *default: Any) -> Any:
        """`getattr` under the same rules; a default stands in for what does not exist only."""
        if len(default) > 1:
            raise TypeError(f"getattr expected at most 3 arguments, got {len(default) + 2}")
        try:
            return self.read(value, exact(name))
        except UnavailableAttribute:
            raise
        except AttributeError:
            if default:
                return default[0]
            raise

    def hasattr(self, value: Any, name: str, /) -> bool:
        """`hasattr` as in plain Python: a yes gives nothing away."""
        return hasattr(value, exact(name))

    def setattr(self, value: Any, name: str, new: Any, /) -> None:
        """`setattr` under the rules of `write`."""
        setattr(self.write(value, settable(name, value)), name, new)

    def delattr(self, value: Any, name: str, /) -> None:
        """`delattr` under the rules of `write`."""
        delattr(self.write(value, settable(name, value)), name)

    def dir(self, value: object, /) -> list[str]:
        """The names of a value's attributes, without those Python keeps for itself."""
        return [name for name in dir(value) if not name.startswith("_")]

    # ---------------------------------------------------------------- the rules

    def _dunder(self, value: Any, name: str) -> Any:
        if name in DUNDER_READS:
            return getattr(value, name)
        found = None
        if name == SETTER:
            found = setter(self._own, value)
        elif name in DUNDER_METHODS:
            found = method(self._own, value, name)
            if found is None and name == "__hash__":
                return None  # of an object that has none
        if found is None:
            refuse(name, value)
        return found

    def _may_read(self, value: Any, name: str) -> bool:
        if name in INSPECT_ATTRIBUTES:
            return False
        if name[0] == "_":
            return self._is_the_learners(value, name) or name in NAMED_TUPLE_NAMES
        return name in REPLACED or not self._gives_memory(value, name)

    def _is_the_learners(self, value: Any, name: str) -> bool:
        if isinstance(value, super):
            value = self._own.behind(value)
        if value is None or value not in self._own:
            return False
        return isinstance(value, types.FunctionType) or self._own.gave(value, name)

    def _gives_memory(self, value: Any, name: str) -> bool:
        """Whether one of the guarded names is there and not the learner's own."""
        if name == "resize" and not isinstance(value, (np.ndarray, np.generic, type)):
            return False
        if value not in self._own or isinstance(value, types.FunctionType):
            return isinstance(value, type) or hasattr(value, name)
        return not self._own.gave(value, name)
