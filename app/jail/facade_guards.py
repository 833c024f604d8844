"""The guards of the running program: attribute access, attribute stores, classes, `str.format`.

Each is made for one module name, by which it knows the learner's own classes and functions: on
those anything goes that plain Python allows. On all others a name that reaches memory, files,
modules or frames is refused, and so is any module, code object, frame or traceback that a name
would give.
"""

from __future__ import annotations

import _string  # type: ignore[import-not-found] # typeshed leaves it out
import builtins
import io
import string
import types
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, NoReturn

import numpy as np
from RestrictedPython.transformer import INSPECT_ATTRIBUTES

from app.jail.facade_frozen import Namespace, sentence
from app.jail.facade_stand_ins import StandIn, refuse_base
from app.jail.policy_names import (
    DUNDER_METHODS,
    DUNDER_READS,
    DUNDER_WRITES,
    GUARDED,
    NAMED_TUPLE_NAMES,
    is_dunder,
)
from app.jail.policy_refusals import METACLASS, Unavailable, UnavailableAttribute, attribute, frozen

_UNSAFE = (
    types.ModuleType,
    types.CodeType,
    types.FrameType,
    types.TracebackType,
    io.IOBase,
)
_ARRAY_STORES = frozenset(["shape", "dtype", "flat", "real", "imag"])
_PLAIN = (
    int, float, complex, str, bytes, type(None), tuple, range, slice, frozenset,
    np.generic, types.GeneratorType, types.MethodType, types.BuiltinFunctionType,
)  # fmt: skip
_OPEN = (list, dict, set, bytearray, BaseException, type(np.zeros(1).flags), np.flatiter)
"""Instances whose attributes may be set: Python itself says what they have."""


class Guards(NamedTuple):
    """The guards of one module; `read` and `write` are called by compiled code."""

    read: Callable[[Any, str], Any]
    write: Callable[[Any, str], Any]
    getattr: Callable[..., Any]
    hasattr: Callable[[Any, str], bool]
    setattr: Callable[[Any, str, Any], None]
    delattr: Callable[[Any, str], None]
    build_class: Callable[..., Any]


def refuse(name: str, value: object) -> NoReturn:
    """Raise the refusal of an attribute, as an AttributeError that knows its object."""
    raise UnavailableAttribute(sentence(attribute(name)), name=name, obj=value)


