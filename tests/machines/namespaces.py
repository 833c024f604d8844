"""Machines that share this kernel and none of its networks: namespaces, cables, switches."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

RESULT_S = 60


def ip(*words: str) -> None:
    """Run `ip`, as root of this machine."""
    subprocess.run(["ip", *words], check=True, capture_output=True, timeout=RESULT_S)


@dataclass
class Networks:
    """Namespaces by name, and how many cables were laid; all names begin with `mark`."""

    mark: str
    made: list[str] = field(default_factory=list)
    cables: int = 0

    def machine(self, name: str) -> str:
        """A namespace with nothing in it but its own loopback; the name that `ip netns` knows."""
        full = f"{self.mark}-{name}"
        ip("netns", "add", full)
        self.made.append(full)
        ip("-n", full, "link", "set", "lo", "up")
        return full

    def switch(self, name: str, address: str = "") -> str:
        """A machine that joins the cables that are plugged into it; with an address, one to ask."""
        full = self.machine(name)
        ip("-n", full, "link", "add", "bridge", "type", "bridge")
        if address:
            ip("-n", full, "address", "add", address, "dev", "bridge")
        ip("-n", full, "link", "set", "bridge", "up")
        return full

    def plug(self, machine: str, switch: str, address: str, name: str) -> None:
        """Lay a cable from a machine to a switch."""
        self.cables += 1
        there = f"port{self.cables}"
        ip("-n", machine, "link", "add", name, "type", "veth", "peer", there, "netns", switch)
        ip("-n", switch, "link", "set", there, "master", "bridge", "up")
        ip("-n", machine, "address", "add", address, "dev", name)
        ip("-n", machine, "link", "set", name, "up")

    def python(self, machine: str, program: str, *words: str) -> subprocess.Popen[str]:
        """A program on that machine."""
        return subprocess.Popen(
            ["ip", "netns", "exec", machine, sys.executable, "-c", program, *words],
            stdout=subprocess.PIPE,
            text=True,
        )

    def reaches(self, machine: str, targets: Sequence[str]) -> frozenset[str]:
        """To which of these `address:port` a connection can be made from there."""
        asked = self.python(machine, ASKING, *targets)
        said, _ = asked.communicate(timeout=RESULT_S)
        return frozenset(said.split())

    def close(self) -> None:
        for name in self.made:
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)


ASKING = """
import socket, sys
from concurrent.futures import ThreadPoolExecutor
def reached(target):
    host, _, port = target.rpartition(":")
    try:
        socket.create_connection((host, int(port)), 1.0).close()
        return target
    except OSError:
        return ""
with ThreadPoolExecutor(64) as threads:
    print(*filter(None, threads.map(reached, sys.argv[1:])))
"""
LISTENING = """
import socket, sys
open = [socket.create_server((host, int(port))) for host, _, port in
        (word.rpartition(":") for word in sys.argv[1:])]
print("listening", flush=True)
while True:
    open[0].accept()
"""


def may_make_them() -> bool:
    """Whether this user may make namespaces here."""
    if os.geteuid() != 0:
        return False
    probe = f"mlgrind-{os.getpid()}-probe"
    made = subprocess.run(["ip", "netns", "add", probe], check=False, capture_output=True)
    subprocess.run(["ip", "netns", "del", probe], check=False, capture_output=True)
    return made.returncode == 0


@contextmanager
def networks() -> Iterator[Networks]:
    made = Networks(f"grind{os.getpid()}")
    try:
        yield made
    finally:
        made.close()
