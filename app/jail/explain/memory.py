"""The last words of a call that ran out of memory: its line, and the array it asked for.

There may be no memory left: whatever fails here leaves the words empty, and the limit stands.
"""

from __future__ import annotations

import re
from collections.abc import Container
from types import TracebackType

MOST = 64
"""Bytes of the words: the frame that carries them holds no more."""

_ARRAY = re.compile(
    r"Unable to allocate ([\d.]+ (?:[KMGTPE]iB|bytes)) for an array with shape (\(.*?\))"
)


def last_words(error: MemoryError, files: Container[str]) -> bytes:
    """ "12 74.5 GiB (100000, 100000)": line, and size and shape where NumPy says them; else b""."""
    try:
        line = _line(error.__traceback__, files)
        if line is None:
            return b""
        asked = _ARRAY.match(str(error)) if _is_numpys(error) else None
        words = f"{line} {asked[1].replace('. ', ' ')} {asked[2]}" if asked else str(line)
        return words.encode("ascii") if len(words) <= MOST else str(line).encode("ascii")
    except (MemoryError, RecursionError, ValueError):
        return b""


def _is_numpys(error: MemoryError) -> bool:
    """Whether its text is NumPy's own: a learner's class may say what it likes, at any length."""
    return type(error).__module__ == "numpy._core._exceptions"


def _line(step: TracebackType | None, files: Container[str]) -> int | None:
    """The innermost line of the learner's on the way to the exception."""
    line = None
    while step is not None:
        if step.tb_frame.f_code.co_filename in files:
            line = step.tb_lineno
        step = step.tb_next
    return line
