"""What a server does each night by itself: it deletes what is no longer needed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import structlog

log = structlog.get_logger()

NIGHT = timedelta(hours=3, minutes=30)
"""After midnight, UTC: most of the world's classes sleep or are not there yet."""


def until_night(now: datetime) -> float:
    """Seconds until the next half past three, UTC; never none."""
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    tonight = midnight + NIGHT
    next_one = tonight if now < tonight else tonight + timedelta(days=1)
    return (next_one - now).total_seconds()


def each_night(
    work: Callable[[], object], now: Callable[[], datetime], stop: threading.Event
) -> None:
    """Do the work each night until told to stop; one that fails is logged and tried the next."""
    while not stop.wait(until_night(now())):
        try:
            log.info("night", done=work())
        except Exception as error:
            log.error("night_failed", exc_info=error)
        if stop.wait(1.0):  # so that one night is worked once, whatever the clock's steps
            return
