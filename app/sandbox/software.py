"""What a machine's jail is made of: two machines with the same run the same code the same way."""

from __future__ import annotations

import functools
import hashlib
import platform
from importlib import metadata
from pathlib import Path

import numpy as np

_APP = Path(__file__).resolve().parents[1]
_ROOMS = ("jail", "sandbox", "model")


@functools.cache
def software() -> str:
    """Python, NumPy, the language policy's base, and a digest of our own code for it."""
    base = metadata.version("RestrictedPython")
    python = platform.python_version()
    return f"python-{python} numpy-{np.__version__} restricted-{base} {_digest()[:16]}"


def _digest() -> str:
    digest = hashlib.sha256()
    for path in sorted(path for room in _ROOMS for path in (_APP / room).rglob("*.py")):
        digest.update(path.relative_to(_APP).as_posix().encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
