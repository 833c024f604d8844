"""What three mistakes at once give, computed after the start in moments when no job waits.

A submission judged before is judged without: three mistakes at once then go unnamed, no more.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import structlog

from app.model import Exercise, Expectations, Sets
from app.ports import Load, SandboxFault
from app.service.expecting import Expecting

log = structlog.get_logger()

QUIET_S = 0.05
"""How long to stay away from a busy line before looking again."""

Compute = Callable[[Exercise, Expectations, Callable[[], None]], Sets]
"""Computes and keeps an exercise's triples; calls its last argument before each order."""


class _Closed(Exception):
    """The server closes; what is not computed is computed after the next start."""


class Busy(Protocol):
    """A line, or whatever else can say whether anybody waits."""

    def load(self) -> Load:
        """How busy it is now."""


class Threes:
    """A thread of its own, behind everything else."""

    def __init__(self, expecting: Expecting, line: Busy, compute: Compute) -> None:
        self._expecting, self._line, self._compute = expecting, line, compute
        self._due: queue.SimpleQueue[Exercise | None] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._work, name="threes", daemon=True)

    def start(self) -> None:
        """Begin with whatever exercise is first expected."""
        self._expecting.tell(self._due.put)
        self._thread.start()

    def close(self) -> None:
        """Stop before the next order."""
        self._closing.set()
        self._due.put(None)

    def join(self) -> None:
        """Wait for what was begun before it was closed."""
        self._thread.join()

    def _work(self) -> None:
        while (exercise := self._due.get()) is not None:
            try:
                self._one(exercise)
            except _Closed:
                return
            except (SandboxFault, OSError) as fault:
                if not self._closing.is_set():
                    log.warning("no_triples", exercise=exercise.slug, fault=str(fault))
            except Exception as error:  # the next exercise's are computed all the same
                log.error("no_triples", exercise=exercise.slug, exc_info=error)

    def _one(self, exercise: Exercise) -> None:
        expectations = self._expecting.known(exercise)
        if expectations is None or expectations.triples is not None:
            return
        found = self._compute(exercise, expectations, self._pause)
        self._expecting.put(exercise, replace(expectations, triples=found))

    def _pause(self) -> None:
        """Wait until no job waits and none runs. Raises _Closed."""
        while not self._closing.is_set():
            load = self._line.load()
            if not (load.submissions or load.runs or load.running):
                return
            self._closing.wait(QUIET_S)
        raise _Closed
