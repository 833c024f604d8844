"""Which attribute names need no guard, whatever object they are asked of.

A guard costs several times what an attribute costs, and nearly all names a learner writes are those
of arrays and namespaces, or the learner's own: `self.num_heads`. That nothing within reach is a
door to the machine is proved by a walk, tests/jail/test_facade_crawl.py. The guard is there for
what the walk may have missed: it looks at every name that a door itself would answer to.
"""

from __future__ import annotations

import ast
import opcode
import sys
import types
from collections.abc import Iterator

import numpy as np
from RestrictedPython.transformer import INSPECT_ATTRIBUTES

from app.jail.offer.doors import DOORS
from app.jail.offer.frozen import names_of
from app.jail.offer.globals import OFFERED_VALUES
from app.jail.offer.modules import MODULES
from app.jail.offer.names import (
    DUNDER_METHODS,
    DUNDER_READS,
    DUNDER_WRITES,
    GUARDED,
    REPLACED,
    SETTER,
    is_dunder,
    is_reserved,
)

_DOOR_MODULES = frozenset(
    """
    ctypes _ctypes _frozen_importlib _frozen_importlib_external importlib subprocess socket logging
    multiprocessing threading _thread
    """.split()
)
_DUNDER_LOADS = DUNDER_READS | DUNDER_METHODS | {SETTER}
_DATA = (int, float, str, bytes, type(None), tuple, frozenset, list, dict, set)
_HEAP_TYPE = 1 << 9
"""Py_TPFLAGS_HEAPTYPE: a class that was made as a program ran, and may be changed."""

_INERT = frozenset(["name", "offset", "parent", "value"])
"""Names of doors that give plain data: a file's name, a C number's value."""


def _harmless() -> frozenset[str]:
    names = {name for kind in (list, dict, set, str, tuple, np.ndarray) for name in dir(kind)}
    for module in MODULES.values():
        names.update(dir(module))
    careful = GUARDED | REPLACED | INSPECT_ATTRIBUTES
    return frozenset(n for n in names if not n.startswith("_")) - careful


def _classes(base: type = object) -> Iterator[type]:
    below: list[type] = type.__subclasses__(base)
    for cls in below:
        yield cls
        yield from () if cls is type else _classes(cls)


def _codes(cls: type) -> Iterator[types.CodeType]:
    for value in list(vars(cls).values()):  # to look at one may make another
        function = getattr(value, "__func__", value)
        if isinstance(function, types.FunctionType):
            yield function.__code__


def _is_door(cls: type) -> bool:
    home = str(cls.__module__).partition(".")[0]
    return issubclass(cls, DOORS) or home in _DOOR_MODULES


def _known() -> frozenset[str]:
    """Names of modules and other doors; of names with an underscore, those of any class."""
    names: set[str] = set(GUARDED | REPLACED | INSPECT_ATTRIBUTES)
    for cls in {*_classes(), *DOORS}:
        members = {n for n, value in list(vars(cls).items()) if not isinstance(value, _DATA)}
        members.update(name for code in _codes(cls) for name in _stored(code))
        names.update(members if _is_door(cls) else (n for n in members if n.startswith("_")))
    for module in list(sys.modules.values()):
        for name, value in list(getattr(module, "__dict__", {}).items()):
            if not isinstance(value, _DATA) and id(value) not in OFFERED_VALUES:
                names.add(name)
    return frozenset(names - _INERT)


def _stored(code: types.CodeType) -> Iterator[str]:
    for operation, argument in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        if operation == opcode.opmap["STORE_ATTR"]:
            yield code.co_names[argument]


def _state() -> frozenset[str]:
    """Names that the methods of offered classes store: what their instances stand on.

    A cached property keeps the name it writes to, a field of a dataclass the name that becomes
    code.
    """
    values = [value for module in MODULES.values() for value in names_of(module).values()]
    offered = {value if isinstance(value, type) else type(value) for value in values}
    offered.update(cls for cls in _classes() if cls.__module__ in ("dataclasses", "functools"))
    bases = {base for cls in offered for base in cls.__mro__}
    return frozenset(name for cls in bases for code in _codes(cls) for name in _stored(code))


def _of_open_classes() -> frozenset[str]:
    """Names of what library classes written in Python have: a store would change them for all."""
    values = [value for module in MODULES.values() for value in names_of(module).values()]
    offered = {value if isinstance(value, type) else type(value) for value in values}
    bases = {base for cls in offered for base in cls.__mro__ if base.__flags__ & _HEAP_TYPE}
    return frozenset(name for cls in bases for name in vars(cls) if not is_dunder(name))


HARMLESS = _harmless()
"""Names of arrays, containers and namespaces."""

KNOWN = _known()
"""Names that a door answers to."""

STATE = _state() | _of_open_classes() | GUARDED | INSPECT_ATTRIBUTES | {"strides"}
"""Names whose values other people's objects rely on."""


def loads_natively(name: str) -> bool:
    """Whether `value.name` needs no guard, whatever `value` is; with an underscore, all do."""
    return name in HARMLESS or (name not in KNOWN and name[0] != "_")


def stores_natively(name: str) -> bool:
    """Whether `value.name = …` needs no guard: namespaces and stand-ins refuse it themselves.

    A class of the library may be given a new name by it, that nothing else asks for.
    """
    return name not in STATE and name[0] != "_"


def may_be_written(name: str, context: ast.expr_context) -> bool:
    """Whether a program may have an attribute of this name at all."""
    if is_dunder(name):
        loads = isinstance(context, ast.Load)
        return name in (_DUNDER_LOADS if loads else DUNDER_WRITES)
    return name not in INSPECT_ATTRIBUTES and not is_reserved(name)
