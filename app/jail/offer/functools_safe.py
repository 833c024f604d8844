"""Functions of functools that would reach into functions and objects of others, made safe."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from app.jail.offer.attribute_names import is_plain_name, refuse
from app.jail.offer.names import MODULE
from app.jail.offer.refusals import Unavailable


class CachedProperty(functools.cached_property):  # type: ignore[type-arg] # of any value
    """`functools.cached_property` on classes of the learner's own.

    The real one reads and writes the instance's dict under whatever name it was told.
    """

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """The value, computed once; raises Unavailable for an object of others."""
        if instance is not None:
            if type(instance).__module__ != MODULE:
                raise Unavailable("cached_property works in a class of your own here.")
            if self.attrname is not None and not is_plain_name(self.attrname):
                refuse(str(self.attrname), instance)
        return super().__get__(instance, owner)


CachedProperty.__name__ = CachedProperty.__qualname__ = "cached_property"
CachedProperty.__module__ = "functools"


def total_ordering(cls: Any) -> Any:
    """`functools.total_ordering` of a class of the learner's own."""
    if isinstance(cls, type) and cls.__module__ != MODULE:
        raise Unavailable("total_ordering takes a class of your own here.")
    return functools.total_ordering(cls)


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
