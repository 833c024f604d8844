"""The line in this process: a few threads that work off `Lanes`, fast ones and slow ones.

A job's future is never marked as running, so that it can be cancelled until its result is there;
the result of work that nobody waits for any more is thrown away.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass, field
from typing import Any, TypeVar

from app import metrics
from app.jobs.lanes import Lanes, Waiting
from app.model import Lane
from app.ports import Job, Kind, LineFull, Load, SandboxFault

T = TypeVar("T")


@dataclass(eq=False)
class _Entry:
    job: Job[Any]
    future: Future[Any] = field(default_factory=Future)
    faults: int = 0
    overran: bool = False


class EmbeddedLine:
    """The port `Line` on threads of this process."""

    def __init__(self, *, fast: int = 2, slow: int = 2, capacity: int = 1_000) -> None:
        """Take `fast` and `slow` workers; at most `capacity` jobs may wait."""
        self._capacity = capacity
        self._lanes: Lanes[_Entry] = Lanes()
        self._waiting: dict[str, Waiting[_Entry]] = {}
        self._lock = threading.RLock()
        self._fast_due = threading.Condition(self._lock)
        self._slow_due = threading.Condition(self._lock)
        self._running = 0
        self._closed = False
        loops = [("fast", self._fast_one)] * fast + [("slow", self._slow_one)] * slow
        self._threads = [
            threading.Thread(target=self._work, args=(one,), name=f"{name}-{n}", daemon=True)
            for n, (name, one) in enumerate(loops)
        ]

    def start(self) -> None:
        """Begin to work off what was put."""
        for thread in self._threads:
            thread.start()

    def put(self, job: Job[T], *, bounded: bool = True) -> Future[T]:
        """Queue a job, pushing out a lesser one where the line is full."""
        waiting = Waiting(job.turn, job.kind, _Entry(job))
        with self._lock:
            if self._closed:
                raise LineFull("the line is closed")
            dropped = self._make_room(job.kind) if bounded else None
            self._lanes.put(waiting)
            self._waiting[job.key] = waiting
            self._fast_due.notify()
            self._count()
        waiting.item.future.add_done_callback(lambda _: self._leave(waiting))
        if dropped is not None:
            _fail(dropped.item.future, LineFull("gave way to something more urgent"))
        return waiting.item.future

    def place(self, key: str) -> int | None:
        """How many jobs go before this one, plus one; None when it does not wait in line."""
        with self._lock:
            waiting = self._waiting.get(key)
            return None if waiting is None else self._lanes.place(waiting)

    def load(self) -> Load:
        """How busy it is now."""
        with self._lock:
            submissions = self._lanes.count(Kind.SUBMISSION)
            runs = len(self._lanes) - submissions
            return Load(submissions, runs, self._running, self._capacity)

    def close(self, drain_s: float = 0.0) -> None:
        """Let running jobs end, for at most `drain_s`; cancel those that wait."""
        with self._lock:
            self._closed = True
            left = self._lanes.drain()
            self._fast_due.notify_all()
            self._slow_due.notify_all()
        for waiting in left:
            waiting.item.future.cancel()
        until = time.monotonic() + drain_s
        for thread in self._threads:
            if thread.is_alive():
                thread.join(max(0.0, until - time.monotonic()))

    def _make_room(self, kind: Kind) -> Waiting[_Entry] | None:
        if len(self._lanes) < self._capacity:
            return None
        dropped = self._lanes.give_way(kind)
        if dropped is None:
            raise LineFull(f"{self._capacity} jobs are waiting")
        metrics.DROPPED.inc()
        return dropped

    def _count(self) -> None:
        """After every change, with the lock held."""
        for kind in Kind:
            metrics.WAITING.labels(kind.name.lower()).set(self._lanes.count(kind))

    def _leave(self, waiting: Waiting[_Entry]) -> None:
        """The future is done, by its work or by being cancelled: forget the job."""
        with self._lock:
            if self._lanes.remove(waiting):
                self._slow_due.notify_all()  # it may have been one they stood back for
            if self._waiting.get(waiting.item.job.key) is waiting:
                del self._waiting[waiting.item.job.key]
            self._count()

    def _work(self, one: Callable[[], bool]) -> None:
        while one():
            pass

    def _next(
        self, take: Callable[[], tuple[Waiting[_Entry], bool] | None], due: threading.Condition
    ) -> tuple[Waiting[_Entry], bool] | None:
        """Wait for a job; None when the line closes.

        Whoever makes a job ready wakes one worker of its kind and no other: each that wakes in vain
        holds up the answer to the learner whose job has just been done.
        """
        with self._lock:
            while not self._closed:
                taken = take()
                if taken is not None:
                    self._running += 1
                    self._count()
                    return taken
                due.wait()
            return None

    def _fast_one(self) -> bool:
        taken = self._next(self._lanes.take_fast, self._fast_due)
        if taken is None:
            return False
        waiting, suspect = taken
        finished = self._try(waiting, Lane.FAST)
        with self._lock:
            self._lanes.done_fast(waiting, suspect=suspect, quick=finished)
            self._stopped(waiting, finished=finished)
        self._cancel_if_closed(waiting, finished=finished)
        return True

    def _slow_one(self) -> bool:
        taken = self._next(self._lanes.take_slow, self._slow_due)
        if taken is None:
            return False
        waiting, alone = taken
        finished = self._try(waiting, Lane.AUTHOR if alone else Lane.SLOW)
        with self._lock:
            self._lanes.done_slow(waiting, alone=alone, overran=waiting.item.overran)
            if alone:
                self._slow_due.notify_all()  # all of them stood back
            self._stopped(waiting, finished=finished)
        self._cancel_if_closed(waiting, finished=finished)
        return True

    def _stopped(self, waiting: Waiting[_Entry], *, finished: bool) -> None:
        """A worker is free; queue an unfinished job again. With the lock held."""
        self._running -= 1
        if not finished and not self._closed and not waiting.item.future.done():
            if waiting.item.faults:
                metrics.RETRIED.inc()
                self._lanes.put_alone(waiting)
            else:
                metrics.LEFT_FAST_LANE.inc()
                self._lanes.put_slow(waiting)
            self._slow_due.notify()
        self._count()

    def _cancel_if_closed(self, waiting: Waiting[_Entry], *, finished: bool) -> None:
        """Without the lock, for a future's callbacks are strangers who may hold locks of theirs."""
        if self._closed and not finished:
            waiting.item.future.cancel()

    def _try(self, waiting: Waiting[_Entry], lane: Lane) -> bool:
        """Work once; false where the job has to be queued again."""
        entry = waiting.item
        metrics.STARTED.labels(lane.value).inc()
        try:
            result = entry.job.work(lane)
        except SandboxFault as fault:
            entry.faults += 1
            if entry.faults == 1 or self._closed:  # a closing server ends its sandbox: no fault
                return False
            _fail(entry.future, fault)
        except Exception as error:  # noqa: BLE001 - the edge of a job: whatever it is, the line goes on
            _fail(entry.future, error)
        else:
            if result is None:
                return False
            entry.overran = entry.job.overran(result)
            _succeed(entry.future, result)
        return True


def _succeed(future: Future[Any], result: object) -> None:
    try:
        future.set_result(result)
    except InvalidStateError:
        return  # cancelled while it ran: nobody waits


def _fail(future: Future[Any], error: Exception) -> None:
    try:
        future.set_exception(error)
    except InvalidStateError:
        return
