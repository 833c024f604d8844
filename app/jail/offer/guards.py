"""The guards of the running program: attribute access, attribute stores, class statements.

They are made for one module name, by which they know the learner's own classes and functions: on
those anything goes that plain Python allows. On all others a name that reaches memory, files,
modules or frames is refused, and so is any module, code object, frame, traceback or file that a
name would give.
"""

from __future__ import annotations

import builtins
import types
from typing import Any, NoReturn

import numpy as np
from RestrictedPython.transformer import INSPECT_ATTRIBUTES

from app.jail.offer.doors import DOORS
from app.jail.offer.format import Format
from app.jail.offer.frozen import Namespace, sentence
from app.jail.offer.names import (
    DUNDER_METHODS,
    DUNDER_READS,
    DUNDER_WRITES,
    GUARDED,
    NAMED_TUPLE_NAMES,
    is_dunder,
)
from app.jail.offer.refusals import METACLASS, Unavailable, UnavailableAttribute, attribute, frozen
from app.jail.offer.stand_ins import check_bases, stand_in_of

_CAREFUL = GUARDED | INSPECT_ATTRIBUTES
_CONTAINERS = (tuple, list, dict, set)
_ARRAY_STORES = frozenset(["shape", "dtype", "flat", "real", "imag"])
_PLAIN = (
    int, float, complex, str, bytes, type(None), tuple, range, slice, frozenset, super,
    np.generic, types.GeneratorType, types.MethodType, types.BuiltinFunctionType,
)  # fmt: skip
_OPEN = (list, dict, set, bytearray, BaseException, type(np.zeros(1).flags), np.flatiter)
"""Instances whose attributes may be set: Python itself says what they have."""


def refuse(name: str, value: object) -> NoReturn:
    """Raise the refusal of an attribute, as an AttributeError that knows its object."""
    raise UnavailableAttribute(sentence(attribute(name)), name=name, obj=value)


class Guards:
    """The guards for code whose `__name__` is `module`; compiled code calls `read` and `write`.

    `plain` are the classes known to be plain so far: compiled code looks there before it calls.
    """

    __slots__ = ("_module", "_seen", "plain")

    def __init__(self, module: str) -> None:
        self._module = module
        self._seen: set[type] = set()
        self.plain: set[type] = set()

    def _own(self, value: Any) -> bool:
        """Whether the learner's code made this class, this function, or this object's class."""
        kind = type(value)
        if kind is types.FunctionType:
            return bool(value.__module__ == self._module)
        return bool((value if isinstance(value, type) else kind).__module__ == self._module)

    def _is_plain(self, kind: type) -> bool:
        """Whether objects of this class have nothing but what the learner's code gave them.

        A container they inherit from, as named tuples do, adds methods that open nothing.
        """
        if kind not in self._seen:
            self._seen.add(kind)
            own = [base for base in kind.__mro__[:-1] if base not in _CONTAINERS]
            if own and all(base.__module__ == self._module for base in own):
                self.plain.add(kind)
        return kind in self.plain

    # ---------------------------------------------------------------- compiled code calls these

    def read(self, value: Any, name: str) -> Any:
        """`value.name`; raises UnavailableAttribute for what is refused."""
        if self._is_plain(type(value)) and name[:2] != "__":
            return getattr(value, name)
        if name in _CAREFUL or name[0] == "_":
            if name in ("format", "format_map"):
                return self._format(value, name)
            if not self._may_read(value, name):
                refuse(name, value)
        found = getattr(value, name)
        if isinstance(found, DOORS):
            refuse(name, value)
        # The object an AttributeError is about may be a class that has a stand-in.
        return stand_in_of(found) if name == "obj" and isinstance(found, type) else found

    def write(self, value: Any, name: str) -> Any:
        """`value`, if its attribute `name` may be set or deleted; raises Unavailable otherwise."""
        if self._is_plain(type(value)) or self._own(value):
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

    def build_class(self, body: Any, name: str, *bases: Any, **keywords: Any) -> Any:
        """The class statement, without metaclasses in whatever spelling."""
        if "metaclass" in keywords:
            raise Unavailable(sentence(METACLASS))
        check_bases(bases)
        return builtins.__build_class__(body, name, *bases, **keywords)

    # ---------------------------------------------------------------- the learner calls these

    def getattr(self, value: Any, name: str, /, *default: Any) -> Any:
        """`getattr` under the same rules; a default stands in for what does not exist only."""
        if len(default) > 1:
            raise TypeError(f"getattr expected at most 3 arguments, got {len(default) + 2}")
        try:
            return self.read(value, _exact(name))
        except UnavailableAttribute:
            raise
        except AttributeError:
            if default:
                return default[0]
            raise

    def hasattr(self, value: Any, name: str, /) -> bool:
        """`hasattr` as in plain Python: a yes gives nothing away."""
        return hasattr(value, _exact(name))

    def setattr(self, value: Any, name: str, new: Any, /) -> None:
        """`setattr` under the rules of `write`."""
        setattr(self._settable(value, name), name, new)

    def delattr(self, value: Any, name: str, /) -> None:
        """`delattr` under the rules of `write`."""
        delattr(self._settable(value, name), name)

    def dir(self, value: object, /) -> list[str]:
        """The names of a value's attributes, without those Python keeps for itself."""
        return [name for name in dir(value) if not name.startswith("_")]

    # ---------------------------------------------------------------- the rules

    def _may_read(self, value: Any, name: str) -> bool:
        if name in INSPECT_ATTRIBUTES:
            return False
        if is_dunder(name):
            return name in DUNDER_READS or (name in DUNDER_METHODS and self._inherits(value))
        if name[0] == "_":
            return self._own(value) or isinstance(value, super) or name in NAMED_TUPLE_NAMES
        return not self._gives_memory(value, name)

    def _inherits(self, value: Any) -> bool:
        """Whether a class's methods may be called by their names, as in `Base.__init__(self)`."""
        if isinstance(value, type):
            return self._own(value) or value is object or issubclass(value, BaseException)
        return isinstance(value, super) or self._own(value)

    def _gives_memory(self, value: Any, name: str) -> bool:
        """Whether one of the guarded names is there and not the learner's own."""
        if name == "obj":
            return False
        if name == "resize" and not isinstance(value, (np.ndarray, np.generic, type)):
            return False
        if not self._own(value) or isinstance(value, types.FunctionType):
            return isinstance(value, type) or hasattr(value, name)
        classes = value.__mro__ if isinstance(value, type) else type(value).__mro__
        owner = next((c for c in classes if name in c.__dict__), None)
        return owner is not None and owner.__module__ != self._module

    def _format(self, value: Any, name: str) -> Any:
        if isinstance(value, type) and issubclass(value, str):
            refuse(name, value)
        found = getattr(value, name)
        if not isinstance(value, str) or type(found) is not types.BuiltinMethodType:
            return found
        return Format(value, name, self.read)

    def _settable(self, value: Any, name: str) -> Any:
        if _exact(name) in INSPECT_ATTRIBUTES or (is_dunder(name) and name not in DUNDER_WRITES):
            refuse(name, value)
        return self.write(value, name)


def _exact(name: object) -> str:
    """A name that is what it says: a text of a class of its own could change its mind."""
    if type(name) is not str:
        raise TypeError(f"attribute name must be string, not {type(name).__name__!r}")
    if not name:
        raise AttributeError("there is no attribute without a name")
    return name
