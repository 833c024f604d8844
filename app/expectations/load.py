"""The one way to an exercise's expectations: from the cache where they are kept, else computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import structlog

from app.model import Exercise, Expectations

log = structlog.get_logger()


class Kept(Protocol):
    """Where expectations are kept between two starts."""

    def load(self, digest: str) -> Expectations | None:
        """Those of a digest, or None."""

    def save(self, expectations: Expectations) -> None:
        """Keep them. Raises OSError where that can't be done."""


def load_or_compute(
    exercise: Exercise, compute: Callable[[Exercise], Expectations], cache: Kept
) -> Expectations:
    """Expectations of the exercise as it is now; kept for the next start where that can be done.

    Raises what `compute` raises: ExerciseErrors and SandboxFault.
    """
    kept = cache.load(exercise.digest)
    if kept is not None:
        return kept
    expectations = compute(exercise)
    try:
        cache.save(expectations)
    except OSError as error:  # a full disk costs the next start some seconds, and nothing now
        log.warning("expectations_not_cached", exercise=exercise.slug, reason=str(error))
    return expectations
