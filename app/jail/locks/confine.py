"""The locks on a child, in the one order that works; each that must hold is checked.

Run in the forked child before it reads a byte of the order. What is decided once (the filter, the
kernel's abilities) is decided in the keeper and handed in as `Locks`.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import resource
from dataclasses import dataclass

from app.jail.locks import landlock, seccomp
from app.jail.locks.libc import (
    LIBC,
    SET_DUMPABLE,
    SET_MDWE,
    SET_NO_NEW_PRIVS,
    SET_PDEATHSIG,
    SET_SECCOMP,
    check,
    prctl,
)

RESULT_DESCRIPTOR = 3
NOBODY = 65534
SIGKILL = 9
CLOSE_RANGE = 436
STACK_BYTES = 8 * 1024 * 1024
CAPABILITY_VERSION_3 = 0x20080522
CHANGE_USER = 1 << 5 | 1 << 6 | 1 << 7
"""CAP_KILL (to end the other user's children), CAP_SETGID, CAP_SETUID."""


class _Filter(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_ushort),
        ("if_true", ctypes.c_ubyte),
        ("if_false", ctypes.c_ubyte),
        ("k", ctypes.c_uint),
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filters", ctypes.POINTER(_Filter)))


@dataclass(frozen=True)
class Locks:
    """What was found once for all children; `filter` is None where no filter is known or wanted.

    `keeper` is its process, whose end is every child's; `base_bytes` its own address space, on top
    of which a child's memory counts.
    """

    keeper: int

    filter: ctypes.Structure | None
    landlock: int
    drop_user: bool
    base_bytes: int


@dataclass(frozen=True)
class ChildLimits:
    """What the kernel itself holds one child to: whole seconds of CPU, bytes of memory."""

    cpu_s: int
    memory_bytes: int


def find_locks(*, with_seccomp: bool, with_landlock: bool, with_user: bool) -> Locks:
    """What this machine, kernel and user allow; asked once, in the warmed keeper."""
    machine = platform.machine()
    known = with_seccomp and machine in seccomp.AUDIT_ARCH
    return Locks(
        keeper=os.getpid(),
        filter=_compiled(seccomp.assemble(machine)) if known else None,
        landlock=landlock.abi() if with_landlock else 0,
        drop_user=with_user and may_change_user(),
        base_bytes=address_space_bytes(),
    )


def become(user: int) -> None:
    """Make a keeper that root started one of `user`, as if that user had started it."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    prctl(SET_DUMPABLE, 1, "DUMPABLE")  # else its own /proc files would stay root's


def may_change_user() -> bool:
    """Whether this process may become another user and still end that user's processes."""
    return os.geteuid() == 0 and _effective_capabilities() & CHANGE_USER == CHANGE_USER


def address_space_bytes() -> int:
    """The size of this process's address space."""
    return _pages(0) * resource.getpagesize()


def resident_bytes() -> int:
    """How much of it is in memory."""
    return _pages(1) * resource.getpagesize()


def lock(locks: Locks, limits: ChildLimits) -> None:
    """Lock the calling process for good; raises OSError at the first lock that does not hold.

    Ends the process where its keeper went away meanwhile: nothing would ever end it.
    """
    _close_descriptors()
    _hide_from_memory_killer()
    if locks.drop_user:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    _drop_capabilities()
    _set_limits(limits.cpu_s)
    prctl(SET_PDEATHSIG, SIGKILL, "PDEATHSIG")  # after the change of user, which clears it
    if os.getppid() != locks.keeper:
        os._exit(0)
    prctl(SET_DUMPABLE, 0, "DUMPABLE")
    prctl(SET_NO_NEW_PRIVS, 1, "NO_NEW_PRIVS")
    _refuse_executable_memory()
    if locks.landlock:
        landlock.restrict(locks.landlock)
    memory = locks.base_bytes + limits.memory_bytes
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    if locks.filter is not None:
        mode = ctypes.c_ulong(2)  # SECCOMP_MODE_FILTER
        check(
            LIBC.prctl(ctypes.c_int(SET_SECCOMP), mode, ctypes.byref(locks.filter), 0, 0), "seccomp"
        )


def _compiled(program: list[seccomp.Instruction]) -> ctypes.Structure:
    filters = (_Filter * len(program))(*(_Filter(*instruction) for instruction in program))
    return _Program(len(program), filters)  # keeps `filters` alive


def _close_descriptors() -> None:
    first = RESULT_DESCRIPTOR + 1
    last = ctypes.c_uint(0xFFFFFFFF)
    if LIBC.syscall(ctypes.c_long(CLOSE_RANGE), ctypes.c_uint(first), last, ctypes.c_uint(0)) < 0:
        os.closerange(first, resource.getrlimit(resource.RLIMIT_NOFILE)[0])  # Linux before 5.9


def _hide_from_memory_killer() -> None:
    """Where memory runs out for all, the child is to go first: not the keeper, not the server."""
    try:
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
            file.write("1000")
    except OSError:
        pass  # no /proc, or read-only: the address-space limit still holds


def _drop_capabilities() -> None:
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    check(LIBC.capset(header, nothing), "capset")


def _pages(column: int) -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[column])


def _effective_capabilities() -> int:
    with open("/proc/self/status", encoding="ascii") as file:
        return next((int(line.split()[1], 16) for line in file if line.startswith("CapEff:")), 0)


def _set_limits(cpu_s: int) -> None:
    descriptors = RESULT_DESCRIPTOR + 2  # Landlock's ruleset needs one for a moment
    limits = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: 0,  # does not touch pipes
        resource.RLIMIT_NOFILE: descriptors,
        resource.RLIMIT_NPROC: 0,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_STACK: STACK_BYTES,
    }
    for which, most in limits.items():
        resource.setrlimit(which, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 1))


def _refuse_executable_memory() -> None:
    try:
        prctl(SET_MDWE, 1, "MDWE")
    except OSError as error:
        if error.errno != errno.EINVAL:  # Linux before 6.3 does not know it
            raise
