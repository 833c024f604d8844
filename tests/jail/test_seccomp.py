"""The filter, simulated for both machines: what runs, what is refused, what ends the process."""

from __future__ import annotations

import errno
import struct

import pytest

from app.jail.locks import seccomp
from app.jail.locks.syscall_numbers import NUMBERS

MACHINES = ("x86_64", "aarch64")
ALLOW, KILL = seccomp.ALLOW, seccomp.KILL_PROCESS


def refuse(number: int) -> int:
    return seccomp.ERRNO | number


def simulate(machine: str, number: int, *arguments: int, arch: int | None = None) -> int:
    """What the filter says of a call: a classic BPF machine over `struct seccomp_data`."""
    padded = [argument & (2**64 - 1) for argument in (*arguments, *[0] * 6)][:6]
    arch = seccomp.AUDIT_ARCH[machine] if arch is None else arch
    data = struct.pack("<IIQ6Q", number, arch, 0, *padded)
    program = seccomp.assemble(machine)
    accumulator = at = 0
    while True:
        code, if_true, if_false, k = program[at]
        at += 1
        if code == seccomp.LOAD:
            (accumulator,) = struct.unpack_from("<I", data, k)
        elif code == seccomp.AND:
            accumulator &= k
        elif code == seccomp.RETURN:
            return k
        else:
            holds = {
                seccomp.JUMP_EQUAL: accumulator == k,
                seccomp.JUMP_GREATER: accumulator > k,
                seccomp.JUMP_AT_LEAST: accumulator >= k,
                seccomp.JUMP_BITS: bool(accumulator & k),
            }[code]
            at += if_true if holds else if_false


def say(machine: str, name: str, *arguments: int) -> int:
    return simulate(machine, NUMBERS[machine][name], *arguments)


BAD_DESCRIPTOR, NO_CALL = refuse(errno.EBADF), refuse(errno.ENOSYS)
NOT_PERMITTED, INVALID = refuse(errno.EPERM), refuse(errno.EINVAL)

ARGUMENTS = [
    ("read", (0,), ALLOW),
    ("read", (1,), BAD_DESCRIPTOR),
    ("read", (3,), BAD_DESCRIPTOR),
    ("read", (4,), BAD_DESCRIPTOR),
    ("read", (-1,), BAD_DESCRIPTOR),
    ("write", (0,), BAD_DESCRIPTOR),
    ("write", (1,), ALLOW),
    ("write", (2,), ALLOW),
    ("write", (3,), ALLOW),
    ("write", (4,), BAD_DESCRIPTOR),
    ("write", (2**32 - 1,), BAD_DESCRIPTOR),
    ("mmap", (0, 4096, 3, 0x22), ALLOW),
    ("mmap", (0, 4096, 1, 0x22), ALLOW),
    ("mmap", (0, 4096, 3, 0x20022), ALLOW),
    ("mmap", (0, 4096, 7, 0x22), NOT_PERMITTED),
    ("mmap", (0, 4096, 5, 0x22), NOT_PERMITTED),
    ("mmap", (0, 4096, 3, 0x21), NOT_PERMITTED),
    ("mmap", (0, 4096, 3, 0x02, 0), NOT_PERMITTED),
    ("mprotect", (0, 4096, 3), ALLOW),
    ("mprotect", (0, 4096, 0), ALLOW),
    ("mprotect", (0, 4096, 4), NOT_PERMITTED),
    ("mprotect", (0, 4096, 7), NOT_PERMITTED),
    *[("madvise", (0, 4096, advice), ALLOW) for advice in (4, 8, 14, 15)],
    *[("madvise", (0, 4096, advice), INVALID) for advice in (0, 9, 10, 12, 21, 100)],
    *[("futex", (0, op), ALLOW) for op in (0, 1, 9, 10, 128, 129, 137, 138, 256 | 9)],
    *[("futex", (0, op), NO_CALL) for op in (3, 4, 5, 6, 7, 8, 11, 12, 13, 134, 140)],
]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(("name", "arguments", "verdict"), ARGUMENTS)
def test_call_is_judged_by_its_arguments(
    machine: str, name: str, arguments: tuple[int, ...], verdict: int
) -> None:
    assert say(machine, name, *arguments) == verdict


@pytest.mark.parametrize("machine", MACHINES)
def test_dangerous_calls_end_the_process(machine: str) -> None:
    known = [name for name in seccomp.KILLED if name in NUMBERS[machine]]
    assert len(known) > 90
    assert {say(machine, name) for name in known} == {KILL}


@pytest.mark.parametrize("machine", MACHINES)
def test_file_calls_are_refused_softly(machine: str) -> None:
    for error, names in seccomp.REFUSED.items():
        known = [name for name in names if name in NUMBERS[machine]]
        assert {say(machine, name, 1, 1, 1) for name in known} == {refuse(error)}


@pytest.mark.parametrize("machine", MACHINES)
def test_only_pure_computation_is_allowed(machine: str) -> None:
    """Whatever the arguments: every number is tried with several, and few ever pass."""
    tries = [(0,), (1,), (3,), (0, 0, 3, 0x22), (0, 0, 4), (0, 9), (2**64 - 1,) * 6]
    by_number = {number: name for name, number in NUMBERS[machine].items()}
    allowed = {
        by_number.get(number, str(number))
        for number in range(1024)
        if any(simulate(machine, number, *arguments) == ALLOW for arguments in tries)
    }
    assert allowed == {
        *("read", "write", "madvise", "futex", "mmap", "mprotect"),
        *(name for name in seccomp.ALLOWED if name in NUMBERS[machine]),
    }


@pytest.mark.parametrize("machine", MACHINES)
def test_unknown_calls_do_not_exist(machine: str) -> None:
    unknown = [n for n in range(1024) if n not in NUMBERS[machine].values()]
    assert {simulate(machine, number) for number in unknown} == {NO_CALL}


@pytest.mark.parametrize("machine", MACHINES)
def test_other_architecture_ends_the_process(machine: str) -> None:
    for arch in (0x40000003, 0x40000028, 0):
        assert simulate(machine, NUMBERS[machine]["getpid"], arch=arch) == KILL


def test_x32_calls_end_the_process() -> None:
    assert simulate("x86_64", seccomp.X32_BIT | NUMBERS["x86_64"]["getpid"]) == KILL
    assert simulate("x86_64", 0xFFFFFFFF) == KILL


@pytest.mark.parametrize("machine", MACHINES)
def test_every_jump_stays_inside_and_every_path_returns(machine: str) -> None:
    program = seccomp.assemble(machine)
    assert len(program) <= 4096
    for at, (code, if_true, if_false, _) in enumerate(program):
        if code == seccomp.RETURN:
            continue
        assert at + 1 + max(if_true, if_false) < len(program)
    assert program[-1].code == seccomp.RETURN


def test_machine_that_is_not_known_has_no_filter() -> None:
    with pytest.raises(KeyError):
        seccomp.assemble("riscv64")
