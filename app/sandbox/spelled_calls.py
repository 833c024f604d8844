"""Calls as a child reads them, spelled once: every submission of an exercise makes the same ones.

They are known by the very arguments that expectations hold. Whatever is sent once only, as a
learner's own arguments, is soon pushed out by what is sent again.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from app.jail import wire
from app.jail.control import OrderFrame
from app.model import Call, Value

KEPT_BYTES = 1 << 20


class SpelledCalls:
    """The frames of the calls sent lately; safe to use from several threads."""

    def __init__(self, most: int = KEPT_BYTES) -> None:
        """`most`: bytes of all frames that are kept."""
        self._most = most
        self._total = 0
        self._kept: OrderedDict[tuple[str, int], tuple[tuple[Value, ...], bytes]] = OrderedDict()
        self._lock = Lock()

    def frame(self, call: Call) -> bytes:
        """The frame of a call, its arguments' bytes in it."""
        key = call.function, id(call.arguments)
        with self._lock:
            known = self._kept.get(key)
            if known is not None and known[0] is call.arguments:
                self._kept.move_to_end(key)
                return known[1]
        made = _frame(call)
        self._keep(key, call.arguments, made)
        return made

    def _keep(self, key: tuple[str, int], arguments: tuple[Value, ...], made: bytes) -> None:
        with self._lock:
            if key in self._kept or len(made) > self._most // 16:
                return
            self._kept[key] = arguments, made  # the arguments too: as long as they are, so is id()
            self._total += len(made)
            while self._total > self._most:
                _, (_, gone) = self._kept.popitem(last=False)
                self._total -= len(gone)


def _frame(call: Call) -> bytes:
    arguments = wire.encode(call.arguments, depth=wire.DEPTH + 1)
    return wire.frame(OrderFrame.CALL, wire.named_bytes(call.function, arguments))


calls = SpelledCalls()
