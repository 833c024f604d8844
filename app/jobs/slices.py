"""The slow line: which jobs run, which stand still and which wait, without a thread or a clock.

             ┌────────────── its slice is used up, and another is next ◀──────┐
             ▼                                                                │
    put ──▶ waits ──▶ runs ──▶ done                   stands ──▶ runs ────────┘
             ▲                                          │
             └── ended for one that has not run yet ◀───┘   once a job: the second time it stays

What has used the least goes first: the owner's CPU of the last minutes in coarse levels, then the
job's own slices, then the kind. Of those that have not run at all, the newest and the oldest go
first by turns: with the oldest alone, a crowd that came before would be waited for one by one,
and with the newest alone, a stream of them would never let the first one in.

An owner has one started job at a time. All started ones together hold at most `places`, for each
may keep half a gibibyte; the last place is for a job that has not run yet, and where there is none,
the standing job that used most CPU is ended for it.
"""

from __future__ import annotations

import math
from collections import OrderedDict, deque
from dataclasses import dataclass
from typing import Generic, Literal, TypeAlias, TypeVar

from app.jobs.turns import Waiting
from app.ports import Kind

T = TypeVar("T")

SLICE_S = 1.25
"""Seconds of CPU before others get their turn: most honest slow programs are done by then."""

LIGHT_S = 3.0
"""Who used less CPU than this of late is as good as new; from there on, levels double."""

HALF_LIFE_S = 60.0
"""After so long, half of what an owner has used is forgotten."""

MOST_OWNERS = 10_000


@dataclass(eq=False)
class _Slow(Generic[T]):
    """A job of the slow line. `again`: it was ended for another once, and is not a second time."""

    job: Waiting[T]
    number: int
    state: Literal["waits", "runs", "stands", "ending"] = "waits"
    again: bool = False
    alone: bool = False
    slices: int = 0
    cpu_s: float = 0.0
    slice_s: float = 0.0
    news: int = 0

    @property
    def new(self) -> bool:
        """Whether it has not run yet."""
        return self.state == "waits" and not self.again


_Key: TypeAlias = tuple[int, int, int]

Step: TypeAlias = tuple[Literal["start", "go on", "end"], Waiting[T]]
"""What the caller has to do: start a job, let one that stands go on, or end one that stands."""


class Used:
    """How much CPU each owner used of late; what is old counts ever less."""

    def __init__(self) -> None:
        self._used: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def add(self, owner: str, cpu_s: float, now: float) -> None:
        """Note what an owner used; `now` is in seconds of a steady clock."""
        self._used[owner] = self.of(owner, now) + cpu_s, now
        self._used.move_to_end(owner)
        if len(self._used) > MOST_OWNERS:
            self._used.popitem(last=False)

    def of(self, owner: str, now: float) -> float:
        """Seconds of CPU, weighed by how long ago they were used."""
        used, at = self._used.get(owner, (0.0, now))
        return used * math.exp2(-max(0.0, now - at) / HALF_LIFE_S)

    def level(self, owner: str, now: float) -> int:
        """0 for who used little, and one more for each time that doubles."""
        used = self.of(owner, now)
        return 0 if used < LIGHT_S else 1 + int(math.log2(used / LIGHT_S))


