"""One child of the keeper as the trusted side holds it: its pipes, its clocks, its end."""

from __future__ import annotations

import os
import signal
import socket
import time
from dataclasses import dataclass
from io import FileIO

from app.jail.control import ENDED, Control

CHILD_S = 30.0
MESSAGE_BYTES = 4096
FILE_BYTES = 8192
"""What is read of a file of /proc; the longest of ours has some 1,500."""


class KeeperGone(Exception):
    """The keeper ended or does not answer; a new one may do better."""


@dataclass(frozen=True)
class Exit:
    """How the kernel says a child ended: wait status, seconds of CPU since its fork, peak bytes."""

    status: int
    cpu_s: float
    peak_memory_bytes: int

    @property
    def signal(self) -> signal.Signals | None:
        """What ended it, or None where it left by itself."""
        return signal.Signals(os.WTERMSIG(self.status)) if os.WIFSIGNALED(self.status) else None

    @property
    def clean(self) -> bool:
        """Whether it left by itself with status 0."""
        return self.status == 0


@dataclass(frozen=True)
class Child:
    """The trusted side's ends of one child; `pid` is its number on this side of the namespaces."""

    socket: socket.socket
    order: FileIO
    answers: FileIO
    pidfd: int
    pid: int

    def cpu_s(self) -> float:
        """Seconds of CPU it has used; raises OSError once it has been reaped."""
        return time.clock_gettime((~self.pid << 3) | 2)  # its CPU clock, clock_getcpuclockid(3)

    def scheduled(self) -> tuple[float, int]:
        """Seconds it was ready to run and had no CPU, and how often it was given one.

        The kernel adds a wait once it is over. 0 and 0 where it does not tell.
        """
        try:
            _, delay_ns, runs = _read(f"/proc/{self.pid}/schedstat").split()
            return int(delay_ns) / 1e9, int(runs)
        except (OSError, ValueError):
            return 0.0, 0

    def wants_to_run(self) -> bool:
        """Whether it is on a CPU or waits for one, and does not sleep."""
        try:
            return _read(f"/proc/{self.pid}/stat").rpartition(b")")[2].split()[0] == b"R"
        except (OSError, IndexError):
            return False

    def peak_memory_bytes(self) -> int | None:
        """The most memory it ever had resident; None once it has none, or is gone."""
        try:
            return int(_field(_read(f"/proc/{self.pid}/status"), b"VmHWM:")) * 1024
        except (OSError, ValueError, IndexError):
            return None

    def stop(self) -> None:
        """Have it stand still until `go_on`."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it run again."""
        self._signal(signal.SIGCONT)

    def kill(self) -> None:
        """End it now, if it has not ended."""
        self._signal(signal.SIGKILL)

    def _signal(self, number: signal.Signals) -> None:
        try:
            signal.pidfd_send_signal(self.pidfd, number)
        except ProcessLookupError:
            pass

    def exit(self) -> Exit:
        """The keeper's report; blocks until it comes, raises KeeperGone where it does not."""
        try:
            message = self.socket.recv(MESSAGE_BYTES)
        except OSError as error:
            raise KeeperGone("no report of a child's end") from error
        if len(message) != ENDED.size:
            raise KeeperGone("the keeper ended before its child")
        _, status, user_s, system_s, kib = ENDED.unpack(message)
        return Exit(status, user_s + system_s, kib * 1024)

    def close(self) -> None:
        """End it and let go of it."""
        self.kill()
        self.socket.close()
        self.order.close()
        self.answers.close()
        os.close(self.pidfd)


def receive(end: socket.socket) -> Child:
    """The child whose socket this is, once the keeper has made it. Raises KeeperGone."""
    end.settimeout(CHILD_S)
    try:
        message, descriptors, _, _ = socket.recv_fds(end, MESSAGE_BYTES, 3)
        if message != Control.CHILD or len(descriptors) != 3:
            raise KeeperGone("the keeper made no child")
    except OSError as error:
        end.close()
        raise KeeperGone("the keeper made no child in time") from error
    except KeeperGone:
        end.close()
        raise
    order, answers, pidfd = descriptors
    return Child(end, FileIO(order, "w"), FileIO(answers), pidfd, _pid(pidfd))


def _pid(pidfd: int) -> int:
    return int(_field(_read(f"/proc/self/fdinfo/{pidfd}"), b"Pid:"))


def _read(path: str) -> bytes:
    """A small file of /proc, by three system calls and no buffer: two of them an order."""
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(file, FILE_BYTES)
    finally:
        os.close(file)


def _field(text: bytes, name: bytes) -> bytes:
    """The first word behind a name at the beginning of a line. Raises IndexError."""
    return text.split(b"\n" + name, 1)[1].split(None, 1)[0]
