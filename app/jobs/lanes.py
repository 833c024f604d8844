"""Who goes next: the rules of the fast lane, without a thread or a clock.

    put ──▶ fast lane ──▶ done                      submissions, then runs, then live runs, and
               │                                    second looks in a quiet moment; of each kind,
               │                                    turns that were quick lately first
               └─ left it (100 ms) ──▶ slow line    `slices`
                                          ▲
               our own fault, once ───────┘ alone: no other slow job beside it

A turn (a learner, or those of one address who have no cookie) whose last job left the fast lane
starts behind those whose did not, and all such turns together hold one fast worker at a time:
endless loops cost the others a place in line, never the lane. No turn's runs hold two fast
workers: however many somebody has open, one worker is there for the others.
"""

from __future__ import annotations

import math
from typing import Generic, TypeAlias, TypeVar

from app.jobs.slices import Slices
from app.jobs.turns import RememberedTurns, Turns, Waiting
from app.ports import Kind, LineFull

T = TypeVar("T")

MOST_LOOKS = 100
"""Second looks that may wait for a quiet moment."""

REMEMBERED_TURNS = 10_000
QUIET_S = 0.03
"""After so long without a job of the fast lane that somebody waits for, a second look may begin."""

_Lane: TypeAlias = dict[Kind, Turns[Waiting[T]]]


class Lanes(Generic[T]):
    """The jobs that wait and the counts of those that run; the caller holds a lock around it."""

    def __init__(self, *, at_once: int = 2, places: int = 4) -> None:
        """The slow line runs `at_once` jobs, of at most `places` that were started."""
        self.slow: Slices[T] = Slices(at_once=at_once, places=places)
        self._quick: _Lane[T] = {kind: Turns() for kind in Kind}
        self._suspect: _Lane[T] = {kind: Turns() for kind in Kind}
        self._left_fast_lane = RememberedTurns(REMEMBERED_TURNS)
        self._suspects_running = 0
        self._running_runs: set[str] = set()
        self._awaited, self._quiet_at = 0, -math.inf

    def __len__(self) -> int:
        return len(self.slow) + sum(len(queue) for queue in self._queues())

    def count(self, kind: Kind) -> int:
        """How many of a kind wait, wherever."""
        fast = sum(len(lane[kind]) for lane in self._lanes())
        return fast + sum(job.kind is kind for job in self.slow.waiting())

    def check_looks(self, kind: Kind) -> None:
        """Raise LineFull for a second look where many wait: none begins in a rush."""
        if kind is Kind.SECOND_LOOK and self.count(kind) >= MOST_LOOKS:
            raise LineFull(f"{MOST_LOOKS} second looks are waiting")

    def put(self, job: Waiting[T]) -> None:
        """Queue for the fast lane."""
        lane = self._suspect if job.turn in self._left_fast_lane else self._quick
        lane[job.kind].put(job.turn, job)

    def put_slow(self, job: Waiting[T]) -> None:
        """Queue a job that left the fast lane, and remember whose it was."""
        self._left_fast_lane.note(job.turn, known=True)
        self.slow.put(job)

    def take_fast(self, now: float = math.inf) -> tuple[Waiting[T], bool] | None:
        """The next job for the fast lane, and whether its turn is a suspect's."""
        for kind in Kind:
            if kind is Kind.SECOND_LOOK and (self._awaited or now < self._quiet_at):
                return None
            busy = () if kind is Kind.SUBMISSION else self._running_runs
            job = self._quick[kind].pop(busy)
            suspect = job is None and self._suspects_running == 0
            if suspect:
                job = self._suspect[kind].pop(busy)
            if job is not None:
                self._suspects_running += suspect
                self._awaited += kind is not Kind.SECOND_LOOK
                if kind is not Kind.SUBMISSION:
                    self._running_runs.add(job.turn)
                return job, suspect
        return None

    def rest_s(self, now: float) -> float | None:
        """Seconds until a second look may begin; None where it is not time that one waits for."""
        waits = any(lane[Kind.SECOND_LOOK] for lane in self._lanes())
        is_soon = waits and not self._awaited and now < self._quiet_at
        return self._quiet_at - now if is_soon else None

    def hurries(self) -> bool:
        """Whether a job waits for the fast lane that somebody waits for."""
        return any(lane[kind] for lane in self._lanes() for kind in Kind if kind < Kind.SECOND_LOOK)

    def done_fast(
        self, job: Waiting[T], now: float = -math.inf, *, suspect: bool, quick: bool
    ) -> None:
        """Note how a job of the fast lane ended; `quick` when it never left the lane."""
        if job.kind is not Kind.SECOND_LOOK:
            self._awaited -= 1
            self._quiet_at = now + QUIET_S
        if job.kind is not Kind.SUBMISSION:
            self._running_runs.discard(job.turn)
        if suspect:
            self._suspects_running -= 1
        if quick:
            self._left_fast_lane.note(job.turn, known=False)

    def remove(self, job: Waiting[T]) -> bool:
        """Take a job out; false where it does not wait."""
        waited = self.slow.remove(job)
        return waited or any(lane[job.kind].remove(job.turn, job) for lane in self._lanes())

    def give_way(self, kind: Kind) -> Waiting[T] | None:
        """Take out a job that a new one of `kind` may push out: a live run first, then a run."""
        for lesser in reversed(Kind):
            if lesser <= kind:
                return None
            found = self._newest(lesser)
            if found is not None:
                self.remove(found)
                return found
        return None

    def _newest(self, kind: Kind) -> Waiting[T] | None:
        """The one of its kind that would be started about last."""
        slow = [job for job in self.slow.waiting() if job.kind is kind]
        if slow:
            return slow[-1]
        for lane in reversed(self._lanes()):
            found = lane[kind].newest()
            if found is not None:
                return found[1]
        return None

    def place(self, job: Waiting[T], now: float) -> int | None:
        """How many jobs are started before this one, plus one; None when it does not wait."""
        ahead = self.slow.place(job, now)
        if ahead is None:
            ahead = _ahead(self._lanes(), job)
        return None if ahead is None else ahead + 1

    def drain(self) -> tuple[Waiting[T], ...]:
        """Take everything out."""
        out = list(self.slow.waiting())
        for job in out:
            self.slow.remove(job)
        for queue in self._queues():
            while (job_or_none := queue.pop()) is not None:
                out.append(job_or_none)
        return tuple(out)

    def _lanes(self) -> tuple[_Lane[T], ...]:
        return self._quick, self._suspect

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
