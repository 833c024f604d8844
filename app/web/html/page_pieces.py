"""A page as gzip of pieces: those that are the same for everybody are compressed once.

    page  = what is the visitor's own │ a part drawn once │ own │ another part │ own
    gzip  = head │ deflate, flushed │ as it was made before │ … │ the last, finished │ CRC, length

A piece refers to none before it, so that it fits behind any other (RFC 1951, RFC 1952).
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator

from app.web.html.remembered import Remembered

LEVEL = 5
ONCE_LEVEL = 9
LEAST = 1_000
"""Bytes of a part that is worth a piece of its own."""

_HEAD = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
_TRAILER = struct.Struct("<II")


def packed_whole(data: bytes, level: int = LEVEL) -> bytes:
    """The data as gzip."""
    packer = zlib.compressobj(level, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    return packer.compress(data) + packer.flush()


class Packer:
    """Compresses pages; safe to use from several threads."""

    def __init__(self) -> None:
        self._kept: Remembered[bytes] = Remembered(size=len)

    def packed(self, page: str, parts: Iterable[str]) -> bytes:
        """The page in UTF-8 as gzip; `parts` of it, in any order, are kept as they come out."""
        pieces, crc, length = [_HEAD], 0, 0
        for text, is_part in _split(page, parts):
            data = _bytes(text)
            crc, length = zlib.crc32(data, crc), length + len(data)
            pieces.append(self._kept.get(text, _once) if is_part else _piece(data, LEVEL))
        pieces += [_piece(b"", LEVEL, zlib.Z_FINISH), _TRAILER.pack(crc, length & 0xFFFFFFFF)]
        return b"".join(pieces)


def _split(page: str, parts: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """The page in pieces, and of each whether it is one of the parts."""
    found = sorted((page.find(part), part) for part in set(parts) if len(part) >= LEAST)
    at = 0
    for begins, part in found:
        if begins < at:  # not there, or within another part
            continue
        yield page[at:begins], False
        yield part, True
        at = begins + len(part)
    yield page[at:], False


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


def _once(part: str) -> bytes:
    return _piece(_bytes(part), ONCE_LEVEL)


def _piece(data: bytes, level: int, end: int = zlib.Z_FULL_FLUSH) -> bytes:
    packer = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush(end)
