"""What a learner's classes want: the list first on home and progress, and how one stands."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from app.classroom.dates import distance, in_words, zone
from app.classroom.policy import points
from app.model import LearnerId, Slug
from app.service import Service
from app.service.school.receipts import Mine

NEAR = timedelta(days=7)
"""From so far on, "in 3 days" stands beside the date."""


@dataclass(frozen=True)
class Due:
    """A line of the list: `when` on the class's clock, `mask` and `total` of what counts."""

    exercise: Slug
    title: str
    of_class: str
    link: str
    when: str
    near: str
    late: bool
    own: bool
    points: str
    mask: int
    total: int
    left: int | None


def due_list(service: Service, learner: LearnerId) -> tuple[Due, ...]:
    """What is open and not passed whole, soonest due first."""
    now = service.now()
    classes = {made.id: made for made, _ in service.seats(learner)}
    lines = [
        _line(one, classes[one.assignment.class_id].title, zone_name, now)
        for one in service.due(learner)
        if one.assignment.class_id in classes and _open(one, now)
        for zone_name in (classes[one.assignment.class_id].zone,)
    ]
    return tuple(line for _, line in sorted(lines, key=lambda pair: pair[0]))


def near(at: datetime, now: datetime) -> str:
    """ "in 3 hours", where a moment is near; else ""."""
    return distance(at - now) if abs(at - now) <= NEAR else ""


@dataclass(frozen=True)
class SoFar:
    """How a learner stands in a class: sums in hundredths, what is next, what is due and done."""

    points: int
    possible: int
    passed: int
    next: datetime | None
    due: tuple[Mine, ...]
    done: tuple[Mine, ...]


def so_far(mine: tuple[Mine, ...], now: datetime) -> SoFar:
    """A learner's lines of one class, summed and parted; points count once there are any."""
    known = [one for one in mine if one.grade.points is not None]
    due = [one for one in mine if _due(one, now)]
    ahead = [one.grade.terms.due_at for one in due if one.grade.terms.due_at >= now]
    return SoFar(
        sum(one.grade.points or 0 for one in known),
        sum(one.assignment.policy.points for one in known),
        sum(_passed(one) for one in mine),
        min(ahead, default=None),
        tuple(sorted(due, key=lambda one: one.grade.terms.due_at)),
        tuple(one for one in mine if not _due(one, now)),
    )


def _passed(one: Mine) -> bool:
    best = one.grade.computed
    return best is not None and best.tried.passed == best.tried.total


def _due(one: Mine, now: datetime) -> bool:
    """Whether a line waits for its learner, now or later."""
    held = one.grade.terms
    return now <= held.closes_at and not held.excused and not _passed(one)


def _open(one: Mine, now: datetime) -> bool:
    return one.grade.terms.open_at(now) and not one.grade.terms.excused and not _passed(one)


def _line(one: Mine, title: str, zone_name: str, now: datetime) -> tuple[datetime, Due]:
    given, grade = one.assignment, one.grade
    held, best = grade.terms, grade.computed
    of = points(given.policy.points)
    got = "" if grade.points is None else f"{points(grade.points)} of "
    return held.due_at, Due(
        given.exercise,
        given.title,
        title,
        f"/classes/{given.class_id}",
        in_words(held.due_at, zone(zone_name)),
        near(held.due_at, now),
        held.late_at(now),
        held.extended,
        f"{got}{of} points",
        best.tried.mask if best else 0,
        best.tried.total if best else 0,
        grade.attempts_left,
    )
