"""Locks by name: who wants the same waits for the first one, who wants something else does not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock


@dataclass
class _Turn:
    """One name's lock, and how many hold it or wait for it."""

    lock: Lock = field(default_factory=Lock)
    users: int = 0


class OneByOne:
    """A lock for each name in use, forgotten when its last user is done."""

    def __init__(self) -> None:
        self._turns: dict[str, _Turn] = {}
        self._lock = Lock()

    @contextmanager
    def of(self, name: str) -> Iterator[None]:
        """Alone with this name; others with the same one come after."""
        with self._lock:
            turn = self._turns.setdefault(name, _Turn())
            turn.users += 1
        try:
            with turn.lock:
                yield
        finally:
            with self._lock:
                turn.users -= 1
                if not turn.users:
                    del self._turns[name]
