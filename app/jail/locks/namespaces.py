"""Namespaces around the whole keeper, where the kernel and the user's rights allow them.

Entered once at the start, so they cost a submission nothing. Each is optional. In a process
namespace nothing outlives the keeper: it is process 1 there, and its end ends all.
"""

from __future__ import annotations

import os
import signal

from app.jail.locks.libc import LIBC, SET_PDEATHSIG, prctl

USER = 0x10000000
OTHERS = {
    "network": 0x40000000,
    "ipc": 0x08000000,
    "hostname": 0x04000000,
    "mount": 0x00020000,
    "process": 0x20000000,
}
MOUNTS_PRIVATE = 1 << 14 | 1 << 18  # MS_REC | MS_PRIVATE


def enter() -> list[str]:
    """Enter all that can be entered, and give their names; returns in the process that goes on.

    With a process namespace that is a new process: the first one waits for it and ends with it.
    """
    entered = ["user"] if os.geteuid() != 0 and _enter_user() else []
    entered += [name for name, flag in OTHERS.items() if LIBC.unshare(flag) == 0]
    if "mount" in entered:
        LIBC.mount(None, b"/", None, MOUNTS_PRIVATE, None)
    if "process" in entered:
        _continue_inside()
    return entered


def _enter_user() -> bool:
    user, group = os.geteuid(), os.getegid()
    if LIBC.unshare(USER) != 0:
        return False
    maps = {"setgroups": "deny", "uid_map": f"{user} {user} 1", "gid_map": f"{group} {group} 1"}
    try:
        for name, text in maps.items():
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
                file.write(text)
    except OSError:
        pass  # inside without a name for our user: the files stay ours, the others will be refused
    return True


def _continue_inside() -> None:
    inside = os.fork()
    if inside == 0:
        prctl(SET_PDEATHSIG, signal.SIGKILL, "PDEATHSIG")
        return
    os.closerange(3, 64)  # the sockets belong to the one inside: only its end may close them
    signal.signal(signal.SIGTERM, lambda *_: os.kill(inside, signal.SIGKILL))
    status = os.waitpid(inside, 0)[1]
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
