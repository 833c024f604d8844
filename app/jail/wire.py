"""What crosses the wall and how it is spelled: frames of bytes, and the values inside them.

The one module of the jail that the trusted side imports too. Nothing here pickles, evaluates or
believes a size: lengths are compared with what may be and with what is there before anything is
made of them, and every fault is a `FrameError`. Both directions use the same spelling.

    frame   kind: 1 byte   length: u32   payload: length bytes            (little-endian throughout)

    order   P dict of parameters   F u16 name, name, text ...   C function, arguments ...   G go
    answer  H hello: locked and waiting, or ! text: a lock failed. No learner code has run yet
            B begun: the order was read
            O text that was printed, anywhere below
            L dict: loaded, functions; or P dict: problems, or E cost, dict: loading raised; then D
            S u32: a call started; then V cost, value, E cost, dict: it raised, N no such function,
            and T dict: its trace, where one was asked for
            D done, M out of memory, X text: a limit on what may leave was reached: the last frame

    value   N None   T True   F False   i u16 n, n bytes   f float64   s u32 n, n bytes of UTF-8
            ( u32 n, values ...   { u32 n, (string, value) ...
            a u8 dtype, u8 ndim, u64 dims ..., raw bytes in C order
            o dtype string, u8 ndim, u64 dims ...: an array that does not cross, by description
            ? string: anything else, by the name of its type
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator

from app.jail.wire_values import (
    CONTROL_DEPTH,
    DEPTH,
    DTYPES,
    MAX_ARGUMENT_PARTS,
    MAX_CONTROL_PARTS,
    MAX_NAME,
    MAX_PARTS,
    FrameError,
    Named,
    Odd,
    decode,
    encode,
)

__all__ = [
    "CONTROL_DEPTH",
    "COST",
    "DEPTH",
    "DTYPES",
    "HEADER",
    "MAX_ARGUMENT_PARTS",
    "MAX_CONTROL_PARTS",
    "MAX_NAME",
    "MAX_PARTS",
    "FrameError",
    "FrameReader",
    "Named",
    "Odd",
    "decode",
    "encode",
    "frame",
    "named_bytes",
    "split_name",
    "write_all",
]

HEADER = struct.Struct("<cI")
COST = struct.Struct("<QQ")
"""What a call used: nanoseconds of CPU, nanoseconds on the clock."""
_U16 = struct.Struct("<H")


# ------------------------------------------------------------------ frames


def frame(kind: bytes, payload: bytes = b"") -> bytes:
    """One frame, ready to be written."""
    return HEADER.pack(kind, len(payload)) + payload


def write_all(fd: int, data: bytes) -> None:
    """Write every byte to a blocking descriptor; raises OSError."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


class FrameReader:
    """Cuts a stream of bytes into frames, each no longer than its kind may be.

    `bounds` holds the longest payload of every kind that may come. FrameError at the first header
    that breaks them; what follows is not read.
    """

    def __init__(self, bounds: dict[bytes, int]) -> None:
        self._bounds = bounds
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[tuple[bytes, bytes]]:
        """Frames completed by these bytes: (kind, payload) each."""
        self._buffer += data
        at = 0
        try:
            while len(self._buffer) - at >= HEADER.size:
                kind, length = HEADER.unpack_from(self._buffer, at)
                if length > self._bounds.get(kind, -1):
                    raise FrameError(f"frame {kind!r} of {length} bytes")
                end = at + HEADER.size + length
                if end > len(self._buffer):
                    break
                payload = bytes(self._buffer[at + HEADER.size : end])
                at = end
                yield kind, payload
        finally:
            del self._buffer[:at]

    @property
    def unfinished(self) -> bool:
        """Whether bytes of a frame that never ended are left."""
        return bool(self._buffer)


# ------------------------------------------------------------------ names before bytes


def named_bytes(name: str, data: bytes) -> bytes:
    """A name and the bytes that belong to it, as one payload."""
    spelled = name.encode("utf-8", "surrogatepass")
    return _U16.pack(len(spelled)) + spelled + data


def split_name(payload: bytes) -> tuple[str, bytes]:
    """What `named_bytes` joined; raises FrameError."""
    if len(payload) < 2:
        raise FrameError("no name")
    end = 2 + _U16.unpack_from(payload)[0]
    try:
        return payload[2:end].decode("utf-8", "surrogatepass"), payload[end:]
    except UnicodeDecodeError as error:
        raise FrameError("a name that is no UTF-8") from error
