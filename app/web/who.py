"""Who the head of a page names: a learner of a class, or somebody of the staff."""

from __future__ import annotations

from dataclasses import dataclass

from app.model import LearnerId
from app.model.classes import Account
from app.service import Service


@dataclass(frozen=True)
class Who:
    """A name, what they are here, and the page of their class or classes."""

    name: str
    part: str
    link: str
    staff: bool = False


def learner(service: Service, learner: LearnerId) -> Who | None:
    """A learner with a seat in a running class; no other is named."""
    seats = service.seats(learner)
    if not seats:
        return None
    made, seat = seats[0]
    link = f"/classes/{made.id}" if len(seats) == 1 else "/me"
    return Who(seat.name, made.title, link)


def staff(account: Account, part: str) -> Who:
    """Somebody signed in."""
    return Who(account.name, part, "/classes", staff=True)
