"""Landlock: a second wall behind seccomp, where the kernel has it. No rules: nothing is reachable.

Every right that the kernel's ABI knows is handled and none is granted: no file may be opened by any
means, no TCP port bound or reached, and nothing outside signalled or called by abstract socket.
Layout and rights: linux/landlock.h.
"""

from __future__ import annotations

import ctypes
import os
import struct

from app.jail.locks.libc import LIBC, check

CREATE_RULESET, RESTRICT_SELF = 444, 446
ASK_VERSION = 1

# Rights over files known to each ABI; later ones keep the last.
FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
NET_BIND_AND_CONNECT = 0b11
SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11


def abi() -> int:
    """The kernel's Landlock version; 0 where there is none, or it is switched off."""
    version = LIBC.syscall(
        ctypes.c_long(CREATE_RULESET), None, ctypes.c_size_t(0), ctypes.c_uint32(ASK_VERSION)
    )
    return max(0, int(version))


def attributes(version: int) -> bytes:
    """`struct landlock_ruleset_attr` that handles all that ABI `version` (1 or more) knows."""
    files = (1 << FILE_RIGHTS[min(version, max(FILE_RIGHTS))]) - 1
    fields = [files]
    if version >= 4:
        fields.append(NET_BIND_AND_CONNECT)
    if version >= 6:
        fields.append(SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS)
    return struct.pack(f"<{len(fields)}Q", *fields)


def make_ruleset(version: int) -> int:
    """The empty ruleset's descriptor; OSError where the kernel refuses."""
    data = attributes(version)
    return check(
        LIBC.syscall(
            ctypes.c_long(CREATE_RULESET),
            ctypes.c_char_p(data),
            ctypes.c_size_t(len(data)),
            ctypes.c_uint32(0),
        ),
        "landlock_create_ruleset",
    )


def restrict(version: int) -> None:
    """Lock the calling process; needs no_new_privs. Raises OSError."""
    ruleset = make_ruleset(version)
    check(
        LIBC.syscall(ctypes.c_long(RESTRICT_SELF), ctypes.c_int(ruleset), ctypes.c_uint32(0)),
        "landlock_restrict_self",
    )
    os.close(ruleset)
