"""Second looks where there is a queue: a dispatcher makes them while it has nothing else to do.

They are no jobs of the queue: as one each would cost PostgreSQL as much again as its submission.
One that gives way to a job, or goes with its dispatcher, is not made up for: none is shown then.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import structlog

from app import metrics
from app.jobs.grader import Running
from app.model import Exercise, Expectations, Lane
from app.ports import KIND, PLACE, GaveWay, Kind, LookStore, Sandbox
from app.records import SecondLook, Submission

log = structlog.get_logger()

QUIET_S = 0.05
MOST = 200
"""Of a rush that is over, so many of the last are looked at again."""

LookAgain = Callable[[Sandbox, Submission, Exercise, Expectations, Lane], SecondLook | None]
"""None where the code left the lane."""


@dataclass(frozen=True)
class _WhileIdle:
    """A place that is given up as soon as a job comes."""

    running: Running

    def spent(self, cpu_s: float) -> bool:
        if self.running.jobs:
            raise GaveWay
        return True

    def stand(self) -> None:
        """Never asked for."""


class IdleLooks:
    """A thread that looks again; `begin` is safe to use from several."""

    def __init__(
        self, sandbox: Sandbox, looks: LookStore, running: Running, look: LookAgain
    ) -> None:
        self._sandbox, self._looks, self._running, self._look = sandbox, looks, running, look
        self._waiting: deque[tuple[Submission, Exercise, Expectations]] = deque(maxlen=MOST)
        self._some = threading.Event()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="second looks", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """End after the look under way."""
        self._stop.set()
        self._some.set()

    def begin(self, submission: Submission, exercise: Exercise, known: Expectations) -> None:
        """Look at an accepted submission once nothing else is to be done."""
        if known.draws:
            self._waiting.append((submission, exercise, known))
            self._some.set()

    def _work(self) -> None:
        while not self._stop.is_set():
            if not self._waiting:
                self._some.wait()
                self._some.clear()
            elif self._is_idle():
                self._next()

    def _is_idle(self) -> bool:
        """Whether no job was begun for a moment: while any waits, one is under way here."""
        begun = self._running.begun
        self._stop.wait(QUIET_S)
        return not self._running.jobs and self._running.begun == begun

    def _next(self) -> None:
        submission, exercise, known = self._waiting.popleft()
        kind, place = KIND.set(Kind.SECOND_LOOK), PLACE.set(_WhileIdle(self._running))
        try:
            about = (self._sandbox, submission, exercise, known)
            found = self._look(*about, Lane.FAST) or self._look(*about, Lane.SLOW)
            if found is not None:
                self._looks.record(found)
                metrics.SECOND_LOOKS.labels("right" if found.draw is None else "off").inc()
        except GaveWay:
            log.info("no_second_look", submission=submission.id, reason="gave way")
        except Exception as error:  # noqa: BLE001 - or nothing would be looked at here any more
            log.info("no_second_look", submission=submission.id, reason=repr(error))
        finally:
            PLACE.reset(place)
            KIND.reset(kind)
