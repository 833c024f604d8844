"""HTML that was made once is kept by the digest of its text, as long as there is room for it."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from app.model.bounds import REMEMBERED_CHARACTERS

T = TypeVar("T")


class Remembered(Generic[T]):
    """What was made of texts, the one used longest ago forgotten first; safe in several threads.

    `size` tells how many characters a thing is; together they stay within `most`.
    """

    def __init__(
        self,
        most: int = REMEMBERED_CHARACTERS,
        size: Callable[[T], int] = lambda made: len(str(made)),
    ) -> None:
        self._most, self._size = most, size
        self._kept: OrderedDict[bytes, tuple[T, int]] = OrderedDict()
        self._total = 0
        self._lock = Lock()

    def get(
        self, text: str, make: Callable[[str], T], keep: Callable[[], bool] = lambda: True
    ) -> T:
        """What `make` gives for a text, from memory where it was made before.

        `keep` is asked behind `make`: whether that is good for the next as well.
        """
        key = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        with self._lock:
            known = self._kept.get(key)
            if known is not None:
                self._kept.move_to_end(key)
                return known[0]
        made = make(text)
        if keep():
            self._keep(key, made)
        return made

    def _keep(self, key: bytes, made: T) -> None:
        size = self._size(made)
        with self._lock:
            if key in self._kept or size > self._most:
                return
            self._kept[key] = made, size
            self._total += size
            while self._total > self._most:
                _, (_, gone) = self._kept.popitem(last=False)
                self._total -= gone
