"""What is the learner's own: the classes, functions and objects that the submission made."""

from __future__ import annotations

import types
from typing import Any

from app.jail.offer.names import NAMED_TUPLE_NAMES

_CONTAINERS = (tuple, list, dict, set)
_self_of: Any = super.__dict__["__self__"].__get__


class Own:
    """Knows the learner's own by the name of their module, which no program can write."""

    __slots__ = ("_seen", "module", "plain")

    def __init__(self, module: str) -> None:
        self.module = module
        self._seen: set[type] = set()
        self.plain: set[type] = set()
        """The classes known to be plain so far: compiled code looks there before it calls."""

    def __contains__(self, value: Any) -> bool:
        """Whether the learner's code made this class, this function, or this object's class."""
        kind = type(value)
        if kind is types.FunctionType:
            return bool(value.__module__ == self.module)
        return bool((value if isinstance(value, type) else kind).__module__ == self.module)

    def is_plain(self, kind: type) -> bool:
        """Whether objects of this class have nothing but what the learner's code gave them.

        A container they inherit from, as named tuples do, adds methods that open nothing.
        """
        if kind not in self._seen:
            self._seen.add(kind)
            own = [base for base in kind.__mro__[:-1] if base not in _CONTAINERS]
            if own and all(base.__module__ == self.module for base in own):
                self.plain.add(kind)
        return kind in self.plain

    def instance(self, value: Any) -> bool:
        """Whether a value is an object of a class of the learner's own, and no class itself."""
        return type(value).__module__ == self.module and not isinstance(value, type)

    def subclass(self, value: Any) -> bool:
        """Whether a value is a class of the learner's own."""
        return isinstance(value, type) and value.__module__ == self.module

    def behind(self, value: super) -> Any:
        """The object or class that a `super()` looks from, if it is the learner's own, or None."""
        target = _self_of(value)
        return target if target is not None and target in self else None

    def gave(self, value: Any, name: str) -> bool:
        """Whether an attribute of an own class or object is the learner's, not its base's.

        What an object itself holds is the learner's, for nothing else writes there.
        """
        if name in NAMED_TUPLE_NAMES:
            return True
        cls = value if isinstance(value, type) else type(value)
        owner = next((base for base in cls.__mro__ if name in base.__dict__), None)
        if owner is not None:
            return bool(owner.__module__ == self.module)
        return not isinstance(value, type) or not hasattr(type(cls), name)
