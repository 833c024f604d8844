"""How values are spelled in bytes, and read off bytes that are not believed; see `wire`.

Types are compared exactly, so nothing that a learner's class defines is ever called. Sizes are
compared with what is there before anything is made of them; every fault is a `FrameError`.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

_U8, _U16, _U32, _F64 = (struct.Struct("<" + code) for code in "BHId")

DTYPES = tuple(np.dtype(code) for code in "|b1 |i1 <i2 <i4 <i8 |u1 <u2 <u4 <u8 <f2 <f4 <f8".split())
"""The dtypes that cross, by their number on the wire."""

DEPTH = 3
CONTROL_DEPTH = 8
MAX_ITEMS = 4096
MAX_PARTS = 4096
"""Values in one result, those in tuples and dicts counted: each is an object on the other side."""

MAX_ARGUMENT_PARTS = 4 * MAX_PARTS
MAX_CONTROL_PARTS = 100_000
MAX_INT_BYTES = 512
MAX_NAME = 80
MAX_DIMENSIONS = 64

_CODES = {dtype: code for code, dtype in enumerate(DTYPES)}
_FLOATS = (np.float16, np.float32, np.float64, np.longdouble)
_INTEGERS = tuple(dict.fromkeys(np.dtype(code).type for code in "bhilqBHILQ"))
_type_name = type.__dict__["__name__"].__get__
_members_of = type.__dict__["__dict__"].__get__


class FrameError(Exception):
    """The bytes are no frame or no value; nothing more is believed of their writer."""


class Odd(NamedTuple):
    """An array that does not cross the wall."""

    dtype: str
    shape: tuple[int, ...]


class Named(NamedTuple):
    """Anything else, by the name of its type."""

    type_name: str


# ------------------------------------------------------------------ values to bytes


def encode(
    value: object, *, depth: int = DEPTH, room: int | None = None, most: int | None = None
) -> bytes:
    """The bytes of a value. Types are compared exactly: a subclass crosses by its name only.

    But a named tuple is a tuple: it crosses by its parts, as the tuple that it holds.

    With `room`, an array of more bytes crosses by description: it is not copied. With `most`, a
    tuple or dict of more parts, those of its parts counted, crosses by its name. Never calls
    anything that the value's class defines.
    """
    out: list[bytes] = []
    if most is not None and _parts(value, depth, most) > most:
        value = Named(type(value).__name__)
    _put(out.append, value, depth, room)
    return b"".join(out)


def _parts(value: Any, depth: int, most: int) -> int:
    """How many values a value is made of, itself counted; no more is looked at than `most` say."""
    count = 1
    value = _unnamed(value)
    kind = type(value)
    if depth == 0 or (kind is not tuple and kind is not dict) or len(value) > MAX_ITEMS:
        return count
    for part in value.values() if kind is dict else value:
        count += _parts(part, depth - 1, most - count)
        if count > most:
            break
    return count


def _is_named_tuple(kind: type) -> bool:
    """Whether a class is one of those that `namedtuple` and `NamedTuple` make, or inherits it."""
    classes = type.__dict__["__mro__"].__get__(kind)
    if tuple not in classes or kind in (Odd, Named):
        return False
    return any("_fields" in _members_of(base) for base in classes)


def _unnamed(value: Any) -> Any:
    """The plain tuple that a named tuple holds, without asking its class; all else as it is."""
    kind = type(value)
    if kind is tuple or not _is_named_tuple(kind):
        return value
    return tuple(tuple.__iter__(value))


def _put(put: Callable[[bytes], None], value: Any, depth: int, room: int | None) -> None:
    kind = type(value)
    if value is None:
        put(b"N")
    elif kind is np.ndarray:
        _put_array(put, value, room)
    elif kind is bool or kind is np.bool_:
        put(b"T" if value else b"F")
    elif kind is float or kind in _FLOATS:
        put(b"f" + _F64.pack(float(value)))
    elif kind is int or kind in _INTEGERS:
        _put_int(put, int(value))
    elif kind is str:
        put(b"s" + _text(value))
    elif kind in (tuple, dict, Odd, Named):
        _put_compound(put, value, depth, room)
    elif _is_named_tuple(kind):
        _put_compound(put, _unnamed(value), depth, room)
    else:
        put(b"?" + _text(_name(kind)))


def _put_int(put: Callable[[bytes], None], value: int) -> None:
    size = value.bit_length() // 8 + 1
    if size > MAX_INT_BYTES:
        put(b"?" + _text("int"))
    else:
        put(b"i" + _U16.pack(size) + value.to_bytes(size, "little", signed=True))


def _put_compound(put: Callable[[bytes], None], value: Any, depth: int, room: int | None) -> None:
    kind = type(value)
    if kind is Named:
        put(b"?" + _text(value.type_name))
    elif kind is Odd:
        put(b"o" + _text(value.dtype) + _dims(value.shape))
    elif depth == 0 or len(value) > MAX_ITEMS:
        put(b"?" + _text(_name(kind)))
    elif kind is tuple:
        put(b"(" + _U32.pack(len(value)))
        for item in value:
            _put(put, item, depth - 1, room)
    elif all(type(key) is str for key in value):
        put(b"{" + _U32.pack(len(value)))
        for key, item in value.items():
            put(_text(key))
            _put(put, item, depth - 1, room)
    else:
        put(b"?" + _text("dict"))


def _put_array(put: Callable[[bytes], None], array: np.ndarray[Any, Any], room: int | None) -> None:
    code = _CODES.get(array.dtype.newbyteorder("<"))
    if code is None or (room is not None and array.nbytes > room):
        put(b"o" + _text(str(array.dtype)[:MAX_NAME]) + _dims(array.shape))
    else:
        put(b"a" + _U8.pack(code) + _dims(array.shape))
        put(np.ascontiguousarray(array, DTYPES[code]).tobytes())


def _name(kind: type) -> str:
    return str(_type_name(kind))[:MAX_NAME]


def _dims(shape: tuple[int, ...]) -> bytes:
    return struct.pack(f"<B{len(shape)}Q", len(shape), *shape)


def _text(text: str) -> bytes:
    data = text.encode("utf-8", "surrogatepass")
    return _U32.pack(len(data)) + data


# ------------------------------------------------------------------ bytes to values


def decode(
    data: bytes,
    *,
    depth: int = DEPTH,
    most: int | None = None,
    odd: Callable[[str, tuple[int, ...]], Any] = Odd,
    named: Callable[[str], Any] = Named,
) -> Any:
    """The one value these bytes spell, arrays fresh and writable; `odd` and `named` make the rest.

    Raises FrameError for anything else, trailing bytes, nesting deeper than `depth` and more values
    than `most` included.
    """
    reader = _Reader(data, odd, named, len(data) if most is None else most)
    value = reader.value(depth)
    reader.end()
    return value


class _Reader:
    """Reads values off bytes that are not believed."""

    def __init__(
        self,
        data: bytes,
        odd: Callable[[str, tuple[int, ...]], Any],
        named: Callable[[str], Any],
        most: int,
    ) -> None:
        self._data, self._at, self._left = data, 0, most
        self._odd, self._named = odd, named

    def end(self) -> None:
        if self._at != len(self._data):
            raise FrameError("bytes after the value")

    def take(self, size: int) -> bytes:
        end = self._at + size
        if end > len(self._data):
            raise FrameError("the value ends early")
        part = self._data[self._at : end]
        self._at = end
        return part

    def value(self, depth: int) -> Any:
        if self._left == 0:
            raise FrameError("more values than one may hold")
        self._left -= 1
        tag = self.take(1)
        if tag in _CONSTANTS:
            return _CONSTANTS[tag]
        read = _READERS.get(tag)
        if read is not None:
            return read(self)
        if tag not in (b"(", b"{") or depth == 0:
            raise FrameError(f"no value begins with {tag!r} here")
        count: int = _U32.unpack(self.take(4))[0]
        if count > MAX_ITEMS:
            raise FrameError(f"{count} items")
        if tag == b"(":
            return tuple(self.value(depth - 1) for _ in range(count))
        return {self.text(): self.value(depth - 1) for _ in range(count)}

    def integer(self) -> int:
        size: int = _U16.unpack(self.take(2))[0]
        if not 1 <= size <= MAX_INT_BYTES:
            raise FrameError(f"an int of {size} bytes")
        return int.from_bytes(self.take(size), "little", signed=True)

    def float(self) -> float:
        number: float = _F64.unpack(self.take(8))[0]
        return number

    def text(self) -> str:
        data = self.take(_U32.unpack(self.take(4))[0])
        try:
            return data.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError as error:
            raise FrameError("text that is no UTF-8") from error

    def dims(self) -> tuple[int, ...]:
        count: int = _U8.unpack(self.take(1))[0]
        if count > MAX_DIMENSIONS:
            raise FrameError(f"{count} dimensions")
        return struct.unpack(f"<{count}Q", self.take(8 * count))

    def array(self) -> np.ndarray[Any, Any]:
        code: int = _U8.unpack(self.take(1))[0]
        if code >= len(DTYPES):
            raise FrameError(f"dtype number {code}")
        dtype, shape = DTYPES[code], self.dims()
        data = self.take(math.prod(shape) * dtype.itemsize)
        if dtype.kind == "b" and data.strip(b"\0\1"):
            raise FrameError("a bool that is neither 0 nor 1")
        try:
            return np.ndarray(shape, dtype, data).copy() if data else np.empty(shape, dtype)
        except ValueError as error:
            raise FrameError(f"no array has shape {shape}") from error

    def odd(self) -> Any:
        dtype = self.text()
        return self._odd(dtype[:MAX_NAME], self.dims())

    def named(self) -> Any:
        return self._named(self.text()[:MAX_NAME])


_CONSTANTS = {b"N": None, b"T": True, b"F": False}
_READERS: dict[bytes, Callable[[_Reader], Any]] = {
    b"i": _Reader.integer,
    b"f": _Reader.float,
    b"s": _Reader.text,
    b"a": _Reader.array,
    b"o": _Reader.odd,
    b"?": _Reader.named,
}
