"""Where a child writes what it has to say, and the polite bounds on how much that may be."""

from __future__ import annotations

import os
from typing import NoReturn

from app.jail import wire
from app.jail.control import PRINTS, RESULTS, Answer


class Answers:
    """Where a child writes; `held` frames go with the next one, so that most calls cost one write.

    `say` writes at once. Output is written as it comes: what was printed before an endless loop is
    what its author needs to see.
    """

    def __init__(self, descriptor: int, stdout_bytes: int, result_bytes: int) -> None:
        self._descriptor = descriptor
        self._held = b""
        self._stdout_left = stdout_bytes
        self._results_left = result_bytes

    def hold(self, kind: bytes, payload: bytes) -> None:
        """Keep a frame until the next is said."""
        self._held += wire.frame(kind, payload)

    def say(self, kind: bytes, payload: bytes = b"") -> None:
        """Write this frame, and those held before it."""
        data = self._held + wire.frame(kind, payload)
        self._held = b""
        wire.write_all(self._descriptor, data)

    def print(self, text: str) -> None:
        """Send printed text; ends the process where it is too much."""
        data = text[: self._stdout_left + 1].encode("utf-8", "backslashreplace")
        room = self._stdout_left
        self._stdout_left -= len(data)
        if data[:room]:
            self.say(Answer.PRINTED, data[:room])
        if self._stdout_left < 0:
            self.end(Answer.LIMIT, PRINTS)

    def result(self, payload: bytes) -> None:
        """Hold what a call gave; ends the process where all results are too much."""
        self._results_left -= len(payload)
        if self._results_left < 0:
            self.end(Answer.LIMIT, RESULTS)
        self.hold(Answer.VALUE, payload)

    def end(self, kind: bytes, payload: bytes = b"") -> NoReturn:
        """Say the last frame and leave, with no finalizer, thread or exit handler after it."""
        self.say(kind, payload)
        os._exit(0)
