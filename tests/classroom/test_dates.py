"""Dates on the class's clock, the two odd nights of the year included."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from app.classroom.dates import (
    as_entered,
    days_late,
    distance,
    entered,
    in_words,
    place,
    zone,
    zone_names,
)

BERLIN = ZoneInfo("Europe/Berlin")


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc,arg-type]


@pytest.mark.parametrize(
    ("text", "at", "moved"),
    [
        ("2026-12-05T23:59", utc(2026, 12, 5, 22, 59), False),
        ("2026-07-05 23:59", utc(2026, 7, 5, 21, 59), False),
        ("2026-12-05", utc(2026, 12, 5, 22, 59), False),
        # 2:30 is skipped on 29 March: 3:30 is meant
        ("2026-03-29T02:30", utc(2026, 3, 29, 1, 30), True),
        # 2:30 comes twice on 25 October: the later one is meant
        ("2026-10-25T02:30", utc(2026, 10, 25, 1, 30), False),
    ],
)
def test_what_is_typed_is_a_moment(text: str, at: datetime, moved: bool) -> None:
    found = entered(text, BERLIN)
    assert (found.at, found.moved) == (at, moved)


def test_a_skipped_time_becomes_half_past_three() -> None:
    assert as_entered(entered("2026-03-29T02:30", BERLIN).at, BERLIN) == "2026-03-29T03:30"


@pytest.mark.parametrize(
    "text", ["", "tomorrow", "2026-13-01T00:00", "1999-12-31T00:00", "2026-02-30", "9" * 50]
)
def test_what_is_no_date_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="Write a date and a time"):
        entered(text, BERLIN)


@pytest.mark.parametrize("name", ["", "Berlin", "Europe/Nowhere", "../etc/passwd", "CET"])
def test_what_is_no_zone_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no time zone"):
        zone(name)


def test_the_zones_are_there_without_the_system_s_own() -> None:
    assert {"Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC"} <= zone_names()


def test_a_date_is_shown_as_people_say_it() -> None:
    at = utc(2026, 12, 5, 8, 5)
    assert in_words(at, BERLIN) == "Sat 5 Dec, 9:05"
    assert place("America/New_York") == "New York"


@drawn(
    st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1)).map(lambda at: at.replace(tzinfo=UTC)),
    st.integers(-100, 40 * 86_400),
    st.sampled_from(["Europe/Berlin", "America/St_Johns", "Pacific/Apia", "Australia/Lord_Howe"]),
)
def test_days_late_never_fall_as_time_goes_on(due: datetime, seconds: int, name: str) -> None:
    where = ZoneInfo(name)
    late = due + timedelta(seconds=seconds)
    earlier, later = days_late(late, due, where), days_late(late + timedelta(hours=1), due, where)
    assert 0 <= earlier <= later <= earlier + 1


@pytest.mark.parametrize(
    ("until", "words"),
    [
        (timedelta(days=2, hours=3), "in 2 days"),
        (timedelta(hours=1), "in 1 hour"),
        (timedelta(minutes=-5), "5 minutes ago"),
        (timedelta(seconds=20), "now"),
    ],
)
def test_a_distance_is_said_in_its_largest_unit(until: timedelta, words: str) -> None:
    assert distance(until) == words
