"""Attributes whose real value would open a door, and what stands in its place."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np

from app.jail.offer.attribute_names import refuse
from app.jail.offer.format import Format
from app.jail.offer.stand_ins import StandIn, real_of, stand_in_of

_Read = Callable[[Any, str], Any]


def replaced(value: Any, name: str, found: Any, read: _Read) -> Any:
    """What a program gets for `value.name`, one of `names.REPLACED`, where Python gives `found`.

    Raises UnavailableAttribute for `str.format` as a function, which takes any text.
    """
    if name in ("format", "format_map"):
        return _format(value, name, found, read)
    if name == "view":
        is_array = isinstance(value, (np.ndarray, np.generic, StandIn))
        return _view(found) if is_array else found
    if isinstance(found, types.MappingProxyType):
        # Compared with an object, a proxy shows it the dict behind: a dtype's says where its
        # fields lie in memory.
        return dict(found)
    # The object an AttributeError is about may be a class that has a stand-in.
    return stand_in_of(found) if name == "obj" and isinstance(found, type) else found


def _format(value: Any, name: str, found: Any, read: _Read) -> Any:
    if isinstance(value, type) and issubclass(value, str):
        refuse(name, value)
    if type(found) is types.MethodDescriptorType:
        refuse(name, value)  # super(Text, Text).format: a function that takes any text
    text = getattr(found, "__self__", None)
    if type(found) is not types.BuiltinMethodType or not isinstance(text, str):
        return found
    return Format(text, name, read)


def _view(found: Callable[..., Any]) -> Callable[..., Any]:
    def view(*arguments: Any, **keywords: Any) -> Any:
        """`x.view(np.ndarray)`: NumPy must be given the class itself, not its stand-in."""
        real = {name: real_of(argument) for name, argument in keywords.items()}
        return found(*map(real_of, arguments), **real)

    return view
