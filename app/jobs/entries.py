"""A job in the embedded line: its future, and what became of its tries."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from app.jobs.turns import Waiting
from app.ports import Job


@dataclass(eq=False)
class QueuedJob:
    """One job of the line. `go` is set while its child may run, and once it is ended.

    `gave_way`: it was ended for another, and is run once more.
    """

    job: Job[Any]
    future: Future[Any] = field(default_factory=Future)
    running: bool = False
    faults: int = 0
    gave_way: bool = False
    go: threading.Event = field(default_factory=threading.Event)


Take: TypeAlias = Callable[[float], tuple[Waiting[QueuedJob], bool] | None]
"""The next job at a time, and what its lane says of it; None where there is none."""

Rest: TypeAlias = Callable[[float], float | None]
"""Seconds after which to look again; None: once somebody says so."""
