"""The keeper as the trusted side sees it: a process started clean, asked for children, ended.

What a child is sent, and how its answers are read, is `child.py`'s.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import struct
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from io import FileIO
from math import ceil
from pathlib import Path
from typing import Any

from app.model import Lane, Limits
from app.ports import SandboxFault

REQUEST = struct.Struct("<cIQBB")
REPORT = struct.Struct("<cIddQ")
"""As `app.jail.server` spells them."""

START_S = 30.0
CHILD_S = 10.0
END_S = 5.0
MESSAGE_BYTES = 4096
SPARE_CPU_ROOM_S = 2
"""The kernel's own CPU limit is the last resort, so it leaves room for the rehearsal."""

PASSED_ON = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
ENVIRONMENT = {
    "OPENBLAS_NUM_THREADS": "1",  # a second thread would be a clone(), which ends a child
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",  # the order of a set of strings is the same in every run
    "PYTHONDONTWRITEBYTECODE": "1",
    "LANG": "C.UTF-8",
}


DEFAULT_LIMITS = Limits()


class KeeperGone(Exception):
    """The keeper ended or does not answer; a new one may do better."""


@dataclass(frozen=True)
class Layers:
    """Which optional parts of the wall are used. Only the tests of the wall switch any off.

    `user` is the user id to run the keeper as, for a server that is root; None: its own.
    """

    policy: bool = True
    seccomp: bool = True
    landlock: bool = True
    namespaces: bool = True
    other_user: bool = True
    user: int | None = None


ALL_LAYERS = Layers()


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

    def run_delay_s(self) -> float:
        """Seconds it was ready to run and had no CPU; 0 where the kernel does not tell."""
        try:
            with open(f"/proc/{self.pid}/schedstat", encoding="ascii") as file:
                return int(file.read().split()[1]) / 1e9
        except (OSError, IndexError, ValueError):
            return 0.0

    def wants_to_run(self) -> bool:
        """Whether it is on a CPU or waits for one, and does not sleep."""
        try:
            with open(f"/proc/{self.pid}/stat", encoding="ascii", errors="replace") as file:
                return file.read().rpartition(")")[2].split()[0] == "R"
        except (OSError, IndexError):
            return False

    def kill(self) -> None:
        """End it now, if it has not ended."""
        try:
            signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def exit(self) -> Exit:
        """The keeper's report; blocks until it comes, raises KeeperGone where it does not."""
        try:
            message = self.socket.recv(MESSAGE_BYTES)
        except OSError as error:
            raise KeeperGone("no report of a child's end") from error
        if len(message) != REPORT.size:
            raise KeeperGone("the keeper ended before its child")
        _, status, user_s, system_s, kib = REPORT.unpack(message)
        return Exit(status, user_s + system_s, kib * 1024)

    def close(self) -> None:
        """End it and let go of it."""
        self.kill()
        self.socket.close()
        self.order.close()
        self.answers.close()
        os.close(self.pidfd)


class Keeper:
    """A running keeper. Its methods may be called from several threads at once."""

    def __init__(self, layers: Layers, limits: Limits, spares: int) -> None:
        """Start it and wait for its report; raises SandboxFault where it does not come up."""
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        options = {
            **asdict(layers),
            "spares": spares,
            "cpu_s": kernel_cpu_s(limits),
            "memory_bytes": limits.memory_bytes,
        }
        passed = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        self._process = subprocess.Popen(
            [sys.executable, "-sP", str(_program()), str(theirs.fileno()), json.dumps(options)],
            env=ENVIRONMENT | passed,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            start_new_session=True,  # Ctrl-C in a terminal is for the server alone
        )
        theirs.close()
        self._control.settimeout(START_S)
        self.report = self._hello()
        self._control.settimeout(CHILD_S)

    def _hello(self) -> dict[str, Any]:
        try:
            report: dict[str, Any] = json.loads(self._control.recv(MESSAGE_BYTES))
        except (OSError, ValueError) as error:
            self.close()
            code = self._process.returncode
            raise SandboxFault(
                f"the jail's keeper did not start (exit {code}): its error output says why"
            ) from error
        return report

    @property
    def pid(self) -> int:
        """The process that was started; with a process namespace, the keeper is its child."""
        return self._process.pid

    def spare(self) -> Child:
        """A child with the default limits that is locked and waiting. Raises KeeperGone."""
        try:
            message, descriptors, _, _ = socket.recv_fds(self._control, MESSAGE_BYTES, 1)
            if not message or len(descriptors) != 1:
                raise KeeperGone("the keeper has no children")
            end = socket.socket(fileno=descriptors[0])
            self._control.send(b"T")
        except OSError as error:
            raise KeeperGone("the keeper gives no child") from error
        return _receive(end)

    def forked(self, limits: Limits, lane: Lane, *, probe: bool = False) -> Child:
        """A child of its own, forked to order. Raises KeeperGone."""
        end, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        request = REQUEST.pack(
            b"R", kernel_cpu_s(limits), limits.memory_bytes, lane is Lane.SLOW, probe
        )
        try:
            socket.send_fds(self._control, [request], [theirs.fileno()])
        except OSError as error:
            end.close()
            raise KeeperGone("the keeper takes no request") from error
        finally:
            theirs.close()
        return _receive(end)

    def close(self) -> None:
        """End it and all its children, and wait until they are gone."""
        self._control.close()
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def kernel_cpu_s(limits: Limits) -> int:
    """Whole seconds after which the kernel ends a child, should nobody else have."""
    return ceil(limits.budget_cpu_s) + SPARE_CPU_ROOM_S


def _program() -> Path:
    return Path(__file__).parents[1] / "jail" / "__main__.py"


def _receive(end: socket.socket) -> Child:
    end.settimeout(CHILD_S)
    try:
        message, descriptors, _, _ = socket.recv_fds(end, MESSAGE_BYTES, 3)
        if message != b"C" or len(descriptors) != 3:
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
    with open(f"/proc/self/fdinfo/{pidfd}", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("Pid:"))
