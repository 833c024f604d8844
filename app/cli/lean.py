"""Servers load no more than they use: it would lie in their memory for months.

structlog loads rich to colour tracebacks, and uvicorn loads watchfiles to start again on a change,
wherever these are installed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without(package: str) -> Iterator[None]:
    """Inside, importing this package fails as if it were not installed, unless it is loaded."""
    if package in sys.modules:
        yield
        return
    sys.modules[package] = None  # type: ignore[assignment]  # as Python itself says it
    try:
        yield
    finally:
        del sys.modules[package]
