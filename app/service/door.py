"""What every use case stands on: the parts, the exercises, and who may come in."""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

from app.admission import Allowance, Crowd, Gate, What, retry_after
from app.catalog import Catalog
from app.model import Exercise, Expectations, LearnerId, Slug
from app.ports import Line, Sandbox, Store
from app.records import Learner
from app.service.acquainted import Acquainted
from app.service.errors import NoSuchExercise, Refused
from app.service.expectations import Expecting
from app.service.tokens import Sequence

YOUNG = timedelta(minutes=10)
"""Learners younger than this share their address's turn, or a crowd of fresh cookies would win."""

KEPT_BYTES = 512 * 1024
"""No text longer than this is kept; one over 64 KiB is kept and judged a policy error."""

MIN_FREE_BYTES = 500 * 1024 * 1024
"""Below this much free disk no new submission is taken; stored ones are still graded."""

TOO_MANY = "That was a lot at once. We can take more from you in a moment."


def utc_now() -> datetime:
    """The present, aware."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Parts:
    """What a service is joined from; the clocks are parts so that a test can turn them."""

    catalog: Catalog
    expecting: Expecting
    store: Store
    line: Line
    sandbox: Sandbox
    secret: bytes
    data: Path
    allowance: Allowance = Allowance()
    names: Callable[[], tuple[Mapping[str, str], ...]] = tuple
    now: Callable[[], datetime] = utc_now
    steady: Callable[[], float] = time.monotonic
    chance: Callable[[], float] = random.random
    free_bytes: Callable[[Path], int] = field(default=lambda path: shutil.disk_usage(path).free)


class Core:
    """The exercises, and the door: shared by all use cases."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._gate = Gate(parts.allowance)
        self._crowd = Crowd()
        self._ids = Sequence()
        self._acquainted = Acquainted(parts.store.learners.get)

    def exercises(self) -> tuple[Exercise, ...]:
        """All exercises that load, by section and order."""
        return tuple(self._parts.catalog.all())

    def exercise(self, slug: Slug) -> Exercise:
        """One exercise as its folder is now. Raises NoSuchExercise."""
        found = self._parts.catalog.get(slug)
        if found is None:
            raise NoSuchExercise(slug)
        return found

    def offered_names(self) -> tuple[Mapping[str, str], ...]:
        """What the editor completes: the names learners may use, as the jail offers them."""
        return self._parts.names()

    def expectations(self, slug: Slug) -> Expectations:
        """What the exercise expects, computed first where need be (seconds, once a folder digest).

        Raises NoSuchExercise, ExerciseErrors for its author's mistakes, SandboxFault for ours.
        """
        return self._parts.expecting.get(self.exercise(slug)).result()

    def learner(self, learner: LearnerId) -> Learner:
        """Who this is; where two learners were joined, the one that has the work now."""
        return self._acquainted.get(learner, self._parts.steady())

    def new_learner(self) -> LearnerId:
        """An id for a new cookie; nothing is written until the learner's first write."""
        return LearnerId(self._ids.next())

    def _turn(self, learner: Learner, address: str) -> str:
        """Whose turn this learner takes: their own, or while young their address's."""
        young = learner.created_at is None or self._parts.now() - learner.created_at < YOUNG
        return f"address {address}" if young and address else learner.id

    def _admit(self, learner: Learner, address: str, what: What, *, writes: bool = True) -> None:
        """Let somebody in, or raise Refused("too_many"); a first write makes a new learner."""
        self._crowd.saw(learner.id, address)
        first = writes and learner.created_at is None
        whats: tuple[What, ...] = (what, "learner") if first else (what,)
        wait = self._gate.admit(learner.id, address, whats, self._parts.steady())
        if wait > 0:
            raise self._refused("too_many", wait, TOO_MANY)

    def _check_wall(self) -> None:
        """Raise Refused("not_ready") where a required layer of the sandbox is missing."""
        missing = [x.name for x in self._parts.sandbox.layers() if x.required and not x.present]
        if missing:
            message = "This server can't judge code safely yet. Its host has to look at it."
            raise self._refused("not_ready", 30, message)

    def _refused(
        self,
        kind: Literal["too_many", "line_full", "disk_full", "not_ready"],
        wait: float,
        message: str,
    ) -> Refused:
        return Refused(kind, retry_after(wait, self._parts.chance()), message)

    def _check_length(self, source: bytes) -> None:
        """Raise Refused("too_long") for a text beyond what is ever kept."""
        if len(source) > KEPT_BYTES:
            message = f"This text has {len(source):,} bytes; the most we keep is {KEPT_BYTES:,}."
            raise Refused("too_long", 0, message)
