"""What the use cases of classes stand on, and the ways they all go."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TypeAlias
from zoneinfo import ZoneInfo

from app.admission import Bucket, Rate, filled, wait_s
from app.classroom.dates import zone
from app.model import Exercise, Slug
from app.model.classes import Account, AuditEntry, Class, ClassId
from app.ports import Store
from app.ports.campuses import Campus
from app.ports.classes import SchoolStore
from app.service.school.errors import Conflict, NotThere, TooOften
from app.service.tokens import Sequence

REMEMBERED = 10_000
"""Addresses whose tries are counted at most."""

By: TypeAlias = Account | str
"""Who does something: an account, or a name for the audit such as "learner …" or "the host"."""


class Tries:
    """How often each address may try something; in memory only, no address is written down."""

    def __init__(self, rate: Rate, steady: Callable[[], float]) -> None:
        self._rate = rate
        self._steady = steady
        self._buckets: dict[str, Bucket] = {}
        self._lock = threading.Lock()

    def take(self, address: str) -> None:
        """Count a try. Raises TooOften where there were too many."""
        now = self._steady()
        with self._lock:
            bucket = filled(self._buckets.get(address), self._rate, now)
            wait = wait_s(bucket, self._rate)
            if wait > 0:
                raise TooOften(max(1, math.ceil(wait)))
            if len(self._buckets) >= REMEMBERED:
                self._buckets.clear()
            self._buckets[address] = Bucket(bucket.tokens - 1, now)


def no_campus() -> Campus:
    """What speaks to campus systems, where nothing does. Raises Conflict."""
    raise Conflict("This server speaks to no campus system.")


@dataclass(frozen=True)
class SchoolParts:
    """What a school is joined from; the clocks are parts so that a test can turn them."""

    school: SchoolStore
    store: Store
    exercise: Callable[[Slug], Exercise | None]
    exercises: Callable[[], tuple[Exercise, ...]]
    secret: bytes
    campus: Callable[[], Campus] = field(default=lambda: no_campus())
    forget_learners: Callable[[], None] = field(default=lambda: None)
    disk_full: Callable[[], bool] = field(default=lambda: False)
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    steady: Callable[[], float] = time.monotonic
    ids: Sequence = field(default_factory=Sequence)
    anonymous_days: int = 0

    def class_of(self, class_id: ClassId) -> Class:
        """One class. Raises NotThere."""
        found = self.school.classes.get(class_id)
        if found is None:
            raise NotThere(class_id)
        return found

    def zone_of(self, class_id: ClassId) -> ZoneInfo:
        """The zone of a class's dates. Raises NotThere."""
        return zone(self.class_of(class_id).zone)

    def note(
        self,
        by: By,
        action: str,
        about: str = "",
        detail: str = "",
        class_id: ClassId | None = None,
    ) -> None:
        """Write a line of the audit."""
        actor = by if isinstance(by, str) else by.id
        entry = AuditEntry(
            self.ids.next(), self.now(), actor[:80], action, about[:80], detail[:2_000], class_id
        )
        self.school.audit.add(entry)
