"""Both ends of a child: the one order as it reads it, and where it writes what it has to say."""

from __future__ import annotations

import os
import sys
from collections.abc import Container
from dataclasses import dataclass
from types import FrameType
from typing import Any, NoReturn

from app.jail import wire
from app.jail.control import PRINTS, RESULTS, Answer, OrderFrame


@dataclass(frozen=True)
class Work:
    """An order as it was read; `calls` are the function's name and its arguments, still spelled.

    Arguments stay bytes until their call, so that every call gets fresh ones.
    """

    files: dict[str, bytes]
    calls: tuple[tuple[str, bytes], ...]
    stdout_bytes: int
    result_bytes: int
    trace: bool


def read_work(descriptor: int) -> Work | None:
    """The order, read whole; None when there will be none."""
    parameters: dict[str, Any] = {}
    files: dict[str, bytes] = {}
    calls: list[tuple[str, bytes]] = []
    reader = wire.FrameReader(dict.fromkeys(OrderFrame.ALL, 2**32 - 1))
    while data := os.read(descriptor, 1 << 20):
        for kind, payload in reader.feed(data):
            if kind == OrderFrame.GO:
                return Work(files, tuple(calls), **parameters)
            if kind == OrderFrame.PARAMETERS:
                parameters = wire.decode(payload)
            else:
                name, rest = wire.split_name(payload)
                if kind == OrderFrame.FILE:
                    files[name] = rest
                else:
                    calls.append((name, rest))
    return None


class Answers:
    """Where a child writes; `held` frames go with the next one, so that most calls cost one write.

    `say` writes at once. Output is written as it comes: what was printed before an endless loop is
    what its author needs to see. `files` are the learner's, whose line a limit names.
    """

    def __init__(
        self,
        descriptor: int,
        stdout_bytes: int,
        result_bytes: int,
        files: Container[str] = frozenset(),
    ) -> None:
        self._descriptor, self._files = descriptor, files
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
            line = _line(sys._getframe(1), self._files)
            self.end(Answer.LIMIT, PRINTS if line is None else b"%s %d" % (PRINTS, line))

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


def _line(frame: FrameType | None, files: Container[str]) -> int | None:
    """The learner's innermost line that is being run."""
    while frame is not None and frame.f_code.co_filename not in files:
        frame = frame.f_back
    return None if frame is None else frame.f_lineno
