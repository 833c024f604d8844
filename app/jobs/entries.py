"""A job in the embedded line: its future, and what became of its tries."""

from __future__ import annotations

import threading
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass, field
from typing import Any

from app.ports import Job


@dataclass(eq=False)
class Entry:
    """One job of the line. `go` is set while its child may run, and once it is ended.

    `gave_way`: it was ended for another, and is run once more.
    """

    job: Job[Any]
    future: Future[Any] = field(default_factory=Future)
    running: bool = False
    faults: int = 0
    gave_way: bool = False
    go: threading.Event = field(default_factory=threading.Event)


def succeed(future: Future[Any], result: object) -> None:
    """Set the result, unless it was cancelled while the job ran: nobody waits."""
    try:
        future.set_result(result)
    except InvalidStateError:
        return


def fail(future: Future[Any], error: Exception) -> None:
    """Set the error, unless nobody waits any more."""
    try:
        future.set_exception(error)
    except InvalidStateError:
        return
