"""Who goes next: the rules of the fast lane and the slow line, without a thread or a clock.

    put ──▶ fast lane ──▶ done                      submissions, then runs, then live runs;
               │                                    of each kind, turns that were quick lately first
               └─ left it (100 ms) ──▶ slow line ──▶ done      round-robin by turn
                                          ▲
               our own fault, once ───────┘ alone: no other slow job beside it

A turn (a learner, or the young learners of one address) whose last job left the fast lane starts
behind those whose did not, and all such turns together hold one fast worker at a time: endless
loops cost the others a place in line, never the lane.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass
from typing import Generic, TypeVar

from app.jobs.turns import Turns
from app.ports import Kind

T = TypeVar("T")

REMEMBERED_TURNS = 10_000


@dataclass(frozen=True)
class Waiting(Generic[T]):
    """One job in line; `item` is whatever the caller needs to run it."""

    turn: str
    kind: Kind
    item: T


class Lanes(Generic[T]):
    """The jobs that wait and the counts of those that run; the caller holds a lock around it."""

    def __init__(self) -> None:
        self._quick: dict[Kind, Turns[Waiting[T]]] = {kind: Turns() for kind in Kind}
        self._suspect: dict[Kind, Turns[Waiting[T]]] = {kind: Turns() for kind in Kind}
        self._slow: dict[Kind, Turns[Waiting[T]]] = {kind: Turns() for kind in Kind}
        self._alone: deque[Waiting[T]] = deque()
        self._slow_turns: OrderedDict[str, None] = OrderedDict()
        self._suspects_running = 0
        self._slow_running = 0
        self._alone_running = False

    def __len__(self) -> int:
        return len(self._alone) + sum(len(queue) for queue in self._queues())

    def count(self, kind: Kind) -> int:
        """How many of a kind wait, wherever."""
        queues = (self._quick[kind], self._suspect[kind], self._slow[kind])
        return sum(map(len, queues)) + sum(w.kind is kind for w in self._alone)

    def put(self, job: Waiting[T]) -> None:
        """Queue for the fast lane."""
        lane = self._suspect if job.turn in self._slow_turns else self._quick
        lane[job.kind].put(job.turn, job)

    def put_slow(self, job: Waiting[T]) -> None:
        """Queue a job that left the fast lane, and remember whose it was."""
        self._slow_turns[job.turn] = None
        self._slow_turns.move_to_end(job.turn)
        if len(self._slow_turns) > REMEMBERED_TURNS:
            self._slow_turns.popitem(last=False)
        self._slow[job.kind].put(job.turn, job)

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
            self._slow_turns.pop(job.turn, None)

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
            job = self._slow[kind].pop()
            if job is not None:
                self._slow_running += 1
                return job, False
        return None

    def done_slow(self, *, alone: bool) -> None:
        """Note that a slow worker is free again."""
        self._slow_running -= 1
        if alone:
            self._alone_running = False

    def remove(self, job: Waiting[T]) -> bool:
        """Take a job out; false where it does not wait."""
        if job in self._alone:
            self._alone.remove(job)
            return True
        queues = (self._quick[job.kind], self._suspect[job.kind], self._slow[job.kind])
        return any(queue.remove(job.turn, job) for queue in queues)

    def give_way(self, kind: Kind) -> Waiting[T] | None:
        """Take out a job that a new one of `kind` may push out: a live run first, then a run."""
        for lesser in reversed(Kind):
            if lesser <= kind:
                return None
            for queue in (self._slow[lesser], self._suspect[lesser], self._quick[lesser]):
                found = queue.newest()
                if found is not None:
                    queue.remove(*found)
                    return found[1]
        return None

    def place(self, job: Waiting[T]) -> int | None:
        """How many jobs are started before this one, plus one; None when it does not wait."""
        if job in self._alone:
            return self._alone.index(job) + 1
        ahead = self._slow[job.kind].ahead(job.turn, job)
        if ahead is not None:
            before = sum(len(self._slow[kind]) for kind in Kind if kind < job.kind)
            return len(self._alone) + before + ahead + 1
        before = sum(len(q[kind]) for kind in Kind if kind < job.kind for q in self._fast_queues())
        ahead = self._quick[job.kind].ahead(job.turn, job)
        if ahead is not None:
            return before + ahead + 1
        ahead = self._suspect[job.kind].ahead(job.turn, job)
        return None if ahead is None else before + len(self._quick[job.kind]) + ahead + 1

    def drain(self) -> tuple[Waiting[T], ...]:
        """Take everything out."""
        out = list(self._alone)
        self._alone.clear()
        for queue in self._queues():
            while (job := queue.pop()) is not None:
                out.append(job)
        return tuple(out)

    def _fast_queues(self) -> tuple[dict[Kind, Turns[Waiting[T]]], ...]:
        return self._quick, self._suspect

    def _queues(self) -> tuple[Turns[Waiting[T]], ...]:
        lanes = (self._quick, self._suspect, self._slow)
        return tuple(lane[kind] for lane in lanes for kind in Kind)