def guards(module: str) -> Guards:  # noqa: C901 -- its functions share one name and are plain
    """The guards for code whose `__name__` is `module`."""

    def own(value: object) -> bool:
        """Whether the learner's code made this class, this function, or this object's class."""
        kind = type(value)
        if kind is types.FunctionType:
            return value.__module__ == module
        return (value if isinstance(value, type) else kind).__module__ == module

    def read(value: Any, name: str) -> Any:
        if name in GUARDED or name[0] == "_" or name in INSPECT_ATTRIBUTES:
            return careful(value, name)
        found = getattr(value, name)
        if isinstance(found, _UNSAFE):
            refuse(name, value)
        return found

    def careful(value: Any, name: str) -> Any:
        if name in INSPECT_ATTRIBUTES:
            refuse(name, value)
        if is_dunder(name):
            allowed = name in DUNDER_READS or (name in DUNDER_METHODS and inherits(value))
        elif name[0] == "_":
            allowed = own(value) or isinstance(value, super) or name in NAMED_TUPLE_NAMES
        elif name in ("format", "format_map"):
            return formatted(value, name)
        else:
            allowed = not gives_memory(value, name)
        if not allowed:
            refuse(name, value)
        found = getattr(value, name)
        if isinstance(found, _UNSAFE):
            refuse(name, value)
        return found

    def inherits(value: Any) -> bool:
        if isinstance(value, type):
            return own(value) or value is object or issubclass(value, BaseException)
        return isinstance(value, super) or own(value)

    def gives_memory(value: Any, name: str) -> bool:
        if name == "obj":
            return False
        if name == "resize" and not isinstance(value, (np.ndarray, np.generic, type)):
            return False
        if not own(value) or isinstance(value, types.FunctionType):
            return isinstance(value, type) or hasattr(value, name)
        classes = value.__mro__ if isinstance(value, type) else type(value).__mro__
        owner = next((c for c in classes if name in c.__dict__), None)
        return owner is not None and owner.__module__ != module

    def formatted(value: Any, name: str) -> Any:
        if isinstance(value, type) and issubclass(value, str):
            refuse(name, value)
        found = getattr(value, name)
        if not isinstance(value, str) or type(found) is not types.BuiltinMethodType:
            return found
        return _Format(value, name, read)

    def write(value: Any, name: str) -> Any:
        if own(value):
            return value
        if isinstance(value, np.ndarray):
            if name in GUARDED or (name[0] != "_" and name not in _ARRAY_STORES):
                if hasattr(value, name):
                    refuse(name, value)
            return value
        if isinstance(value, _PLAIN + _OPEN):
            return value
        if isinstance(value, Namespace):
            setattr(value, name, None)
        kind = value.__name__ if isinstance(value, type) else f"a {type(value).__name__}"
        raise Unavailable(sentence(frozen(kind)))

    def exact(name: object) -> str:
        if type(name) is not str:
            raise TypeError(f"attribute name must be string, not {type(name).__name__!r}")
        return name

    def safe_getattr(value: Any, name: str, /, *default: Any) -> Any:
        if len(default) > 1:
            raise TypeError(f"getattr expected at most 3 arguments, got {len(default) + 2}")
        if exact(name) == "":
            return getattr(value, name, *default)
        try:
            return read(value, name)
        except UnavailableAttribute:
            raise
        except AttributeError:
            if default:
                return default[0]
            raise

    def safe_hasattr(value: Any, name: str, /) -> bool:
        return hasattr(value, exact(name))

    def settable(value: Any, name: str) -> Any:
        if exact(name) in INSPECT_ATTRIBUTES or (is_dunder(name) and name not in DUNDER_WRITES):
            refuse(name, value)
        return write(value, name or " ")

    def safe_setattr(value: Any, name: str, new: Any, /) -> None:
        setattr(settable(value, name), name, new)

    def safe_delattr(value: Any, name: str, /) -> None:
        delattr(settable(value, name), name)

    def build_class(body: Any, name: str, *bases: Any, **keywords: Any) -> Any:
        if "metaclass" in keywords:
            raise Unavailable(sentence(METACLASS))
        for base in bases:
            if isinstance(base, StandIn):
                refuse_base(base)
        return builtins.__build_class__(body, name, *bases, **keywords)

    return Guards(read, write, safe_getattr, safe_hasattr, safe_setattr, safe_delattr, build_class)


class _Format:
    """`text.format` whose fields reach attributes through the guard."""

    __slots__ = ("_name", "_read", "_text")

    def __init__(self, text: str, name: str, read: Callable[[Any, str], Any]) -> None:
        self._text, self._name, self._read = str.__str__(text), name, read

    def __call__(self, *arguments: Any, **keywords: Any) -> str:
        if not _reaches_attributes(self._text):
            return str(getattr(self._text, self._name)(*arguments, **keywords))
        if self._name == "format":
            return _Formatter(self._read).vformat(self._text, arguments, keywords)
        if len(arguments) != 1 or keywords:
            raise TypeError(f"str.format_map() takes exactly one argument ({len(arguments)} given)")
        return _Formatter(self._read).vformat(self._text, (), arguments[0])


def _reaches_attributes(text: str) -> bool:
    """Whether a format text asks for an attribute, in a field or in a field of its format."""
    for _, field, spec, _ in _string.formatter_parser(text):
        if field is None:
            continue
        if any(is_attribute for is_attribute, _ in _string.formatter_field_name_split(field)[1]):
            return True
        if spec and _reaches_attributes(spec):
            return True
    return False


class _Formatter(string.Formatter):
    def __init__(self, read: Callable[[Any, str], Any]) -> None:
        self._read = read

    def get_field(self, field_name: str, args: Any, kwargs: Mapping[str, Any]) -> Any:
        first, rest = _string.formatter_field_name_split(field_name)
        value = self.get_value(first, args, kwargs)
        for is_attribute, key in rest:
            value = self._read(value, key) if is_attribute else value[key]
        return value, first
