"""Dates of a class: entered and shown on its own clock, kept as moments in UTC.

    entered() text on the wall clock ─▶ moment        in_words() moment ─▶ "Fri 5 Dec, 23:59"

A day late is a day of the wall clock, which on two nights a year is not 24 hours.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

GRACE = timedelta(seconds=60)
"""Less than this is not late: clocks differ, and so do networks."""

ENTERED = ("%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d")
"""How a browser's field, a hand in a file, and a date without a time are written."""

LAST_MINUTE = timedelta(hours=23, minutes=59)


@dataclass(frozen=True)
class Entered:
    """A moment somebody typed; `moved` says that the clocks skip it that night."""

    at: datetime
    moved: bool = False


def zone(name: str) -> ZoneInfo:
    """The time zone of an IANA name ("Europe/Berlin"). Raises ValueError where there is none."""
    if name not in zone_names():
        raise ValueError(f"{name[:60]} is no time zone")
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, OSError) as error:
        raise ValueError(f"{name[:60]} is no time zone") from error


@lru_cache
def zone_names() -> frozenset[str]:
    """The names a class may choose from; read once, which takes longer than all else here."""
    return frozenset(name for name in available_timezones() if "/" in name or name == "UTC")


def moment(wall: datetime, where: ZoneInfo) -> Entered:
    """The moment at which a clock on the wall shows `wall` (naive).

    A time that the clocks skip moves forward by what they skip; of one that comes twice, the later
    moment is meant, so that a deadline is never sooner than somebody could read it.
    """
    at = wall.replace(tzinfo=where, fold=1).astimezone(UTC)
    if at.astimezone(where).replace(tzinfo=None, fold=0) == wall:
        return Entered(at)
    return Entered(wall.replace(tzinfo=where, fold=0).astimezone(UTC), moved=True)


def entered(text: str, where: ZoneInfo) -> Entered:
    """A date as somebody typed it; without a time the day's last minute is meant.

    Raises ValueError with a sentence where it is no date, or one outside the years 2000 to 2999.
    """
    text = text.strip()
    for form in ENTERED:
        try:
            wall = datetime.strptime(text, form)
        except ValueError:
            continue
        if not 2000 <= wall.year <= 2999:
            break
        return moment(wall + LAST_MINUTE if form == "%Y-%m-%d" else wall, where)
    raise ValueError("Write a date and a time, such as 2026-12-05 23:59.")


def as_entered(at: datetime, where: ZoneInfo) -> str:
    """What a date field of a form holds for a moment; `entered` reads it back."""
    return at.astimezone(where).strftime("%Y-%m-%dT%H:%M")


def days_late(at: datetime, due: datetime, where: ZoneInfo) -> int:
    """The smallest n for which `at` is at most a minute after the due time n days later.

    Counted on the class's wall clock: due at noon, noon of the next day is one day late also in a
    night of 23 or 25 hours.
    """
    if at <= due + GRACE:
        return 0
    near = max(0, (at - due).days - 2)
    wall = due.astimezone(where).replace(tzinfo=None, fold=0)
    for n in range(max(1, near), near + 6):
        if at <= moment(wall + timedelta(days=n), where).at + GRACE:
            return n
    raise AssertionError("no zone's clock ever moved by days")


def place(name: str) -> str:
    """What people call a zone: "Berlin" for Europe/Berlin."""
    return name.rsplit("/", 1)[-1].replace("_", " ")


def in_words(at: datetime, where: ZoneInfo, *, time: bool = True) -> str:
    """ "Fri 5 Dec, 23:59" on the clock of a zone, or without the time."""
    local = at.astimezone(where)
    day = f"{local:%a} {local.day} {local:%b}"
    return f"{day}, {local.hour}:{local:%M}" if time else day


def day_in_words(at: datetime, where: ZoneInfo) -> str:
    """ "12 Dec"; the time too where it is not the day's last minute."""
    local = at.astimezone(where)
    day = f"{local.day} {local:%b}"
    last = (local.hour, local.minute) == (23, 59)
    return day if last else f"{day}, {local.hour}:{local:%M}"


def distance(until: timedelta) -> str:
    """ "in 3 hours", "2 days ago": how far a moment is, in the largest whole unit."""
    seconds = abs(until.total_seconds())
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= size:
            n = int(seconds // size)
            words = f"{n} {unit}{'' if n == 1 else 's'}"
            return f"in {words}" if until > timedelta(0) else f"{words} ago"
    return "now"
