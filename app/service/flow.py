"""The one way of a job: wait for what it needs, take a place in line, end as its caller's future.

    expectations ─▶ line ─▶ work(lane) ─▶ the caller's future

Submissions, runs, follow-up formulas and `mlgrind grade` all go this way. Here and nowhere else a
full line becomes `Refused`, and a caller's cancelled future takes its job out of the line.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TypeVar

from app.admission import retry_after
from app.futures import cancel_with, fail, pass_on
from app.model import Expectations
from app.ports import Job, Line, LineFull
from app.service.errors import Refused

T = TypeVar("T")

RETRY_S = 2.0
FULL = "The line is full. We try again shortly."


@dataclass(frozen=True)
class Flow:
    """Puts work in line; `chance` in [0, 1) spreads the seconds a refused caller stays away."""

    line: Line
    chance: Callable[[], float] = random.random

    def put(self, job: Job[T], *, bounded: bool = True) -> Future[T]:
        """Queue a job; cancelling the future takes it out of the line.

        A full or closed line fails the future with Refused("line_full"); with `bounded` false only
        a closed one ends it, and by cancelling: the job was accepted, and comes up again.
        """
        result: Future[T] = Future()
        self._put(job, result, bounded=bounded)
        return result

    def put_after(
        self,
        expected: Future[Expectations],
        job: Callable[[Expectations], Job[T]],
        *,
        bounded: bool = True,
    ) -> Future[T]:
        """Queue a job as soon as the expectations that it needs are there.

        The future fails with what keeps them from being computed, else as with `put`.
        """
        result: Future[T] = Future()

        def there(done: Future[Expectations]) -> None:
            error = None if done.cancelled() else done.exception()
            if done.cancelled() or result.cancelled():
                result.cancel()
            elif error is not None:
                fail(result, error)
            else:
                self._put(job(done.result()), result, bounded=bounded)

        expected.add_done_callback(there)
        return result

    def _put(self, job: Job[T], result: Future[T], *, bounded: bool) -> None:
        try:
            queued = self.line.put(job, bounded=bounded)
        except LineFull:
            self._turn_away(result, bounded=bounded)
            return
        queued.add_done_callback(lambda done: self._end(done, result, bounded=bounded))
        cancel_with(result, queued)

    def _end(self, done: Future[T], result: Future[T], *, bounded: bool) -> None:
        if not done.cancelled() and isinstance(done.exception(), LineFull):
            self._turn_away(result, bounded=bounded)
        else:
            pass_on(done, result)

    def _turn_away(self, result: Future[T], *, bounded: bool) -> None:
        if bounded:
            fail(result, Refused("line_full", retry_after(RETRY_S, self.chance()), FULL))
        else:
            result.cancel()
