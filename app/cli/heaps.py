"""Memory of a server that runs for months: few heaps, and what was freed goes back to the kernel.

Each of its threads would get a heap of its own from glibc, and each heap keeps what it once had.
"""

from __future__ import annotations

import ctypes
import threading
import time

ARENA_MAX, HEAPS = -8, 2
"""mallopt(3), and how many heaps: more would only be for threads that run at the same time."""

EACH_S = 20.0


def few_heaps() -> None:
    """Have all threads share two heaps; before there are any. Nothing where it is not glibc."""
    library = ctypes.CDLL(None)
    if hasattr(library, "mallopt"):
        library.mallopt(ctypes.c_int(ARENA_MAX), ctypes.c_int(HEAPS))


def give_back() -> None:
    """Give freed memory back from now on, while the process runs."""
    threading.Thread(target=_trim, name="memory", daemon=True).start()


def _trim() -> None:
    library = ctypes.CDLL(None)
    while hasattr(library, "malloc_trim"):
        time.sleep(EACH_S)
        library.malloc_trim(ctypes.c_size_t(0))  # a millisecond or two, in which others run
