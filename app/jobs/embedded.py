"""The line in this process: a few threads that work off `Lanes`, fast ones and slow ones.

A job's future is never marked as running, so that it can be cancelled until its result is there.
Slow work that has no caller waiting any more is ended; the result of quick work is thrown away.

There is a slow thread for each place of a started job. Few of them work at a time: the others stand
in `stand`, and their children are stopped.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from app import metrics
from app.futures import fail, succeed
from app.jobs.entries import QueuedJob, Rest, Take
from app.jobs.lanes import Lanes
from app.jobs.turns import Waiting
from app.model import Lane
from app.ports import KIND, PLACE, GaveWay, Job, Kind, LineFull, Load, SandboxFault

T = TypeVar("T")


class _SlowPlace:
    """The port `Place` for one started job."""

    def __init__(self, line: EmbeddedLine, waiting: Waiting[QueuedJob]) -> None:
        self._line, self._waiting = line, waiting

    def spent(self, cpu_s: float) -> bool:
        return self._line.spent(self._waiting, cpu_s)

    def stand(self) -> None:
        self._waiting.item.go.wait()
        if self._waiting.item.gave_way or self._line.given_up(self._waiting):
            raise GaveWay


class EmbeddedLine:
    """The port `Line` on threads of this process."""

    def __init__(
        self, *, fast: int = 2, slow: int = 2, places: int = 4, capacity: int = 1_000
    ) -> None:
        """Run `fast` quick and `slow` slow jobs at once; at most `capacity` jobs may wait.

        `places`: so many slow ones may have been started, run or stand still.
        """
        self._capacity = capacity
        self._lanes: Lanes[QueuedJob] = Lanes(at_once=slow, places=places)
        self._begun: deque[Waiting[QueuedJob]] = deque()
        self._waiting: dict[str, Waiting[QueuedJob]] = {}
        self._lock = threading.RLock()
        self._fast_due = threading.Condition(self._lock)
        self._slow_due = threading.Condition(self._lock)
        self._running = 0
        self._closed = False
        loops = [("fast", self._fast_one)] * fast + [("slow", self._slow_one)] * max(slow, places)
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
        waiting = Waiting(job.turn, job.kind, QueuedJob(job))
        with self._lock:
            if self._closed:
                raise LineFull("the line is closed")
            if bounded and self._held_by(job.turn) >= max(2, self._capacity // 10):
                raise LineFull("one turn holds a tenth of the line")
            dropped = self._make_room(job.kind) if bounded else None
            self._lanes.put(waiting)
            self._waiting[job.key] = waiting
            self._fast_due.notify()
            self._count()
        waiting.item.future.add_done_callback(lambda _: self._leave(waiting))
        if dropped is not None:
            fail(dropped.item.future, LineFull("gave way to something more urgent"))
        return waiting.item.future

    def place(self, key: str) -> int | None:
        """How many jobs go before this one, plus one; None when it does not wait in line."""
        with self._lock:
            waiting = self._waiting.get(key)
            return None if waiting is None else self._lanes.place(waiting, time.monotonic())

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
            left = (*self._lanes.drain(), *self._begun)
            self._begun.clear()
            for waiting in self._waiting.values():
                waiting.item.go.set()
            self._fast_due.notify_all()
            self._slow_due.notify_all()
        for waiting in left:
            waiting.item.future.cancel()
        until = time.monotonic() + drain_s
        for thread in self._threads:
            if thread.is_alive():
                thread.join(max(0.0, until - time.monotonic()))

    def _held_by(self, turn: str) -> int:
        """How many of a turn's jobs wait, wherever."""
        return sum(w.turn == turn and not w.item.running for w in self._waiting.values())

    def _make_room(self, kind: Kind) -> Waiting[QueuedJob] | None:
        self._lanes.check_looks(kind)
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

    def _leave(self, waiting: Waiting[QueuedJob]) -> None:
        """The future is done, by its work or by being cancelled: forget the job."""
        with self._lock:
            if self._lanes.remove(waiting):
                self._dispatch()  # it may have been one they stood back for
            if self._waiting.get(waiting.item.job.key) is waiting:
                del self._waiting[waiting.item.job.key]
            waiting.item.go.set()
            self._count()

    def _dispatch(self) -> None:
        """Do what the slow line says; after every change, with the lock held."""
        while (step := self._lanes.slow.step(time.monotonic())) is not None:
            what, waiting = step
            if what == "start":
                self._begun.append(waiting)
                self._slow_due.notify()
                continue
            waiting.item.gave_way = what == "end"
            waiting.item.go.set()

    def spent(self, waiting: Waiting[QueuedJob], cpu_s: float) -> bool:
        """Charge a slow job; false where it stands still. Raises GaveWay where no caller waits."""
        entry = waiting.item
        with self._lock:
            if entry.future.done():
                raise GaveWay
            if self._closed or self._lanes.slow.spent(waiting, cpu_s, time.monotonic()):
                return True
            metrics.STOOD.inc()
            entry.go.clear()
            self._dispatch()
            return entry.go.is_set() and not entry.gave_way

    def given_up(self, waiting: Waiting[QueuedJob]) -> bool:
        """Whether no caller waits for a job that stands still, or the line is closed."""
        return waiting.item.future.done() or self._closed

    def _work(self, one: Callable[[], bool]) -> None:
        while one():
            pass

    def _next(
        self, take: Take, due: threading.Condition, rest_s: Rest = lambda now: None
    ) -> tuple[Waiting[QueuedJob], bool] | None:
        """Wait for a job, and no longer than `rest_s` says at once; None when the line closes.

        What makes a job ready wakes one worker: each that wakes in vain holds up an answer.
        """
        with self._lock:
            while not self._closed:
                now = time.monotonic()
                taken = take(now)
                if taken is not None:
                    self._running += 1
                    taken[0].item.running = True
                    self._count()
                    return taken
                due.wait(rest_s(now))
            return None

    def _fast_one(self) -> bool:
        taken = self._next(self._lanes.take_fast, self._fast_due, self._lanes.rest_s)
        if taken is None:
            return False
        waiting, suspect = taken
        finished = self._try(waiting, Lane.FAST)
        with self._lock:
            self._lanes.done_fast(waiting, time.monotonic(), suspect=suspect, quick=finished)
            if self._lanes.hurries():
                self._fast_due.notify()  # its turn is free, and perhaps a worker stood by for that
            self._stopped(waiting, finished=finished)
        self._cancel_if_closed(waiting, finished=finished)
        return True

    def _take_begun(self) -> tuple[Waiting[QueuedJob], bool] | None:
        if not self._begun:
            return None
        waiting = self._begun.popleft()
        return waiting, self._lanes.slow.is_alone(waiting)

    def _slow_one(self) -> bool:
        taken = self._next(lambda _: self._take_begun(), self._slow_due)
        if taken is None:
            return False
        waiting, alone = taken
        place = PLACE.set(_SlowPlace(self, waiting))
        try:
            finished = self._try(waiting, Lane.AUTHOR if alone else Lane.SLOW)
        finally:
            PLACE.reset(place)
        with self._lock:
            self._lanes.slow.done(waiting)
            self._stopped(waiting, finished=finished)
        self._cancel_if_closed(waiting, finished=finished)
        return True

    def _stopped(self, waiting: Waiting[QueuedJob], *, finished: bool) -> None:
        """A worker is free; queue an unfinished job again. With the lock held."""
        self._running -= 1
        if not finished and not self._closed and not waiting.item.future.done():
            self._once_more(waiting)
        self._dispatch()
        self._count()

    def _once_more(self, waiting: Waiting[QueuedJob]) -> None:
        entry = waiting.item
        entry.running = False
        if entry.gave_way:
            entry.gave_way = False
            metrics.GAVE_WAY.inc()
            self._lanes.slow.put_again(waiting)
        elif entry.faults:
            metrics.RETRIED.inc()
            self._lanes.slow.put_alone(waiting)
        else:
            metrics.LEFT_FAST_LANE.inc()
            self._lanes.put_slow(waiting)

    def _cancel_if_closed(self, waiting: Waiting[QueuedJob], *, finished: bool) -> None:
        """Without the lock, for a future's callbacks are strangers who may hold locks of theirs."""
        if self._closed and not finished:
            waiting.item.future.cancel()

    def _try(self, waiting: Waiting[QueuedJob], lane: Lane) -> bool:
        """Work once; false where the job has to be queued again."""
        entry = waiting.item
        if entry.future.done():
            return True
        metrics.STARTED.labels(lane.value).inc()
        kind = KIND.set(entry.job.kind)
        try:
            result = entry.job.work(lane)
        except SandboxFault as fault:
            entry.faults += 1
            if entry.faults == 1 or self._closed:  # a closing server ends its sandbox: no fault
                return False
            fail(entry.future, fault)
        except GaveWay:
            return False
        except Exception as error:  # noqa: BLE001 - the edge of a job: whatever it is, the line goes on
            fail(entry.future, error)
        else:
            if result is None:
                return False
            succeed(entry.future, result)
        finally:
            KIND.reset(kind)
        return True
