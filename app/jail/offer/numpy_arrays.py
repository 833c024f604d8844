"""NumPy names put in place of those that read raw pointers or the caller's variables."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.jail.offer.refusals import Unavailable

_PLAIN_BUFFERS = (bytes, bytearray, np.ndarray, np.generic)


def frombuffer(
    buffer: Any, dtype: Any = float, count: int = -1, offset: int = 0, *, like: Any = None
) -> Any:
    """`np.frombuffer` of bytes and arrays of numbers.

    Over an array of objects the real one gives their addresses, and lets them be written.
    """
    if not isinstance(buffer, _PLAIN_BUFFERS) or getattr(buffer, "dtype", np.dtype("B")).hasobject:
        raise Unavailable("np.frombuffer takes bytes or an array of numbers here. Use np.array.")
    return np.frombuffer(buffer, dtype, count, offset, like=like)


def _without_text(key: object) -> object:
    """A key that is a text alone is looked up among the caller's variables: those are its own."""
    if isinstance(key, str):
        raise Unavailable("A text alone isn't available here. Name the arrays: np.r_[a, b].")
    return key


class _Rows(type(np.r_)):  # type: ignore[misc] # the class has no public name
    def __getitem__(self, key: object) -> Any:
        return super().__getitem__(_without_text(key))


class _Columns(type(np.c_)):  # type: ignore[misc] # the class has no public name
    def __getitem__(self, key: object) -> Any:
        return super().__getitem__(_without_text(key))


for _class, _real in ((_Rows, np.r_), (_Columns, np.c_)):
    _class.__name__ = _class.__qualname__ = type(_real).__name__
    _class.__doc__ = type(_real).__doc__

SAFE: dict[str, object] = {"frombuffer": frombuffer, "r_": _Rows(), "c_": _Columns()}
