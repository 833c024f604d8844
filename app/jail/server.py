"""The keeper: the jail's parent process, which forks children and never runs learner code.

    trusted side                         keeper                               child
    ------------                         ------                               -----
    control socket  <-- report, spares -- forks spares ahead ---------------> locks itself,
                    -- T taken ---------> forks another                       rehearses, waits
                    -- request + socket-> forks one to order ---------------> locks itself, waits
    child's socket  <-- C: order pipe, answers pipe, pidfd
    order pipe      ---------------------------------------------------------> descriptor 0
    answers pipe    <--------------------------------------------------------- descriptor 3
    child's socket  <-- X: wait status, CPU, memory -- wait4 <---------------- ends

The trusted side writes the order to the child and reads its answers itself, and ends it through the
pidfd; the keeper only reports how it ended. When the control socket closes, the keeper leaves, and
all children with it.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from app.jail import child as inside
from app.jail.control import ENDED, REQUEST, Control
from app.jail.locks import confine, libc

COLLECT = 10_000, 100, 1_000
"""Children seldom look for rings of garbage: else, as memory fills, time is what runs out."""

ENOUGH = 2
"""So many spares waiting are enough for now."""

QUIET_MS = 20
"""Nothing happened for so long: the learner who took the last spare has their verdict."""

MESSAGE_BYTES = 256


@dataclass
class _Child:
    """One child's ends in the keeper; `spare_end`: the trusted side's socket of a spare to come."""

    pid: int
    pidfd: int
    end: socket.socket
    order: int
    answers: int
    spare_end: socket.socket | None = field(default=None)


class Server:
    """The keeper's loop over its control socket and its children."""

    def __init__(
        self,
        control: socket.socket,
        ready: inside.Prepared,
        locks: confine.Locks,
        limits: confine.ChildLimits,
    ):
        self._control = control
        self._ready, self._locks = ready, locks
        self._spare_limits = limits
        self._owed = self._waiting = self._offered = 0
        self._hurried = False
        self._poll = select.poll()
        self._handlers: dict[int, Callable[[], None]] = {}
        self._watch(control.fileno(), self._listen)

    def serve(self, spares: int) -> None:
        """Keep `spares` children ready and serve requests, until the control socket closes.

        While enough of them wait, the next is made in a quiet moment: making one takes as long as
        the verdict that the learner who took the last one is waiting for. Once none is ready, the
        next does not rehearse: the order that waits for it takes less time than a rehearsal.
        """
        self._owed = spares
        quiet = False
        while True:
            while self._owed and (quiet or self._waiting < ENOUGH) and self._fork_spare():
                self._owed -= 1
                self._waiting += 1
            events = self._poll.poll(QUIET_MS if self._owed else None)
            quiet = not events
            for descriptor, _ in events:
                handler = self._handlers.get(descriptor)
                if handler is not None:
                    handler()

    def _watch(self, descriptor: int, handler: Callable[[], None]) -> None:
        self._handlers[descriptor] = handler
        self._poll.register(descriptor, select.POLLIN)

    def _unwatch(self, descriptor: int) -> None:
        if self._handlers.pop(descriptor, None) is not None:
            self._poll.unregister(descriptor)

    def _listen(self) -> None:
        try:
            message, descriptors, _, _ = socket.recv_fds(self._control, MESSAGE_BYTES, 1)
        except ConnectionError:  # closed with spares that nobody took
            os._exit(0)
        if not message:
            os._exit(0)
        if message[:1] == Control.TAKEN:
            self._owed += 1
            self._waiting -= 1
            self._offered -= 1
            self._hurried = not self._offered
            return
        _, cpu_s, memory_bytes, slow, own = REQUEST.unpack(message)
        limits = confine.ChildLimits(cpu_s, memory_bytes)
        end = socket.socket(fileno=descriptors[0])
        try:
            child = self._fork(end, limits, inside.Duty(slow=bool(slow), own=bool(own)))
        except OSError:
            end.close()  # the trusted side sees it close, and asks again
        else:
            self._announce(child)

    def _fork_spare(self) -> bool:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            duty = inside.Duty(rehearse=not self._hurried)
            child = self._fork(ours, self._spare_limits, duty)
        except OSError:
            ours.close()
            theirs.close()
            return False
        self._hurried = False
        child.spare_end = theirs
        self._watch(child.answers, lambda: self._offer(child))
        return True

    def _offer(self, child: _Child) -> None:
        """A spare has said hello (or died): it goes to the next order."""
        self._unwatch(child.answers)
        spare_end, child.spare_end = child.spare_end, None
        if spare_end is not None:
            self._announce(child)
            try:
                socket.send_fds(self._control, [Control.SPARE], [spare_end.fileno()])
            except OSError:
                os._exit(0)  # the trusted side has gone
            spare_end.close()
            self._offered += 1

    def _announce(self, child: _Child) -> None:
        ends = [child.order, child.answers, child.pidfd]
        try:
            socket.send_fds(child.end, [Control.CHILD], ends)
        except OSError:
            os.kill(child.pid, signal.SIGKILL)  # whoever asked has gone
        os.close(child.order)
        os.close(child.answers)

    def _fork(self, end: socket.socket, limits: confine.ChildLimits, duty: inside.Duty) -> _Child:
        order_read, order_write = os.pipe()
        answers_read, answers_write = os.pipe()
        try:
            pid = os.fork()
        except OSError:
            for descriptor in (order_read, order_write, answers_read, answers_write):
                os.close(descriptor)
            raise
        if pid == 0:
            inside.live(self._ready, self._locks, limits, duty, order_read, answers_write)
        os.close(order_read)
        os.close(answers_write)
        child = _Child(pid, os.pidfd_open(pid), end, order_write, answers_read)
        self._watch(child.pidfd, lambda: self._bury(child))
        return child

    def _bury(self, child: _Child) -> None:
        ended, status, used = os.wait4(child.pid, os.WNOHANG)
        if not ended:
            return  # an event of a descriptor that had this number before
        self._unwatch(child.pidfd)
        if child.spare_end is not None:
            self._offer(child)
        os.close(child.pidfd)
        report = ENDED.pack(Control.ENDED, status, used.ru_utime, used.ru_stime, used.ru_maxrss)
        try:
            child.end.send(report)
        except OSError:
            pass  # nobody waits for it any more
        child.end.close()


def keep(
    control: socket.socket, options: dict[str, Any], ready: inside.Prepared, namespaces: list[str]
) -> None:
    """Report what holds here, and serve until the control socket closes."""
    locks = confine.find_locks(
        with_seccomp=options["seccomp"],
        with_landlock=options["landlock"],
        with_user=options["other_user"],
    )
    gc.collect()
    gc.freeze()  # what is there now is never looked at again, so children don't copy it
    libc.trim()  # what loading left behind is neither copied at a fork nor cleared at an exit
    gc.set_threshold(*COLLECT)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    report = {
        "namespaces": namespaces,
        "landlock": locks.landlock,
        "seccomp": locks.filter is not None,
        "other_user": locks.drop_user,
        "base_bytes": locks.base_bytes,
        "resident_bytes": confine.resident_bytes(),
    }
    control.send(json.dumps(report).encode())
    limits = confine.ChildLimits(options["cpu_s"], options["memory_bytes"])
    Server(control, ready, locks, limits).serve(options["spares"])
