"""The wall itself: a seccomp filter that lets a computation compute and nothing else.

An allow-list by system call *and argument*, assembled here without a package, as plain data that a
test can simulate for both machines. A call not named anywhere gives ENOSYS: it never runs, but a
newer C library can fall back to an older call.
"""

from __future__ import annotations

import errno
from typing import NamedTuple

from app.jail.locks.syscall_numbers import NUMBERS

ALLOW, ERRNO, KILL_PROCESS = 0x7FFF0000, 0x00050000, 0x80000000
"""What a filter may say (linux/seccomp.h); ERRNO carries the number in its low bits."""

LOAD, AND, JUMP_EQUAL, JUMP_GREATER, JUMP_AT_LEAST, JUMP_BITS, RETURN = (
    0x20,
    0x54,
    0x15,
    0x25,
    0x35,
    0x45,
    0x06,
)
"""The classic BPF instructions used (linux/bpf_common.h)."""

AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
X32_BIT = 0x40000000
NUMBER_OFFSET, ARCH_OFFSET = 0, 4
PROT_EXEC, PRIVATE_ANONYMOUS = 4, 0x22

# Pure computation, whatever the arguments.
ALLOWED = (
    "munmap mremap brk getrandom clock_gettime gettimeofday time sched_yield exit exit_group getpid"
    " gettid restart_syscall sched_getaffinity close"
).split()

# What honest libraries probe for: refused with an error they expect.
REFUSED = {
    errno.EACCES: (
        "open openat openat2 creat stat lstat newfstatat statx access faccessat faccessat2 readlink"
        " readlinkat getcwd chdir fchdir getdents getdents64 mkdir mkdirat rmdir unlink unlinkat"
        " rename renameat renameat2 link linkat symlink symlinkat chmod fchmod fchmodat chown"
        " lchown fchown fchownat truncate ftruncate utime utimes utimensat futimesat mknod mknodat"
        " statfs fstatfs"
    ).split(),
    errno.ENOTTY: ["ioctl"],
}

# Never innocent in a pure computation: the process ends, and the verdict says why.
KILLED = (
    "fork vfork clone execve execveat ptrace process_vm_readv process_vm_writev process_madvise"
    " kcmp kill pidfd_open pidfd_send_signal pidfd_getfd rt_sigqueueinfo rt_tgsigqueueinfo socket"
    " socketpair connect bind listen accept accept4 sendto recvfrom sendmsg recvmsg sendmmsg"
    " recvmmsg mount umount2 pivot_root chroot unshare setns move_mount open_tree fsopen fsconfig"
    " fsmount fspick mount_setattr bpf perf_event_open io_uring_setup io_uring_enter"
    " io_uring_register userfaultfd keyctl add_key request_key memfd_create memfd_secret shmget"
    " shmat shmctl semget semop semctl msgget msgsnd msgrcv msgctl mq_open mq_unlink mq_timedsend"
    " mq_timedreceive mq_notify init_module finit_module delete_module kexec_load kexec_file_load"
    " reboot swapon swapoff sethostname setdomainname acct settimeofday clock_settime adjtimex"
    " clock_adjtime iopl ioperm modify_ldt personality setuid setgid setreuid setregid setresuid"
    " setresgid setfsuid setfsgid setgroups capset setpgid setsid prctl seccomp"
    " landlock_create_ruleset landlock_add_rule landlock_restrict_self prlimit64 setrlimit"
    " inotify_init inotify_init1 fanotify_init name_to_handle_at open_by_handle_at uselib"
    " remap_file_pages"
).split()

# madvise: DONTNEED, FREE, HUGEPAGE, NOHUGEPAGE. futex: WAIT, WAKE and their BITSET forms; the
# priority-inheritance ones have the bad history.
ADVICE = (4, 8, 14, 15)
FUTEX_OPERATIONS = (0, 1, 9, 10)
FUTEX_COMMAND_MASK = 0x7F


class Instruction(NamedTuple):
    """One `struct sock_filter`."""

    code: int
    if_true: int
    if_false: int
    k: int


def _say(verdict: int) -> Instruction:
    return Instruction(RETURN, 0, 0, verdict)


def _load_argument(index: int) -> Instruction:
    # The low half of the 64 bits: all the kernel itself reads of an `int`.
    return Instruction(LOAD, 0, 0, 16 + 8 * index)


def _allow_if_one_of(values: tuple[int, ...], otherwise: int) -> list[Instruction]:
    last = len(values)
    tests = [Instruction(JUMP_EQUAL, last - i, 0, value) for i, value in enumerate(values)]
    return [*tests, _say(otherwise), _say(ALLOW)]


def _argument_rules() -> dict[str, list[Instruction]]:
    """What the calls with a condition check; each list ends on every path. Hot calls first."""
    denied = ERRNO | errno.EPERM
    bad_descriptor = ERRNO | errno.EBADF
    return {
        "write": [_load_argument(0), *_allow_if_one_of((1, 2, 3), bad_descriptor)],
        "read": [_load_argument(0), *_allow_if_one_of((0,), bad_descriptor)],
        "madvise": [_load_argument(2), *_allow_if_one_of(ADVICE, ERRNO | errno.EINVAL)],
        "futex": [
            _load_argument(1),
            Instruction(AND, 0, 0, FUTEX_COMMAND_MASK),
            *_allow_if_one_of(FUTEX_OPERATIONS, ERRNO | errno.ENOSYS),
        ],
        "mmap": [
            _load_argument(2),
            Instruction(JUMP_BITS, 4, 0, PROT_EXEC),
            _load_argument(3),
            Instruction(AND, 0, 0, PRIVATE_ANONYMOUS),
            Instruction(JUMP_EQUAL, 0, 1, PRIVATE_ANONYMOUS),
            _say(ALLOW),
            _say(denied),
        ],
        "mprotect": [
            _load_argument(2),
            Instruction(JUMP_BITS, 0, 1, PROT_EXEC),
            _say(denied),
            _say(ALLOW),
        ],
    }


def assemble(machine: str) -> list[Instruction]:
    """The filter for `machine` ("x86_64" or "aarch64"); KeyError for another.

    Flat: `if number != n skip; ...; return`, so that no jump is longer than one rule.
    """
    numbers = NUMBERS[machine]
    program = [
        Instruction(LOAD, 0, 0, ARCH_OFFSET),
        Instruction(JUMP_EQUAL, 1, 0, AUDIT_ARCH[machine]),
        _say(KILL_PROCESS),
        Instruction(LOAD, 0, 0, NUMBER_OFFSET),
    ]
    if machine == "x86_64":
        program += [Instruction(JUMP_AT_LEAST, 0, 1, X32_BIT), _say(KILL_PROCESS)]
    rules = _argument_rules()
    rules.update((name, [_say(ALLOW)]) for name in ALLOWED)
    for error, names in REFUSED.items():
        rules.update((name, [_say(ERRNO | error)]) for name in names)
    rules.update((name, [_say(KILL_PROCESS)]) for name in KILLED)
    for name, body in rules.items():
        if name in numbers:  # aarch64 never had the older calls
            program += [Instruction(JUMP_EQUAL, 0, len(body), numbers[name]), *body]
    return [*program, _say(ERRNO | errno.ENOSYS)]
