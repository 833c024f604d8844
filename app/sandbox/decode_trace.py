"""Makes the `Trace` of a call from what a jail said of it, believing nothing.

Every field has its type, every text and every count its bound; anything else is a `FrameError`.
"""

from __future__ import annotations

from typing import Any, Literal, cast, get_args

import numpy as np

from app.jail.wire import FrameError
from app.model import Array, Assigned, Trace, TracedLine
from app.sandbox.decode_reports import count, flat_shape, get, instance, many, text, texts

TRACE_BYTES = 2 * 1024 * 1024
MAX_TEXT = 120
MAX_LINES = 512
MAX_NAMES = 16
"""Lines and names of one trace; an honest child sends fewer of both."""

_Kind = Literal["assign", "store", "loop", "return", "call"]


def trace(said: Any, call: int) -> Trace:
    """The trace of the call with this number in the order."""
    said_lines = many(said, "lines")
    if len(said_lines) > MAX_LINES:
        raise FrameError(f"a trace of {len(said_lines)} lines")
    lines = tuple(_line(item) for item in said_lines)
    return Trace(call, lines, text(said, "cut")[: 4 * MAX_TEXT])


def _line(said: Any) -> TracedLine:
    kind = get(said, "kind", None)
    if kind not in get_args(_Kind):
        raise FrameError("a traced line of no kind")
    first = tuple(_assigned(item) for item in many(said, "first"))
    last = tuple(_assigned(item) for item in many(said, "last"))
    arrays = tuple(_arrays(item) for item in many(said, "arrays"))
    if not len(first) == len(last) == len(arrays) <= MAX_NAMES:
        raise FrameError("a traced line whose names do not agree")
    return TracedLine(
        line=count(said, "line") or 1,
        function=text(said, "function")[:MAX_TEXT],
        kind=cast("_Kind", kind),
        passes=count(said, "passes") or 1,
        first=first,
        last=last,
        reads=texts(said, "reads")[:MAX_NAMES],
        calls=texts(said, "calls")[:MAX_NAMES],
        arrays=arrays,
    )


def _assigned(said: Any) -> Assigned:
    dtype = get(said, "dtype", None)
    shape = get(said, "shape", None)
    return Assigned(
        name=text(said, "name")[:MAX_TEXT],
        type_name=text(said, "type")[:MAX_TEXT],
        shape=None if shape is None else flat_shape(shape),
        dtype=None if dtype is None else instance(str, dtype)[:MAX_TEXT],
        text=text(said, "text")[:MAX_TEXT],
    )


def _arrays(said: Any) -> tuple[Array, ...]:
    return tuple(instance(np.ndarray, item) for item in instance(tuple, said))
