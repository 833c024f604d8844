"""What each board's stamp is: asked of the database once a second a class, however many watch."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from app.model.classes import ClassId

FRESH_S = 1.0
MOST = 5_000
"""Classes whose stamps are remembered at most."""


@dataclass
class _Known:
    """The stamp of one class, and when it is asked for again; `lock` is held while it is."""

    stamp: str = ""
    until: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)


class BoardStamps:
    """Stamps, each good for a second; safe to use from several threads.

    Who comes while another asks waits for that answer.
    """

    def __init__(self, read: Callable[[ClassId], str], steady: Callable[[], float]) -> None:
        self._read = read
        self._steady = steady
        self._known: dict[ClassId, _Known] = {}
        self._lock = threading.Lock()

    def get(self, class_id: ClassId) -> str:
        """The stamp as it is, or was less than a second ago."""
        known = self._of(class_id)
        with known.lock:
            if self._steady() >= known.until:
                known.stamp = self._read(class_id)
                known.until = self._steady() + FRESH_S
            return known.stamp

    def fresh_s(self, class_id: ClassId) -> float:
        """For how many seconds the stamp stays what it is, 0 where it would be asked for now."""
        return max(0.0, self._of(class_id).until - self._steady())

    def keep(self, class_id: ClassId, stamp: str, seconds: float) -> None:
        """Let this be the stamp for so long from now on."""
        known = self._of(class_id)
        with known.lock:
            if (until := self._steady() + seconds) > known.until:
                known.stamp, known.until = stamp, until

    def _of(self, class_id: ClassId) -> _Known:
        with self._lock:
            if len(self._known) >= MOST and class_id not in self._known:
                self._known.clear()
            return self._known.setdefault(class_id, _Known())
