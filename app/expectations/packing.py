"""Triples as one table of whole numbers that can be mapped: a row of keys, totals, rooms, members.

Its first column says what software made it and which two tests it is about.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import numpy.typing as npt

from app.model import Sets

Table = npt.NDArray[np.int64]
_MEMBERS = 4
"""Numbers of 16 bits that one of 64 holds; the last is not used."""


def packed(triples: Sets, software: str) -> Table:
    """Four rows of 64 bits, a column each; the first column is the head."""
    table = np.zeros((4, len(triples) + 1), np.int64)
    table[:3, 0] = (_stamp(software), *(triples.tests or (-1, -1)))
    members = np.zeros((len(triples), _MEMBERS), np.uint16)
    members[:, :3] = triples.members
    table[0, 1:] = triples.key
    table[1, 1:] = triples.total.view(np.int64)
    table[2, 1:] = triples.room.view(np.int64)
    table[3, 1:] = members.view(np.int64)[:, 0]
    return table


def mapped(path: Path, software: str) -> Sets | None:
    """The triples of a file, mapped; None where there is none that can be read or of another."""
    try:
        return unpacked(np.load(path, mmap_mode="r", allow_pickle=False), software)
    except (OSError, ValueError, EOFError):
        return None


def unpacked(table: Table, software: str) -> Sets | None:
    """The triples of a table, which stays where it is; None where other software made it."""
    if table.ndim != 2 or len(table) != 4 or table[0, 0] != _stamp(software):
        return None
    tests = tuple(int(number) for number in table[1:3, 0] if number >= 0)
    return Sets(
        key=table[0, 1:],
        total=table[1, 1:].view(np.float64),
        room=table[2, 1:].view(np.float64),
        members=table[3, 1:].view(np.uint16).reshape(-1, _MEMBERS)[:, :3],
        at=np.empty(0, np.int64),
        values=np.empty(0),
        tests=tests,
    )


def _stamp(software: str) -> int:
    digest = hashlib.blake2b(software.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)
