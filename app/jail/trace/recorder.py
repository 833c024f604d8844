"""Inside: records what each line of a traced call assigned: names, types, shapes, bounded copies.

Nothing here calls what a learner's class defines, or fails because of what a value is. A traced
call that takes too long is ended by an exception: its trace is all that anybody wants of it.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from app.jail.trace.rewriter import GAVE, NOTE, NotedPlace, NotedPlaces

BUDGET_NS = 60_000_000
"""CPU a traced call may use before it is ended; well within the fast lane."""

MOST_BYTES = 512 * 1024
MOST_ARRAY_BYTES = 64 * 1024
MOST_PASSES = 64
MAX_TEXT = 60
_EVERY = 32
_PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))
_type_name = type.__dict__["__name__"].__get__

_SCALARS = frozenset(np.sctypeDict.values())
_COMPARED = frozenset(np.dtype(code) for code in "?bBhHiIlLqQefd")

Described = dict[str, Any]
Copied = np.ndarray[Any, Any]


class TraceStopped(BaseException):
    """Ends a traced call that took too long; learner code may catch it and gains nothing."""


class _Seen:
    """What one site has assigned so far: the values of its first and last pass, and their copies.

    A value is told as it is where nothing can change it, else by what is said of it. `held` are the
    values of the last pass themselves: whether the next pass has another array, or the same one
    with more in it, is told by identity.
    """

    __slots__ = ("arrays", "first", "held", "last", "order", "passes")

    def __init__(self, order: int, names: int) -> None:
        self.order, self.passes = order, 0
        self.first: list[Any] = []
        self.last: list[Any] = []
        self.held: tuple[Any, ...] = (None,) * names
        self.arrays: list[list[Copied]] = [[] for _ in range(names)]


class Tracer:
    """The sites of the files loaded, and what was seen at them during one call."""

    def __init__(self) -> None:
        self._sites: list[NotedPlace] = []
        self._full = False
        self._seen: dict[int, _Seen] = {}
        self._left = MOST_BYTES
        self._cut: dict[str, None] = {}
        self._notes, self._until = 0, 0

    def rewrite(self, tree: Any) -> None:
        """Put the notes into a parsed file."""
        sites = NotedPlaces()
        sites.found = self._sites
        sites.rewrite(tree)
        self._full = self._full or sites.full

    @property
    def names(self) -> dict[str, Any]:
        """What the notes call; no program can spell these names."""
        return {NOTE: self.note, GAVE: self.gave}

    def start(self) -> None:
        """Begin a call with nothing seen."""
        self._seen, self._left, self._cut, self._notes = {}, MOST_BYTES, {}, 0
        if self._full:
            self._cut["Only the first lines of this long program are traced."] = None
        self._until = time.thread_time_ns() + BUDGET_NS

    def gave(self, site: int, value: Any) -> Any:
        """Note one value, and give it on."""
        self.note(site, value)
        return value

    def note(self, site: int, *values: Any) -> None:
        """Note what the names of a site hold now. Raises TraceStopped when time is up."""
        if not self._until:
            return
        self._notes += 1
        if self._notes % _EVERY == 0 and time.thread_time_ns() > self._until:
            self._cut[f"The trace ends here, after {BUDGET_NS // 1_000_000} ms."] = None
            raise TraceStopped
        seen = self._seen.get(site)
        if seen is None:
            seen = self._seen[site] = _Seen(len(self._seen), len(values))
        seen.passes += 1
        late = seen.passes > MOST_PASSES
        told = zip(seen.arrays, values, seen.held, strict=False)
        seen.last = [self._keep(kept, value, late or value is held) for kept, value, held in told]
        seen.held = values
        if seen.passes == 1:
            seen.first = seen.last

    def _keep(self, kept: list[Copied], value: Any, only_last: bool) -> Any:
        """Add a copy of this pass's array to those of the passes before, or put it in their place.

        A pass without one takes the others away: half of a stack is compared with nothing. Gives
        what is to be told of the value.
        """
        kind = type(value)
        if kind in _PLAIN:
            return value
        if only_last:
            self._forget(kept)
        array = self._copied(value, kind)
        if array is not None:
            kept.append(array)
        elif kept:
            self._forget(kept)
        return array if kind is np.ndarray and array is not None else _describe(value)

    def _forget(self, kept: list[Copied]) -> None:
        self._left += sum(array.nbytes for array in kept)
        kept.clear()

    def finish(self) -> dict[str, Any]:
        """The trace of the call: lines in the order in which they first assigned something."""
        self._until = 0
        found = sorted(self._seen.items(), key=lambda item: item[1].order)
        lines = tuple(self._line(self._sites[number], seen) for number, seen in found)
        return {"lines": lines, "cut": " ".join(self._cut)}

    def _line(self, site: NotedPlace, seen: _Seen) -> dict[str, Any]:
        return {
            "line": site.line,
            "function": site.function,
            "kind": site.kind,
            "passes": seen.passes,
            "first": _named(site, seen.first),
            "last": _named(site, seen.last),
            "arrays": tuple(tuple(kept) for kept in seen.arrays),
            "reads": site.reads,
            "calls": site.calls,
        }

    def _copied(self, value: Any, kind: type) -> Copied | None:
        """A copy of an array, or of a list of arrays of one shape as one array."""
        if kind is np.ndarray:
            size = value.nbytes
            if value.dtype not in _COMPARED or not self._fits(size):
                return None
            self._left -= size
            copy: Copied = value.copy()
            return copy
        if kind not in (list, tuple) or not 0 < len(value) <= MOST_PASSES:
            return None
        first = value[0]
        if any(type(v) is not np.ndarray for v in value) or first.dtype not in _COMPARED:
            return None
        if any(v.shape != first.shape or v.dtype != first.dtype for v in value):
            return None
        size = first.nbytes * len(value)
        if not self._fits(size):
            return None
        self._left -= size
        return np.stack(value)

    def _fits(self, size: int) -> bool:
        if size <= MOST_ARRAY_BYTES and size <= self._left:
            return True
        self._cut["Arrays beyond 64 KiB each, or 512 KiB in all, are not compared."] = None
        return False


def _describe(value: Any) -> Described:
    kind = type(value)
    said: Described = {"type": _type_name(kind)[:MAX_TEXT]}
    if kind is np.ndarray:
        said["shape"], said["dtype"] = value.shape, str(value.dtype)[:MAX_TEXT]
    elif kind in (list, tuple):
        said["text"] = _items(value)
    elif kind in _SCALARS:
        said["text"], said["dtype"] = _text(value.item()), str(value.dtype)[:MAX_TEXT]
    else:
        said["text"] = _text(value)
    return said


def _named(site: NotedPlace, values: list[Any]) -> tuple[Described, ...]:
    return tuple(
        {"name": name, **(value if type(value) is dict else _describe(value))}
        for name, value in zip(site.names, values, strict=False)
    )


def _items(values: Any) -> str:
    """ "3 × (5, 4)" for arrays of one shape, else how many items there are."""
    if values and all(type(v) is np.ndarray for v in values):
        shapes = {v.shape for v in values}
        if len(shapes) == 1:
            return f"{len(values)} × {shapes.pop()}"[:MAX_TEXT]
    if 0 < len(values) <= 8 and all(type(v) in (bool, int, float) for v in values):
        return ", ".join(_text(v) for v in values)[:MAX_TEXT]
    return f"{len(values)} {'item' if len(values) == 1 else 'items'}"


def _text(value: Any) -> str:
    """A plain value's text, cut; "" for anything whose text its own class would make."""
    kind = type(value)
    if kind is slice and all(type(p) in (int, type(None)) for p in _parts(value)):
        return repr(value)[:MAX_TEXT]
    if kind not in _PLAIN:
        return ""
    if kind is int and value.bit_length() > 4 * MAX_TEXT:
        return f"a whole number of {value.bit_length()} bits"
    if kind is float:
        return f"{value:.6g}"
    text = repr(value[: MAX_TEXT + 1] if kind in (str, bytes) else value)
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


def _parts(value: slice) -> tuple[Any, Any, Any]:
    return value.start, value.stop, value.step
