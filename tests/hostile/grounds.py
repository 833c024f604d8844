"""The grounds around the wall: canaries, listeners and a sibling, and what became of them.

A breach is a canary read or changed, a listener reached, a sibling signalled, a process or a file
left behind, or an attack that says itself that it worked.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from app.model import Execution, Ran

CANARIES = Path("/tmp/mlgrind-canary")  # noqa: S108 - named in the cases
PORT = 18765
SECRET = b"MLGRIND_CANARY"
FILES = {"reference.py": b"# " + SECRET + b" reference\n", "app.db": SECRET + b" database"}
DROPPED_IN = (Path("/tmp"), Path("/dev/shm"), Path("/"))  # noqa: S108
DROPPED_NAMES = ("mlgrind_", "core", "x.npy")
BOAST = re.compile(r"['\"][A-Z][A-Z ]{3}")
JAIL_PROGRAM = b"jail/__main__.py"
LEFT_S = 120.0


class Grounds:
    """What an attack could reach if it got out."""

    def __init__(self, user: int) -> None:
        """`user` is whom the children run as, and so may signal."""
        self._user = user
        self._hits: list[str] = []
        self._sibling = self._start_sibling()
        self._before = _dropped()
        self._canaries = _canaries()

    def breaches(self, ran: Ran) -> list[str]:
        """All that went wrong since the last question; empty where the wall held."""
        found = [f"reached {where}" for where in self._hits]
        self._hits.clear()
        if _canaries() != self._canaries:
            found.append("a canary was changed")
            _place_canaries()  # so that the next one is blamed for its own deeds only
            self._canaries = _canaries()
        dropped = _dropped()
        found += [f"left {path}" for path in dropped - self._before]
        self._before = dropped
        if self._sibling.poll() is not None:
            found.append("a sibling was killed")
            self._sibling = self._start_sibling()
        found += [f"process {pid} was left" for pid in self._left()]
        return found + _boasts(ran)

    def _left(self) -> set[int]:
        """Processes that stay behind; one whose keeper another test killed is about to end."""
        left = set(_orphans(self._user))
        patience = time.monotonic() + LEFT_S
        while left and time.monotonic() < patience:
            os.sched_yield()
            left &= set(_orphans(self._user))
        return left

    def close(self) -> None:
        self._sibling.kill()
        self._sibling.wait()

    def listen(self, family: socket.AddressFamily, address: tuple[str, int] | str) -> socket.socket:
        """A listener that remembers who called."""
        server = socket.socket(family)
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family is socket.AF_INET:
            server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        server.bind(address)
        server.listen(8)
        threading.Thread(target=self._answer, args=(server,), daemon=True).start()
        return server

    def _answer(self, server: socket.socket) -> None:
        while True:
            try:
                caller, _ = server.accept()
            except OSError:  # closed: the grounds are left
                return
            self._hits.append(str(server.getsockname()))
            caller.close()

    def _start_sibling(self) -> subprocess.Popen[bytes]:
        user = self._user if os.geteuid() == 0 else None
        return subprocess.Popen(["sleep", "3600"], user=user)


@contextlib.contextmanager
def grounds(user: int) -> Iterator[Grounds]:
    """Grounds with everything in place, shared in peace with another run of the corpus."""
    with _alone():
        _place_canaries()
        in_use = os.open(CANARIES, os.O_RDONLY)
        fcntl.flock(in_use, fcntl.LOCK_SH)
    laid = Grounds(user)
    abstract = f"\0mlgrind_canary_{os.getpid()}"
    servers = [
        laid.listen(socket.AF_INET, ("127.0.0.1", PORT)),
        laid.listen(socket.AF_UNIX, abstract),
    ]
    try:
        yield laid
    finally:
        for server in servers:
            with contextlib.suppress(OSError):
                server.shutdown(socket.SHUT_RDWR)  # wakes the thread in accept()
            server.close()
        laid.close()
        with _alone():
            _clear_if_last(in_use)
        os.close(in_use)


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """For a moment no other run lays or clears; the lock is a folder: it leaves no file behind."""
    lock = os.open(CANARIES.parent, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _place_canaries() -> None:
    CANARIES.mkdir(exist_ok=True)
    CANARIES.chmod(0o777)
    for name, content in FILES.items():
        path = CANARIES / name
        if not path.exists() or path.read_bytes() != content:
            path.write_bytes(content)
            path.chmod(0o666)


def _clear_if_last(in_use: int) -> None:
    try:
        fcntl.flock(in_use, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return
    for path in CANARIES.iterdir():
        path.unlink()
    CANARIES.rmdir()


def _canaries() -> dict[str, tuple[int, int, bytes]]:
    found = {}
    for path in sorted(CANARIES.iterdir()):
        status = path.lstat()
        found[path.name] = (status.st_mode, status.st_mtime_ns, path.read_bytes())
    return found


def _dropped() -> set[Path]:
    return {
        path
        for folder in DROPPED_IN
        if folder.is_dir()
        for path in folder.iterdir()
        if path.name.startswith(DROPPED_NAMES)
    }


def _orphans(user: int) -> list[int]:
    """Processes of the children's program and user that no keeper is above."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):  # it ended while we looked
                pid = int(entry.name)
                mine = entry.stat().st_uid in (user, 0) and JAIL_PROGRAM in _command(pid)
                if mine and not _is_keeper_or_below(pid):
                    found.append(pid)
    return found


def _is_keeper_or_below(pid: int) -> bool:
    """Whether the jail's programs above `pid` reach up to one that this or another run started."""
    while True:
        parent = _parent(pid)
        if parent in (0, 1):
            return False
        if JAIL_PROGRAM not in _command(parent):
            return True
        pid = parent


def _command(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def _parent(pid: int) -> int:
    stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    return int(stat.rpartition(")")[2].split()[1])


def _boasts(ran: Ran) -> list[str]:
    """Attacks raise KeyError with a shout, or print what they read, where they worked."""
    found = []
    for execution in (ran.loading, *ran.executions):
        raised = execution.raised
        if raised is not None and raised.type == "KeyError" and BOAST.match(raised.message):
            found.append(f"the attack says that it worked: {raised.message}")
        if _leaked(execution):
            found.append(f"the attack read something: {execution.stdout[:80]!r}")
    return found


def _leaked(execution: Execution) -> bool:
    printed = execution.stdout.encode("utf-8", "replace")
    return any(sign in printed for sign in (SECRET, b"root:x:", b"uid="))
