"""An attribute's name as a running program gives it: what it must be, and when it is refused."""

from __future__ import annotations

from typing import NoReturn

from RestrictedPython.transformer import INSPECT_ATTRIBUTES

from app.jail.offer.frozen import sentence
from app.jail.offer.names import DUNDER_WRITES, is_dunder, is_reserved
from app.jail.offer.refusals import UnavailableAttribute, attribute


def refuse(name: str, value: object) -> NoReturn:
    """Raise the refusal of an attribute, as an AttributeError that knows its object."""
    raise UnavailableAttribute(sentence(attribute(name)), name=name, obj=value)


def exact(name: object) -> str:
    """A name that is what it says: a text of a class of its own could change its mind."""
    if type(name) is not str:
        raise TypeError(f"attribute name must be string, not {type(name).__name__!r}")
    if not name or name[0] == "@":  # the policy's own names begin so
        raise AttributeError(f"there is no attribute called {name!r}")
    return name


def settable(name: object, value: object) -> str:
    """The name, if some object may have it set; raises UnavailableAttribute otherwise."""
    known = exact(name)
    if known in INSPECT_ATTRIBUTES or (is_dunder(known) and known not in DUNDER_WRITES):
        refuse(known, value)
    return known


def is_plain_name(name: object) -> bool:
    """Whether a text may name a field: an identifier that neither Python nor the guards keep."""
    if type(name) is not str or not name.isidentifier():
        return False
    return not is_dunder(name) and not is_reserved(name) and name not in INSPECT_ATTRIBUTES
