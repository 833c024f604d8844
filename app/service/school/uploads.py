"""Files between two steps of one person: a dry run and its "Apply", a filling and its download."""

from __future__ import annotations

import secrets
import threading

from app.model.classes import ClassId
from app.service.school.errors import Conflict

KEPT_FILES = 20
"""Uploaded files that wait for their "Apply" at most."""


class Uploads:
    """Files between their dry run and their "Apply", in memory, the oldest going first."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[ClassId, bytes]] = {}
        self._lock = threading.Lock()

    def keep(self, class_id: ClassId, data: bytes) -> str:
        """Remember a file under a token."""
        token = secrets.token_urlsafe(16)
        with self._lock:
            self._kept[token] = (class_id, data)
            while len(self._kept) > KEPT_FILES:
                del self._kept[next(iter(self._kept))]
        return token

    def get(self, class_id: ClassId, token: str) -> bytes:
        """The file of a token. Raises Conflict where it is no longer here."""
        with self._lock:
            found = self._kept.get(token)
        if found is None or found[0] != class_id:
            raise Conflict("This upload is no longer here. Upload the file again.")
        return found[1]

    def drop(self, token: str) -> None:
        """Forget a file."""
        with self._lock:
            self._kept.pop(token, None)
