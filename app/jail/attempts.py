"""What the self-test has a locked child try, one function each; a sound wall ends or refuses it."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable

GIBIBYTE = 1024**3


def open_socket() -> None:
    """Must end the child."""
    socket.socket().close()


def fork() -> None:
    """Must end the child."""
    if os.fork() == 0:
        os._exit(0)


def open_file() -> None:
    """Must be refused: PermissionError."""
    os.close(os.open("/etc/passwd", os.O_RDONLY))


def take_memory() -> None:
    """Must raise MemoryError."""
    bytearray(2 * GIBIBYTE)


def loop() -> None:
    """Must be ended by the limit on CPU."""
    while True:
        pass


ATTEMPTS: dict[str, Callable[[], None]] = {
    "open_socket": open_socket,
    "fork": fork,
    "open_file": open_file,
    "take_memory": take_memory,
    "loop": loop,
}
