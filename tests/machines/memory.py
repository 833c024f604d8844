"""What stands in the memory of a runner: its server, its keeper and the children of both."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tests.hostile.server import children

_REGION = re.compile(r"^([0-9a-f]+)-([0-9a-f]+) rw\S+ ")
_RESIDENT = re.compile(r"^Rss: +([1-9]\d*) kB")
PIECE = 1 << 24


def family(pid: int) -> list[int]:
    """A process and all that descend from it."""
    return [pid, *(one for child in children(pid) for one in family(child))]


def memory(pid: int) -> bytes:
    """All that a process has written and has in memory; not what it maps of files to read."""
    found = bytearray()
    with suppress(OSError), open(f"/proc/{pid}/mem", "rb", buffering=0) as held:
        for start, end in _regions(pid):
            with suppress(OSError, OverflowError):
                held.seek(start)
                while start < end and (piece := held.read(min(PIECE, end - start))):
                    found += piece
                    start += len(piece)
    return bytes(found)


def _regions(pid: int) -> Iterator[tuple[int, int]]:
    region = None
    for line in Path(f"/proc/{pid}/smaps").read_text().splitlines():
        if begins := _REGION.match(line):
            region = int(begins[1], 16), int(begins[2], 16)
        elif re.match(r"[0-9a-f]+-", line):
            region = None
        elif region is not None and _RESIDENT.match(line):
            yield region
