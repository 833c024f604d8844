"""Ports for processes that a test starts a moment later, or stops and starts again."""

from __future__ import annotations

import socket
from contextlib import suppress
from pathlib import Path
from random import choice


def free_port() -> int:
    """A free one of those that the system gives to nobody who asks for any.

    Another would be given to somebody else before a process listens there, or while it is stopped.
    """
    given = Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()
    first, last = map(int, given)
    every = range(20_000, 65_536)
    ports = [port for port in every if not first <= port <= last] or every
    while True:
        port = choice(ports)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
