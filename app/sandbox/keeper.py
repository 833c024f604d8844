"""The keeper as the trusted side sees it: a process started clean, asked for children, ended."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import subprocess
import sys
import termios
from array import array
from contextlib import suppress
from dataclasses import asdict, dataclass
from math import ceil
from pathlib import Path
from typing import Any

from app.jail.control import REQUEST, Control
from app.model import Lane, Limits
from app.ports import SandboxFault
from app.sandbox.child_process import CHILD_S, MESSAGE_BYTES, Child, KeeperGone, receive

START_S = 30.0
END_S = 5.0
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
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-sP", str(_program()), str(theirs.fileno()), json.dumps(options)],
                env=ENVIRONMENT | passed,
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C in a terminal is for the server alone
            )
        except OSError as error:
            self._control.close()
            raise SandboxFault(f"the jail's keeper could not be started: {error}") from error
        finally:
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
        except OSError as error:
            raise KeeperGone("the keeper gives no child") from error
        end = socket.socket(fileno=descriptors[0])
        try:
            self._control.send(Control.TAKEN)
        except OSError as error:
            end.close()
            raise KeeperGone("the keeper gives no child") from error
        return receive(end)

    def spares(self) -> int:
        """How many children wait now, locked and rehearsed: a byte for each lies in the socket.

        0 of a keeper that is gone or let go.
        """
        waiting = array("i", [0])
        with suppress(OSError, ValueError):  # ValueError: the socket is closed
            fcntl.ioctl(self._control, termios.FIONREAD, waiting)
        return waiting[0]

    def forked(self, limits: Limits, lane: Lane, *, own: bool = False) -> Child:
        """A child of its own, forked to order. Raises KeeperGone."""
        end, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        request = REQUEST.pack(
            Control.REQUEST, kernel_cpu_s(limits), limits.memory_bytes, lane is Lane.SLOW, own
        )
        try:
            socket.send_fds(self._control, [request], [theirs.fileno()])
        except OSError as error:
            end.close()
            raise KeeperGone("the keeper takes no request") from error
        finally:
            theirs.close()
        return receive(end)

    def close(self) -> None:
        """End it and all its children, and wait until they are gone."""
        with suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)  # another thread may wait for a child
        self._control.close()
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def kernel_cpu_s(limits: Limits) -> int:
    """Whole seconds after which the kernel ends a child, should nothing else have."""
    return ceil(limits.budget_cpu_s) + SPARE_CPU_ROOM_S


def _program() -> Path:
    return Path(__file__).parents[1] / "jail" / "__main__.py"
