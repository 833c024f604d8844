"""Landlock's ruleset by ABI: all that is known is handled, nothing is granted."""

from __future__ import annotations

import os
import struct

import pytest

from app.jail.locks import landlock
from app.jail.locks.libc import SET_NO_NEW_PRIVS, prctl


@pytest.mark.parametrize(
    ("version", "fields"),
    [
        (1, [(1 << 13) - 1]),
        (2, [(1 << 14) - 1]),
        (3, [(1 << 15) - 1]),
        (4, [(1 << 15) - 1, 3]),
        (5, [(1 << 16) - 1, 3]),
        (6, [(1 << 16) - 1, 3, 3]),
        (9, [(1 << 16) - 1, 3, 3]),
    ],
)
def test_ruleset_handles_all_that_the_kernel_knows(version: int, fields: list[int]) -> None:
    data = landlock.attributes(version)
    assert list(struct.unpack(f"<{len(data) // 8}Q", data)) == fields


def test_restricted_process_opens_nothing() -> None:
    """In a fork, on this kernel; where it has no Landlock, files stay open and that is said."""
    version = landlock.abi()
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            if version:
                prctl(SET_NO_NEW_PRIVS, 1, "NO_NEW_PRIVS")
                landlock.restrict(version)
            os.open("/etc/passwd", os.O_RDONLY)
            os.write(write, b"opened")
        except OSError as error:
            os.write(write, type(error).__name__.encode())
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    said = os.read(read, 100).decode()
    os.close(read)
    os.close(write)
    assert said == ("PermissionError" if version else "opened")
