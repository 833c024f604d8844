"""How much a school holds: whatever its staff and learners make is refused beyond a bound.

Each row of a class is made by somebody who may; these are the bounds that hold for them as well, so
that no one fills the disk with classes, seats or files. The bounds are in `app/model/bounds.py`.
"""

from __future__ import annotations

from app.model import LearnerId
from app.model.bounds import CLASSES_OF_LEARNER, CLASSES_OF_STAFF, PEOPLE_OF_CLASS
from app.model.classes import AccountId, ClassId
from app.service.errors import DISK_FULL, Refused
from app.service.school.errors import Conflict
from app.service.school.parts import SchoolParts


def check_disk(parts: SchoolParts) -> None:
    """Raise Refused("disk_full") where nothing new may be kept."""
    if parts.disk_full():
        raise Refused("disk_full", 30, DISK_FULL)


def for_class(parts: SchoolParts, account: AccountId) -> None:
    """Raise Conflict where an account teaches as many classes as one may, archived ones too."""
    check_disk(parts)
    if len(parts.school.classes.taught_by(account)) >= CLASSES_OF_STAFF:
        raise Conflict(f"You have {CLASSES_OF_STAFF} classes, and that is the most there may be.")


def for_people(parts: SchoolParts, class_id: ClassId, new: int = 1) -> None:
    """Raise Conflict where a class can't take so many more people; removed ones count too."""
    check_disk(parts)
    there = len(parts.school.enrolments.of_class(class_id))
    if new and there + new > PEOPLE_OF_CLASS:
        raise Conflict(
            f"A class holds {PEOPLE_OF_CLASS:,} people, those removed included, and this one has "
            f"{there:,}. Make another class for the rest."
        )


def for_joining(parts: SchoolParts, learner: LearnerId, class_id: ClassId) -> None:
    """Raise Conflict where a learner is in as many classes as one may be, or the class is full."""
    if len(parts.school.enrolments.of_learner(learner)) >= CLASSES_OF_LEARNER:
        raise Conflict(f"You are in {CLASSES_OF_LEARNER} classes, and that is the most.")
    for_people(parts, class_id)
