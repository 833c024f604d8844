"""Which names a learner may write: one table a kind, read by the policy and by the guards."""

from __future__ import annotations

import re

MODULE = "solution"
"""The module that a submission is; what it makes is known by it."""

RESERVED = frozenset(
    """
    _getattr_ _class_of_ _type_ _plain_ _change_ _pattern_ _held_ _getitem_ _getiter_ _write_
    _apply_ _print_ _print _inplacevar_ _unpack_sequence_ _iter_unpack_sequence_ __metaclass__
    """.split()
)
"""Names of RestrictedPython's guards: bound by the namespace alone."""

_TEMPORARY = re.compile(r"_tmp\d+\Z")

DUNDER_METHODS = frozenset(
    """
    __init__ __post_init__ __new__ __init_subclass__ __call__ __repr__ __str__ __format__ __bytes__
    __len__ __length_hint__ __bool__ __hash__ __getitem__ __setitem__ __delitem__ __missing__
    __contains__ __iter__ __next__ __reversed__ __enter__ __exit__ __get__ __set__
    __delete__ __set_name__ __class_getitem__ __copy__ __deepcopy__ __dir__
    __eq__ __ne__ __lt__ __le__ __gt__ __ge__
    __add__ __radd__ __iadd__ __sub__ __rsub__ __isub__ __mul__ __rmul__ __imul__
    __truediv__ __rtruediv__ __itruediv__ __floordiv__ __rfloordiv__ __ifloordiv__
    __mod__ __rmod__ __imod__ __divmod__ __rdivmod__ __pow__ __rpow__ __ipow__
    __matmul__ __rmatmul__ __imatmul__ __and__ __rand__ __iand__ __or__ __ror__ __ior__
    __xor__ __rxor__ __ixor__ __lshift__ __rlshift__ __ilshift__ __rshift__ __rrshift__ __irshift__
    __neg__ __pos__ __abs__ __invert__ __float__ __int__ __complex__ __index__ __round__ __trunc__
    __floor__ __ceil__
    """.split()
)
"""Methods a class may define. None of them lets an object lie about its class, be pickled, run when
it is dropped, or hook into NumPy's protocols: NumPy asks objects for `__array_interface__`, which
is an address, and `__getattr__` would answer that too."""

SETTER = "__setattr__"
"""Read of `object` and `super()` only: how an object of a frozen class sets its own attributes."""

DUNDER_READS = frozenset(["__name__", "__qualname__", "__doc__", "__version__"])
DUNDER_WRITES = frozenset(["__name__", "__qualname__", "__doc__"])
MODULE_DUNDERS = frozenset("__all__ __author__ __version__ __date__ __license__".split())
CLASS_DUNDERS = frozenset(["__slots__", "__doc__"])
NAMED_TUPLE_NAMES = frozenset(["_replace", "_asdict", "_fields", "_make", "_field_defaults"])

GUARDED = frozenset(
    """
    ctypes cffi capsule lock tofile dump dumps data setflags bit_generator getfield setfield resize
    mro obj makemat func_code func_globals func_closure func_defaults func_dict func_doc
    func_name format format_map get_state set_state register
    """.split()
)
"""Names that reach memory, files, modules or attribute access by string on some object, or make
objects of others pass for the learner's: always read through the guard, which looks at the
object."""

LIBRARIES_ONLY = frozenset(["get_state", "register", "set_state"])
"""Guarded names that are a library's where a program gives nothing of its own such a name."""

REPLACED = frozenset(["obj", "view", "fields", "metadata", "format", "format_map"])
"""Names whose value the guard replaces by a safe one on some object: never read without it."""


def is_dunder(name: str) -> bool:
    """True for `__name__`-like names, which Python keeps for itself."""
    return len(name) > 4 and name.startswith("__") and name.endswith("__")


def is_class_private(name: str) -> bool:
    """True for `__name`, which Python mangles inside a class."""
    return len(name) > 2 and name.startswith("__") and not name.endswith("__")


def is_reserved(name: str) -> bool:
    """True for the guards' own names and RestrictedPython's temporary ones."""
    return name in RESERVED or _TEMPORARY.match(name) is not None


def mangled(name: str, class_name: str) -> str:
    """`__name` as Python spells it inside the class `class_name`."""
    stripped = class_name.lstrip("_")
    return f"_{stripped}{name}" if stripped else name
