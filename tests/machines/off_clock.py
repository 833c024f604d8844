"""`mlgrind` for libfaketime, of which two things must not reach it.

Where it leaves the steady clock alone, without which no wait with a time limit ends, `time.sleep`
fails at once: it takes the moment until which to sleep for one by its own clock. And it moves the
CPU clock of a child by its hour as well, but not what the kernel says of a child that has ended.
"""

from __future__ import annotations

import ctypes
import os
import platform
import select
import sys
import time

CLOCK_GETTIME = {"x86_64": 228, "aarch64": 113}
"""The number of the system call."""

clock_gettime = time.clock_gettime
libc = ctypes.CDLL(None, use_errno=True)


class Moment(ctypes.Structure):
    """The kernel's `struct timespec`."""

    _fields_ = (("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long))


def sleep(seconds: float) -> None:
    """Sleep, as `time.sleep` does."""
    select.select((), (), (), seconds)


def by_the_kernel(clock: int) -> float:
    """A clock, as `time.clock_gettime` tells it; those of processes as the kernel does."""
    if clock >= 0:
        return clock_gettime(clock)
    moment = Moment()
    number = CLOCK_GETTIME[platform.machine()]
    if libc.syscall(number, ctypes.c_int(clock), ctypes.byref(moment)) != 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return float(moment.seconds + moment.nanoseconds / 1e9)


if __name__ == "__main__":
    time.sleep = sleep  # type: ignore[assignment]
    time.clock_gettime = by_the_kernel
    from app.cli import main

    sys.argv[0] = "mlgrind"
    main()
