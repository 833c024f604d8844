"""The kinds of objects that open the machine to a program that holds one."""

from __future__ import annotations

import io
import types

DOORS: tuple[type, ...] = (
    types.ModuleType,
    types.CodeType,
    types.FrameType,
    types.TracebackType,
    io.IOBase.__mro__[1],  # files; `io.IOBase` itself is an ABC, whose `isinstance` is slow
)
"""What no guard hands out, whatever it was asked for."""
