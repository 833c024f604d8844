"""The one order of a child, as it reads it: files, calls, and how much may leave."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from app.jail import wire
from app.jail.control import OrderFrame


@dataclass(frozen=True)
class Work:
    """An order as it was read; `calls` are the function's name and its arguments, still spelled.

    Arguments stay bytes until their call, so that every call gets fresh ones.
    """

    files: dict[str, bytes]
    calls: tuple[tuple[str, bytes], ...]
    stdout_bytes: int
    result_bytes: int
    trace: bool


def read_work(descriptor: int) -> Work | None:
    """The order, read whole; None when there will be none."""
    parameters: dict[str, Any] = {}
    files: dict[str, bytes] = {}
    calls: list[tuple[str, bytes]] = []
    reader = wire.FrameReader(dict.fromkeys(OrderFrame.ALL, 2**32 - 1))
    while data := os.read(descriptor, 1 << 20):
        for kind, payload in reader.feed(data):
            if kind == OrderFrame.GO:
                return Work(files, tuple(calls), **parameters)
            if kind == OrderFrame.PARAMETERS:
                parameters = wire.decode(payload)
            else:
                name, rest = wire.split_name(payload)
                if kind == OrderFrame.FILE:
                    files[name] = rest
                else:
                    calls.append((name, rest))
    return None
