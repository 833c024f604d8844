"""Who may come in and how soon again: token buckets, pure but for the clock they are handed.

Limits are kept in memory and nowhere else: no address is ever written down.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Literal, TypeAlias

MOST_WAIT_S = 60
"""The longest a refused caller is told to stay away."""

REMEMBERED = 20_000
"""Buckets kept before full ones, which say nothing, are thrown away."""


@dataclass(frozen=True)
class Rate:
    """`count` at once, and as many again spread evenly over `per_s` seconds."""

    count: int
    per_s: float = 60.0


@dataclass(frozen=True)
class Bucket:
    """How many tokens there were at a time (seconds of any steady clock)."""

    tokens: float
    at: float


def filled(bucket: Bucket | None, rate: Rate, now: float) -> Bucket:
    """The bucket as it is now; an unknown one is full."""
    if bucket is None:
        return Bucket(float(rate.count), now)
    gained = max(0.0, now - bucket.at) * rate.count / rate.per_s
    return Bucket(min(float(rate.count), bucket.tokens + gained), now)


def wait_s(bucket: Bucket, rate: Rate) -> float:
    """Seconds until the bucket holds a token; 0 when it does, `per_s` where it never will."""
    if bucket.tokens >= 1:
        return 0.0
    return (1 - bucket.tokens) * rate.per_s / rate.count if rate.count > 0 else rate.per_s


def retry_after(wait: float, chance: float) -> int:
    """Whole seconds to tell a refused caller; `chance` in [0, 1) spreads a crowd over the wait.

    At least 1 and at most `MOST_WAIT_S`, so that every caller may come back.
    """
    return max(1, min(MOST_WAIT_S, math.ceil(wait + chance * max(1.0, min(wait, 5.0)))))


What: TypeAlias = Literal[
    "submission", "run", "live", "write", "request", "code", "learner", "newcomer"
]
"""What is asked for. `write`: drafts, names, hints; `request`: anything at all; `code`: a recovery
code that is wrong, counted by the code in place of a learner; `learner`: a first write without a
cookie; `newcomer`: a turn of one's own, for a cookie that came back the first time."""


@dataclass(frozen=True)
class Allowance:
    """What one learner and one address may ask for; the defaults suit a class behind one address.

    Everything is per minute, but for new learners, which are per hour. `outstanding` is how many
    submissions of a learner may wait at once, `line` how many jobs may wait in all. `open_runs`
    may be open at once for a learner; those without a cookie have eight times as many together.
    """

    outstanding: int = 2
    submissions: int = 30
    runs: int = 120
    live: int = 120
    writes: int = 240
    requests: int = 600
    codes: int = 10
    address_submissions: int = 600
    address_runs: int = 2_400
    address_live: int = 2_400
    address_writes: int = 4_800
    address_requests: int = 12_000
    address_codes: int = 600
    address_learners: int = 400
    line: int = 1_000
    open_runs: int = 4

    @property
    def share_of_line(self) -> int:
        """How many jobs one turn may have in line: a tenth of it."""
        return max(self.outstanding, self.line // 10)

    def of_learner(self, what: What) -> Rate | None:
        """A learner's own rate, or None where there is none."""
        counts = {
            "submission": self.submissions,
            "run": self.runs,
            "live": self.live,
            "write": self.writes,
            "request": self.requests,
            "code": self.codes,
        }
        return Rate(counts[what]) if what in counts else None

    def of_address(self, what: What) -> Rate:
        """The rate all learners behind one address share."""
        if what in ("learner", "newcomer"):
            return Rate(self.address_learners, 3600.0)
        counts = {
            "submission": self.address_submissions,
            "run": self.address_runs,
            "live": self.address_live,
            "write": self.address_writes,
            "request": self.address_requests,
            "code": self.address_codes,
        }
        return Rate(counts[what])


@dataclass(frozen=True)
class Admitted:
    """Seconds to wait, 0.0 for none; `shared` where it is others' asking that makes one wait."""

    wait_s: float
    shared: bool = False


class Gate:
    """The buckets of everybody who was here lately; safe to use from several threads."""

    def __init__(self, allowance: Allowance) -> None:
        self._allowance = allowance
        self._buckets: dict[tuple[str, str, str], tuple[Bucket, Rate]] = {}
        self._swept = -math.inf
        self._lock = Lock()

    def admit(self, learner: str, address: str, whats: Sequence[What], now: float) -> float:
        """Take a token of each bucket concerned, or none at all.

        Gives 0.0 when all had one, else the seconds until they will. Without an address (a
        command on this machine) only the learner's own buckets count; without a learner (none
        known asks) only the address's.
        """
        return self.ask(learner, address, whats, now).wait_s

    def ask(
        self, learner: str, address: str, whats: Sequence[What], now: float, *, guest: bool = False
    ) -> Admitted:
        """As `admit`, and says whose asking it was.

        A guest has no cookie that came back. The guests of an address share a bucket as large as
        that of its learners, who pay nothing for them.
        """
        wanted = self._wanted(learner, address, whats, guest=guest)
        with self._lock:
            now_filled = [(key, rate, self._filled(key, rate, now)) for key, rate in wanted]
            waits = [
                (wait_s(bucket, rate), key[0] != "learner") for key, rate, bucket in now_filled
            ]
            wait, shared = max(waits, default=(0.0, False))
            if wait == 0.0:
                for key, rate, bucket in now_filled:
                    self._buckets[key] = replace(bucket, tokens=bucket.tokens - 1), rate
                self._forget_full(now)
            return Admitted(wait, shared and wait > 0)

    def _wanted(
        self, learner: str, address: str, whats: Sequence[What], *, guest: bool
    ) -> list[tuple[tuple[str, str, str], Rate]]:
        wanted: list[tuple[tuple[str, str, str], Rate]] = []
        for what in whats:
            own = self._allowance.of_learner(what)
            if own is not None and learner:
                wanted.append((("learner", learner, what), own))
            if address:
                who = "guests" if guest else "address"
                wanted.append(((who, address, what), self._allowance.of_address(what)))
        return wanted

    def _filled(self, key: tuple[str, str, str], rate: Rate, now: float) -> Bucket:
        known = self._buckets.get(key)
        return filled(known[0] if known else None, rate, now)

    def _forget_full(self, now: float) -> None:
        if len(self._buckets) <= REMEMBERED or now < self._swept + 1.0:
            return
        self._swept = now
        self._buckets = {
            key: (bucket, rate)
            for key, (bucket, rate) in self._buckets.items()
            if filled(bucket, rate, now).tokens < rate.count
        }


MANY_LEARNERS = 5
"""Learners of one address that make a host wonder whether it is a proxy's."""


class SharedAddress:
    """Whether all learners have come from one address so far; remembers no more than it needs."""

    def __init__(self) -> None:
        self._addresses: set[str] = set()
        self._learners: set[str] = set()

    def saw(self, learner: str, address: str) -> None:
        """Note a request; one without an address is a command on this machine."""
        if address and len(self._addresses) < 2:
            self._addresses.add(address)
            if len(self._learners) < MANY_LEARNERS:
                self._learners.add(learner)

    @property
    def one_address(self) -> bool:
        """True from the fifth learner on, for as long as no second address is seen."""
        return len(self._addresses) == 1 and len(self._learners) >= MANY_LEARNERS
