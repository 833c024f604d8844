"""What is mapped and not read: the arrays in an entry of the cache, and the table of triples.

Triples are one table of whole numbers: a row of keys, totals, rooms, members. Its first column
says what software made it and which two tests it is about.
"""

from __future__ import annotations

import hashlib
import io
import struct
import zipfile
from pathlib import Path

import numpy as np
import numpy.typing as npt

from app.model import Array, Sets

Table = npt.NDArray[np.int64]
_MEMBERS = 4
"""Numbers of 16 bits that one of 64 holds; the last is not used."""
ALIGNED = 16
"""Bytes: every array begins at a multiple of this, as NumPy likes it."""
_LOCAL = struct.Struct("<26xHH")
"""A zip's header before a part (APPNOTE 4.3.7): how long its name and its extra field are."""
_PADDING = struct.Struct("<HH")
_PADDING_ID = 0xD935
"""The extra field in which tools for Android's packages put padding."""


def aligned_part(name: str) -> zipfile.ZipInfo:
    """A part to be written first, so that its bytes begin at a multiple of `ALIGNED`."""
    fixed = _LOCAL.size + len(name.encode()) + _PADDING.size
    padding = -fixed % ALIGNED
    part = zipfile.ZipInfo(name)
    part.extra = _PADDING.pack(_PADDING_ID, padding) + bytes(padding)
    return part


def mapped_part(archive: zipfile.ZipFile, name: str) -> Array:
    """The one array of an .npy that lies uncompressed in a zip file, mapped to be read only.

    Its bytes are read once before, against their checksum. Raises BadZipFile, ValueError, OSError.
    """
    whole: Array = np.load(io.BytesIO(archive.read(name)), allow_pickle=False)
    part, file = archive.getinfo(name), archive.fp
    if part.compress_type != zipfile.ZIP_STORED or not isinstance(file, io.BufferedReader):
        raise ValueError("a part that can't be mapped")
    if not whole.nbytes:
        return whole
    file.seek(part.header_offset)
    name_and_extra = sum(_LOCAL.unpack(file.read(_LOCAL.size)))
    begins = part.header_offset + _LOCAL.size + name_and_extra + part.file_size - whole.nbytes
    return np.memmap(file, whole.dtype, "r", begins, whole.shape)


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
