"""Stands between a caller and a runner, and keeps every byte that goes to the runner."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Recorder:
    """A port of its own; what comes there goes on to the runner."""

    def __init__(self, host: str, port: int) -> None:
        self._to = (host, port)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._lock = threading.Lock()
        self._sent = bytearray()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def name(self) -> str:
        """What MLGRIND_RUNNERS calls it."""
        return f"127.0.0.1:{self._listening.getsockname()[1]}"

    @property
    def sent(self) -> bytes:
        """All that went to the runner."""
        with self._lock:
            return bytes(self._sent)

    def close(self) -> None:
        self._listening.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                caller, _ = self._listening.accept()
                runner = socket.create_connection(self._to)
                for pair in ((caller, runner, True), (runner, caller, False)):
                    threading.Thread(target=self._pass_on, args=pair, daemon=True).start()

    def _pass_on(self, giver: socket.socket, taker: socket.socket, kept: bool) -> None:
        with suppress(OSError), giver:
            while data := giver.recv(1 << 16):
                if kept:
                    with self._lock:
                        self._sent += data
                taker.sendall(data)
            taker.shutdown(socket.SHUT_WR)


@contextmanager
def recorder(host: str, port: int) -> Iterator[Recorder]:
    made = Recorder(host, port)
    try:
        yield made
    finally:
        made.close()
