"""Stand-ins for classes whose constructors reach raw memory or make classes and code.

`np.ndarray` and `type` are written in annotations, `isinstance` and comparisons, where these behave
as the real ones; the constructor of `np.ndarray` over a buffer and `type` with three arguments are
what must not be had. `type(x)` gives stand-ins too, and nothing may inherit from one.
"""

from __future__ import annotations

import builtins
import dataclasses
import types
import typing
import warnings
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from app.jail.offer.format import Format
from app.jail.offer.names import GUARDED
from app.jail.offer.refusals import Unavailable, UnavailableAttribute, attribute

_FROZEN = "This class can't be changed here: it is shared."
_REAL: dict[type, type] = {}
"""What each stand-in stands for; kept here, because what a class holds its attributes give away."""
_MAKE: dict[type, Callable[..., Any]] = {}


class StandIn(type):
    """The class of stand-ins."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> StandIn:
        """Make a stand-in; a class that inherits from one ends here too, and is refused."""
        if bases:
            refuse_base(bases[0])
        return super().__new__(cls, name, bases, body)

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, _REAL[cls])

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(_REAL.get(subclass, subclass), _REAL[cls])

    def __call__(cls, *arguments: Any, **keywords: Any) -> Any:
        """Make an instance, as far as that is safe."""
        return _MAKE[cls](*arguments, **keywords)

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("_") or name in GUARDED:
            raise UnavailableAttribute(attribute(name).message, name=name, obj=cls)
        try:
            return getattr(_REAL[cls], name)
        except AttributeError as error:
            raise AttributeError(str(error), name=name, obj=cls) from None

    def __setattr__(cls, name: str, value: object) -> NoReturn:
        raise Unavailable(_FROZEN)

    def __delattr__(cls, name: str) -> NoReturn:
        raise Unavailable(_FROZEN)

    def __repr__(cls) -> str:
        return repr(_REAL[cls])


StandIn.__name__ = "type"  # what Python's messages and reports call a class


def _stand_in(real: type, make: Callable[..., Any], **body: Any) -> StandIn:
    body.update(__module__=real.__module__, __doc__=real.__doc__, __slots__=())
    made = StandIn(real.__name__, (), body)
    _REAL[made], _MAKE[made] = real, make
    return made


def _alias(cls: Any, item: object, /) -> types.GenericAlias:
    return types.GenericAlias(cls, item if isinstance(item, tuple) else (item,))


def _make_array(
    shape: Any = None,
    dtype: Any = float,
    buffer: object = None,
    offset: object = 0,
    strides: object = None,
    order: Any = None,
) -> Any:
    if buffer is not None or strides is not None or offset != 0:
        raise Unavailable("np.ndarray over a buffer isn't available here. Use np.array(values).")
    if shape is None:
        raise TypeError("ndarray() missing required argument 'shape' (pos 0)")
    return np.empty(shape, dtype, "F" if order == "F" else "C")


def _make_matrix(data: Any, dtype: Any = None, copy: bool = True) -> Any:
    """A real matrix, so that returning one is told apart from an array (and never accepted)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        return np.matrix(data, dtype, copy)


def asmatrix(data: Any, dtype: Any = None) -> Any:
    """`np.asmatrix`, without its warning."""
    return _make_matrix(data, dtype, copy=False)


def _make_type(*arguments: Any, **keywords: Any) -> Any:
    if len(arguments) != 1 or keywords:
        raise Unavailable("type() takes one argument here. Write a class statement instead.")
    return type_of(arguments[0])


def _make_function(*_arguments: Any, **_keywords: Any) -> NoReturn:
    raise Unavailable("A function is made with def or lambda here.")


def _make_field(*_arguments: Any, **_keywords: Any) -> NoReturn:
    raise Unavailable("A field of a dataclass is made with field() here.")


_SUBSCRIPT: Any = classmethod(_alias)
NDARRAY = _stand_in(np.ndarray, _make_array, __class_getitem__=_SUBSCRIPT)
MATRIX = _stand_in(np.matrix, _make_matrix)
TYPE = _stand_in(builtins.type, _make_type, __class_getitem__=_SUBSCRIPT)
FUNCTION = _stand_in(types.FunctionType, _make_function)
FIELD = _stand_in(dataclasses.Field, _make_field, __class_getitem__=_SUBSCRIPT)

_BY_REAL: dict[type, type] = {real: stand_in for stand_in, real in _REAL.items()}

_Scalar = typing.TypeVar("_Scalar", bound=np.generic, covariant=True)
NDARRAY_OF = types.GenericAlias(
    NDARRAY, (tuple[typing.Any, ...], types.GenericAlias(np.dtype, (_Scalar,)))
)
"""`numpy.typing.NDArray` over the stand-in: `NDArray[np.float64]` is an alias of it."""


def type_of(value: object) -> type:
    """`type(value)`, with stand-ins for the classes that have one."""
    if isinstance(value, builtins.type):
        return TYPE
    return stand_in_of(builtins.type(value))


def stand_in_of(real: type) -> type:
    """The stand-in of a class; the class itself where it has none."""
    if real is Format:
        return types.BuiltinMethodType
    return _BY_REAL.get(real, real)


def real_of(value: Any) -> Any:
    """The class of arrays that a stand-in stands for; every other value as it is."""
    return _REAL[value] if value is NDARRAY or value is MATRIX else value


def refuse_base(base: type) -> NoReturn:
    """Refuse a class statement whose base is a stand-in."""
    if base is TYPE:
        raise Unavailable("A metaclass isn't available here. Write a plain class.")
    if base in (NDARRAY, MATRIX):
        raise Unavailable(
            f"np.{base.__name__} cannot be inherited from here. Keep the array in an attribute."
        )
    raise TypeError(f"type {base.__name__!r} is not an acceptable base type")
