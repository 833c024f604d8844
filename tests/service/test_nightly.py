"""The nightly deletion: at half past three, once a night, whatever goes wrong."""

from __future__ import annotations

import threading
from datetime import UTC, datetime

import pytest

from app.service.nightly import each_night, until_night


@pytest.mark.parametrize(
    ("now", "seconds"),
    [
        ("2026-11-29T03:29:00", 60),
        ("2026-11-29T03:30:00", 24 * 3600),
        ("2026-11-29T12:00:00", 15.5 * 3600),
        ("2026-12-31T23:30:00", 4 * 3600),
    ],
)
def test_the_next_night_is_half_past_three(now: str, seconds: float) -> None:
    assert until_night(datetime.fromisoformat(now).replace(tzinfo=UTC)) == seconds


def test_a_night_that_fails_is_followed_by_another() -> None:
    almost = datetime(2026, 11, 29, 3, 29, 59, 999_000, tzinfo=UTC)
    done: list[int] = []
    stop = threading.Event()

    def work() -> str:
        done.append(len(done))
        if len(done) == 1:
            raise OSError("disk full")
        stop.set()
        return "deleted"

    each_night(work, lambda: almost, stop)
    assert done == [0, 1]


def test_a_server_that_closes_waits_for_no_night() -> None:
    stop = threading.Event()
    stop.set()
    each_night(lambda: pytest.fail("worked"), lambda: datetime(2026, 1, 1, tzinfo=UTC), stop)
