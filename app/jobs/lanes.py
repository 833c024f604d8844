"""Who goes next: the rules of the fast lane and the slow line, without a thread or a clock.

    put ──▶ fast lane ──▶ done                      submissions, then runs, then live runs;
               │                                    of each kind, turns that were quick lately first
               └─ left it (100 ms) ──▶ slow line ──▶ done      round-robin by turn; turns whose last
                                          ▲                    slow job hit its time limit come last
               our own fault, once ───────┘ alone: no other slow job beside it

A turn (a learner, or the young learners of one address) whose last job left the fast lane starts
behind those whose did not, and all such turns together hold one fast worker at a time: endless
loops cost the others a place in line, never the lane. In the slow line too: who loops for ever is
waited for once.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from app.jobs.turns import Remembered, Turns
from app.ports import Kind

T = TypeVar("T")

REMEMBERED_TURNS = 10_000


@dataclass(frozen=True)
class Waiting(Generic[T]):
    """One job in line; `item` is whatever the caller needs to run it."""

    turn: str
    kind: Kind
    item: T


_Lane: TypeAlias = dict[Kind, Turns[Waiting[T]]]


class Lanes(Generic[T]):
    """The jobs that wait and the counts of those that run; the caller holds a lock around it."""

    def __init__(self) -> None:
        self._quick: _Lane[T] = {kind: Turns() for kind in Kind}
        self._suspect: _Lane[T] = {kind: Turns() for kind in Kind}
        self._slow: _Lane[T] = {kind: Turns() for kind in Kind}
        self._last: _Lane[T] = {kind: Turns() for kind in Kind}
        self._alone: deque[Waiting[T]] = deque()
        self._left_fast_lane = Remembered(REMEMBERED_TURNS)
        self._overran = Remembered(REMEMBERED_TURNS)
        self._suspects_running = 0
        self._slow_running = 0
        self._alone_running = False

    def __len__(self) -> int:
        return len(self._alone) + sum(len(queue) for queue in self._queues())

    def count(self, kind: Kind) -> int:
        """How many of a kind wait, wherever."""
        queues = (lane[kind] for lane in self._lanes())
        return sum(map(len, queues)) + sum(w.kind is kind for w in self._alone)

    def put(self, job: Waiting[T]) -> None:
        """Queue for the fast lane."""
        lane = self._suspect if job.turn in self._left_fast_lane else self._quick
        lane[job.kind].put(job.turn, job)

    def put_slow(self, job: Waiting[T]) -> None:
        """Queue a job that left the fast lane, and remember whose it was."""
        self._left_fast_lane.note(job.turn, known=True)
        lane = self._last if job.turn in self._overran else self._slow
        lane[job.kind].put(job.turn, job)

    def put_alone(self, job: Waiting[T]) -> None:
        """Queue a job that our own fault hit, before all slow ones."""
        self._alone.append(job)

    def take_fast(self) -> tuple[Waiting[T], bool] | None:
        """The next job for the fast lane, and whether its turn is a suspect's."""
        for kind in Kind:
            job = self._quick[kind].pop()
            if job is not None:
                return job, False
            if self._suspects_running == 0:
                job = self._suspect[kind].pop()
                if job is not None:
                    self._suspects_running += 1
                    return job, True
        return None

    def done_fast(self, job: Waiting[T], *, suspect: bool, quick: bool) -> None:
        """Note how a job of the fast lane ended; `quick` when it never left the lane."""
        if suspect:
            self._suspects_running -= 1
        if quick:
            self._left_fast_lane.note(job.turn, known=False)

    def take_slow(self) -> tuple[Waiting[T], bool] | None:
        """The next job for a slow worker, and whether it has to be alone."""
        if self._alone_running:
            return None
        if self._alone:
            if self._slow_running:
                return None
            self._alone_running = True
            self._slow_running += 1
            return self._alone.popleft(), True
        for kind in Kind:
            job = self._slow[kind].pop() or self._last[kind].pop()
            if job is not None:
                self._slow_running += 1
                return job, False
        return None

    def done_slow(self, job: Waiting[T], *, alone: bool, overran: bool) -> None:
        """Note how a job of the slow line ended; `overran` when it hit its time limit."""
        self._slow_running -= 1
        self._overran.note(job.turn, known=overran)
        if alone:
            self._alone_running = False

    def remove(self, job: Waiting[T]) -> bool:
        """Take a job out; false where it does not wait."""
        if job in self._alone:
            self._alone.remove(job)
            return True
        return any(lane[job.kind].remove(job.turn, job) for lane in self._lanes())

    def give_way(self, kind: Kind) -> Waiting[T] | None:
        """Take out a job that a new one of `kind` may push out: a live run first, then a run."""
        for lesser in reversed(Kind):
            if lesser <= kind:
                return None
            for lane in reversed(self._lanes()):
                found = lane[lesser].newest()
                if found is not None:
                    lane[lesser].remove(*found)
                    return found[1]
        return None

    def place(self, job: Waiting[T]) -> int | None:
        """How many jobs are started before this one, plus one; None when it does not wait."""
        if job in self._alone:
            return self._alone.index(job) + 1
        fast, slow = (self._quick, self._suspect), (self._slow, self._last)
        ahead = _ahead(slow, job)
        if ahead is not None:
            return len(self._alone) + ahead + 1
        ahead = _ahead(fast, job)
        return None if ahead is None else ahead + 1

    def drain(self) -> tuple[Waiting[T], ...]:
        """Take everything out."""
        out = list(self._alone)
        self._alone.clear()
        for queue in self._queues():
            while (job := queue.pop()) is not None:
                out.append(job)
        return tuple(out)

    def _lanes(self) -> tuple[_Lane[T], ...]:
        return self._quick, self._suspect, self._slow, self._last

    def _queues(self) -> tuple[Turns[Waiting[T]], ...]:
        return tuple(lane[kind] for lane in self._lanes() for kind in Kind)


def _ahead(lanes: tuple[_Lane[T], ...], job: Waiting[T]) -> int | None:
    """How many jobs of these lanes are started before this one; None where it is in neither."""
    before = sum(len(lane[kind]) for lane in lanes for kind in Kind if kind < job.kind)
    for lane in lanes:
        ahead = lane[job.kind].ahead(job.turn, job)
        if ahead is not None:
            return before + ahead
        before += len(lane[job.kind])
    return None
