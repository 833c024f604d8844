"""Frozen namespaces: what learners get where plain Python gives modules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from app.jail.offer.names import is_dunder
from app.jail.offer.refusals import Refusal, Unavailable, UnavailableAttribute, attribute, frozen


def sentence(refusal: Refusal) -> str:
    """A refusal in one line, as the text of an exception."""
    return f"{refusal.message} {refusal.instead}".rstrip()


class Namespace:
    """Names and values that look like a module and are none; nothing can be set or deleted.

    It has no `__name__`: `from x import y` would fall back on `sys.modules` by it and hand out the
    module itself. `lacking` are the names the module has and learners do not, with their reasons;
    `expired` the messages of names it once had.
    """

    __slots__ = ("__dict__", "_expired", "_lacking", "_name")

    _name: str
    _lacking: Mapping[str, Refusal]
    _expired: Mapping[str, str]

    def __init__(
        self,
        name: str,
        members: Mapping[str, object],
        lacking: Mapping[str, Refusal],
        expired: Mapping[str, str],
    ) -> None:
        if hasattr(self, "_name"):
            raise Unavailable(sentence(frozen(name)))
        for slot, value in (("_name", name), ("_lacking", lacking), ("_expired", expired)):
            object.__setattr__(self, slot, value)
        self.__dict__.update(members)

    def __getattr__(self, name: str) -> NoReturn:
        if name in ("_name", "_lacking", "_expired"):
            raise AttributeError(name)
        if name in self._lacking:
            refusal = self._lacking[name]
            raise UnavailableAttribute(sentence(refusal), name=name, obj=self)
        if is_dunder(name):
            raise UnavailableAttribute(sentence(attribute(name)), name=name, obj=self)
        message = self._expired.get(name, f"module {self._name!r} has no attribute {name!r}")
        raise AttributeError(message, name=name, obj=self)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise UnavailableAttribute(sentence(frozen(f"{self._name}.{name}")), name=name, obj=self)

    def __delattr__(self, name: str) -> NoReturn:
        raise UnavailableAttribute(sentence(frozen(f"{self._name}.{name}")), name=name, obj=self)

    def __repr__(self) -> str:
        return f"<module {self._name!r}>"

    def __dir__(self) -> list[str]:
        return sorted(self.__dict__)


def name_of(namespace: Namespace) -> str:
    """The module's name, "numpy.linalg"."""
    return namespace._name


def names_of(namespace: Namespace) -> dict[str, object]:
    """The names it offers and their values, a copy."""
    return dict(namespace.__dict__)


def why_not(namespace: Namespace, name: str) -> Refusal | None:
    """Why a name the module has is not offered; None where it is, or where no such name exists."""
    return namespace._lacking.get(name)


# What Python says of a module ("'module' object is not callable") is said of these too.
Namespace.__name__ = Namespace.__qualname__ = "module"
