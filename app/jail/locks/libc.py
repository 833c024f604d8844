"""The C library's calls that Python has no function for."""

from __future__ import annotations

import ctypes
import os

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.syscall.restype = ctypes.c_long

SET_PDEATHSIG, SET_DUMPABLE, SET_SECCOMP, SET_NO_NEW_PRIVS, SET_MDWE = 1, 4, 22, 38, 65
"""Operations of prctl (linux/prctl.h)."""


def check(result: int, what: str) -> int:
    """The result of a call that must succeed; OSError naming it where it did not."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return int(result)


def trim() -> None:
    """Give memory that was freed back to the kernel, where the C library can (glibc's can)."""
    if hasattr(LIBC, "malloc_trim"):
        LIBC.malloc_trim(ctypes.c_size_t(0))


def prctl(operation: int, argument: int, what: str) -> None:
    """prctl with one argument; raises OSError."""
    rest = (ctypes.c_ulong(value) for value in (argument, 0, 0, 0))
    check(LIBC.prctl(ctypes.c_int(operation), *rest), what)
