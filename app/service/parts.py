"""What a service is joined from: ports, settings and clocks."""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from app.admission import Allowance
from app.catalog import Catalog
from app.ports import Jails, Judge, Line, Sandbox, Store
from app.ports.campuses import Campus
from app.ports.classes import SchoolStore
from app.ports.operating import Operations
from app.service.expecting import Expecting
from app.service.rulebook import NoRules, Rulebook
from app.service.threes import Compute


def utc_now() -> datetime:
    """The present, aware."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Parts:
    """What a service is joined from; the clocks are parts so that a test can turn them.

    Learners' code runs in `sandbox`, on this machine or on others; authors' files in `house` alone.
    Without a `judge`, submissions are judged by the line.
    """

    catalog: Catalog
    expecting: Expecting
    store: Store
    line: Line
    sandbox: Sandbox
    house: Sandbox
    secret: bytes
    data: Path
    allowance: Allowance = Allowance()
    school: SchoolStore | None = None
    campus: Callable[[], Campus] | None = None
    rulebook: Rulebook = field(default_factory=NoRules)
    triples: Compute | None = None
    operations: Operations = Operations()
    judge: Judge | None = None
    names: Callable[[], tuple[Mapping[str, str], ...]] = tuple
    anonymous_days: int = 0
    now: Callable[[], datetime] = utc_now
    steady: Callable[[], float] = time.monotonic
    chance: Callable[[], float] = random.random
    free_bytes: Callable[[Path], int] = field(default=lambda path: shutil.disk_usage(path).free)

    @property
    def jails(self) -> Jails:
        """Where whose code runs."""
        return Jails(self.sandbox, self.house)