class Slices(Generic[T]):
    """The slow line's jobs; the caller holds a lock around it and does what `step` says."""

    def __init__(self, *, at_once: int = 2, places: int = 4) -> None:
        """`at_once` jobs run at a time; `places` may have been started and not be done."""
        self._at_once = at_once
        self._places = max(places, at_once)
        self._jobs: dict[Waiting[T], _Slow[T]] = {}
        self._lone: deque[Waiting[T]] = deque()
        self._used = Used()
        self._number = 0
        self._newest_first = True
        self._news = 0

    def __len__(self) -> int:
        """How many wait to be started."""
        return len(self.waiting())

    def waiting(self) -> tuple[Waiting[T], ...]:
        """Those that wait to be started, in the order they came."""
        return tuple(slow.job for slow in self._jobs.values() if slow.state == "waits")

    def put(self, job: Waiting[T]) -> None:
        """A job that has not run in the slow line yet."""
        self._add(job)

    def put_again(self, job: Waiting[T]) -> None:
        """A job that was ended for another: it starts over, and is not ended again."""
        slow = self._add(job)
        slow.again, slow.slices = True, 1

    def put_alone(self, job: Waiting[T]) -> None:
        """A job that our own fault hit: it goes before all others, with no other beside it."""
        self._add(job).alone = True
        self._lone.append(job)

    def _add(self, job: Waiting[T]) -> _Slow[T]:
        self._number += 1
        self._news += 1
        slow = self._jobs[job] = _Slow(job, self._number)
        return slow

    def is_alone(self, job: Waiting[T]) -> bool:
        """Whether it runs with no other beside it."""
        return self._jobs[job].alone

    def remove(self, job: Waiting[T]) -> bool:
        """Take out a job that waits; false where it does not."""
        slow = self._jobs.get(job)
        if slow is None or slow.state != "waits":
            return False
        self.done(job)
        return True

    def done(self, job: Waiting[T]) -> None:
        """It has ended, whichever way."""
        self._jobs.pop(job, None)
        if job in self._lone:
            self._lone.remove(job)

    def spent(self, job: Waiting[T], cpu_s: float, now: float) -> bool:
        """Charge a running job with CPU; false where it has to stand still from now on."""
        slow = self._jobs[job]
        slow.cpu_s += cpu_s
        slow.slice_s += cpu_s
        self._used.add(job.turn, cpu_s, now)
        if slow.alone:
            return True
        full = slow.slice_s >= SLICE_S
        if full:
            slow.slices, slow.slice_s = slow.slices + 1, 0.0
        if self._lone or self._has_to_stand(slow, full, now):
            slow.state = "stands"
            return False
        return True

    def _has_to_stand(self, slow: _Slow[T], full: bool, now: float) -> bool:
        """At the end of a slice, others in its state go first; within a later one, only lesser."""
        if not full and (slow.slices == 0 or slow.news == self._news):
            return False
        slow.news = self._news
        slow.state = "stands"
        others = [self._key(each, now) for each in self._candidates() if each is not slow]
        slow.state = "runs"
        own = self._key(slow, now)
        return any(key <= own if full else key < own for key in others)

    def step(self, now: float) -> Step[T] | None:
        """The next thing to do, already noted as done; None for now."""
        states = [slow.state for slow in self._jobs.values()]
        if "ending" in states:
            return None  # its memory is needed first
        running = states.count("runs")
        if self._lone:
            return self._step_alone(running)
        if running >= self._at_once:
            return None
        chosen = self._best(now)
        if chosen is None:
            return None
        return self._begin(chosen)

    def _step_alone(self, running: int) -> Step[T] | None:
        first = self._jobs[self._lone[0]]
        return None if running or first.state != "waits" else self._begin(first)

    def _begin(self, slow: _Slow[T]) -> Step[T]:
        if slow.state == "stands":
            slow.state = "runs"
            return "go on", slow.job
        victim = None if self._started() < self._places else self._victim()
        if victim is not None:
            victim.state = "ending"
            return "end", victim.job
        if slow.new:
            self._newest_first = not self._newest_first
        slow.state = "runs"
        return "start", slow.job

    def _best(self, now: float) -> _Slow[T] | None:
        candidates = self._candidates()
        if not candidates:
            return None
        least = min(self._key(slow, now) for slow in candidates)
        equal = [slow for slow in candidates if self._key(slow, now) == least]
        standing = [slow for slow in equal if not slow.new]
        if standing:
            return standing[0]
        return equal[-1] if self._newest_first else equal[0]

    def _candidates(self) -> list[_Slow[T]]:
        """Those that could run next, in the order they came: one an owner at most."""
        fits = self._fitting()
        taken = {slow.job.turn for slow in self._jobs.values() if slow.state != "waits"}
        found = [slow for slow in self._jobs.values() if slow.state == "stands"]
        for kind in Kind:
            for slow in self._jobs.values():
                waits = slow.state == "waits" and slow.job.kind is kind
                if waits and slow.job.turn not in taken and fits[slow.again]:
                    taken.add(slow.job.turn)
                    found.append(slow)
        return sorted(found, key=lambda slow: slow.number)

    def _fitting(self) -> tuple[bool, bool]:
        """Whether there is, or would be, a place for a job that is new, and for one that is not."""
        started = self._started()
        new = started < self._places or self._victim() is not None
        ordinary = max(1, self._places - 1)
        staying = sum(slow.again and slow.state != "waits" for slow in self._jobs.values())
        return new, started < ordinary and staying < max(1, ordinary - 1)

    def _started(self) -> int:
        return sum(slow.state != "waits" for slow in self._jobs.values())

    def _victim(self) -> _Slow[T] | None:
        """The standing job that used most CPU, of those that may be ended for another."""
        standing = [s for s in self._jobs.values() if s.state == "stands" and not s.again]
        return max(standing, key=lambda slow: slow.cpu_s, default=None)

    def _key(self, slow: _Slow[T], now: float) -> _Key:
        return self._used.level(slow.job.turn, now), slow.slices, slow.job.kind

    def place(self, job: Waiting[T], now: float) -> int | None:
        """How many of those that wait are started before this one, about; None where it is none."""
        rounds: dict[str, int] = {}
        order: list[tuple[bool, int, _Key, int, Waiting[T]]] = []
        for slow in self._jobs.values():
            if slow.state == "waits":
                nth = rounds[slow.job.turn] = rounds.get(slow.job.turn, -1) + 1
                key = (not slow.alone, nth, self._key(slow, now), slow.number, slow.job)
                order.append(key)
        order.sort(key=lambda entry: entry[:4])
        return next((n for n, entry in enumerate(order) if entry[4] == job), None)
