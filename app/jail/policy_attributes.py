"""Which attribute names need no guard, because they give nothing away on any object.

A guard costs more than the attribute itself, and most names a learner writes are either those of
NumPy arrays and namespaces, or his own: `self.num_heads`. Those that some class or module of this
process knows are looked at as the program runs; a name nobody knows cannot be a door.
"""

from __future__ import annotations

import ast
import sys
import types
from collections.abc import Iterable, Iterator

import numpy as np
from RestrictedPython.transformer import INSPECT_ATTRIBUTES

from app.jail.facade_modules import MODULES
from app.jail.policy_names import (
    DUNDER_METHODS,
    DUNDER_READS,
    DUNDER_WRITES,
    GUARDED,
    is_dunder,
    is_reserved,
)

_DATA = (int, float, str, bytes, type(None), tuple, frozenset, list, dict, set)


def _harmless() -> frozenset[str]:
    names = {name for kind in (list, dict, set, str, tuple, np.ndarray) for name in dir(kind)}
    for module in MODULES.values():
        names.update(dir(module))
    return frozenset(n for n in names if not n.startswith("_")) - GUARDED - INSPECT_ATTRIBUTES


def _classes(base: type = object) -> Iterator[type]:
    below: list[type] = type.__subclasses__(base)
    for cls in below:
        yield cls
        yield from () if cls is type else _classes(cls)


def _code_names(cls: type) -> Iterable[str]:
    """Names the methods of a class use, among them those they store on its instances."""
    for value in vars(cls).values():
        function = getattr(value, "__func__", value)
        if isinstance(function, types.FunctionType):
            yield from function.__code__.co_names


def _known() -> frozenset[str]:
    names: set[str] = set(GUARDED | INSPECT_ATTRIBUTES)
    for cls in set(_classes()):
        names.update(n for n, value in vars(cls).items() if not isinstance(value, _DATA))
        names.update(_code_names(cls))
    for module in list(sys.modules.values()):
        members = list(getattr(module, "__dict__", {}).items())
        names.update(n for n, value in members if not isinstance(value, _DATA))
    return frozenset(names)


HARMLESS = _harmless()
"""Names of arrays, containers and namespaces that give nothing away on any object a learner
reaches; tests/jail/test_facade_crawl.py walks them all."""

KNOWN = _known()
"""Names that some class or module of this process has for something other than plain data."""


def loads_natively(name: str) -> bool:
    """Whether `value.name` needs no guard, whatever `value` is."""
    return name in HARMLESS or (name not in KNOWN and not is_dunder(name))


def stores_natively(name: str) -> bool:
    """Whether `value.name = …` needs no guard, whatever `value` is."""
    return name not in KNOWN and name not in HARMLESS and not is_dunder(name)


def may_be_written(name: str, context: ast.expr_context) -> bool:
    """Whether a program may have an attribute of this name at all."""
    if is_dunder(name):
        loads = isinstance(context, ast.Load)
        return name in (DUNDER_READS | DUNDER_METHODS if loads else DUNDER_WRITES)
    return name not in INSPECT_ATTRIBUTES and not is_reserved(name)
