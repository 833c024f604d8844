"""Who a launch brought in, and what stands between them and their page: data."""

from __future__ import annotations

from dataclasses import dataclass

from app.classroom.launch import Launch
from app.model import LearnerId
from app.model.campuses import Course, Registration, Then
from app.model.classes import Account


@dataclass(frozen=True)
class Arrived:
    """Somebody who came in. `then` says what stands between them and `path`.

    connect: the course has no class yet; choose: the link leads nowhere yet; deep: content is
    chosen for the course.
    """

    registration: Registration
    launch: Launch
    path: str
    then: Then = "go"
    course: Course | None = None
    learner: LearnerId | None = None
    account: Account | None = None
