"""A class for the tests of its rules: Berlin, due Friday 4 December 2026 at 23:59."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from app.classroom.gradebook import ClassWork, by_learner
from app.model import LearnerId, Slug, SubmissionId
from app.model.classes import (
    Assignment,
    AssignmentId,
    ClassId,
    Enrolment,
    EnrolmentId,
    Extension,
    Override,
    Policy,
    Try,
)

BERLIN = ZoneInfo("Europe/Berlin")
CLASS = ClassId("c1")
SOFTMAX = Slug("stable-softmax")


def berlin(text: str) -> datetime:
    """A moment written as the clock in Berlin shows it, of two equal ones the later."""
    wall = datetime.fromisoformat(text)
    return wall.replace(tzinfo=BERLIN, fold=1).astimezone(UTC)


DUE = berlin("2026-12-04T23:59:00")

PLAIN = Policy(
    points=1000,
    opens_at=berlin("2026-11-01T00:00:00"),
    due_at=DUE,
    closes_at=berlin("2026-12-11T23:59:00"),
)


def assignment(policy: Policy = PLAIN, **of: object) -> Assignment:
    made = Assignment(
        AssignmentId("a1"), CLASS, SOFTMAX, "Softmax", 1, policy, berlin("2026-11-01T00:00:00")
    )
    return replace(made, **of)  # type: ignore[arg-type]


def tried(
    name: str,
    at: str,
    passed: int = 6,
    verdict: str | None = "",
    hints: int = 0,
    learner: str = "ann",
    **of: object,
) -> Try:
    """A try of six tests at a Berlin time; its verdict follows from the tests unless given."""
    if verdict == "":
        verdict = "accepted" if passed == 6 else "wrong_answer"
    made = Try(
        SubmissionId(name), LearnerId(learner), SOFTMAX, berlin(at), verdict, passed, 6, hints
    )
    return replace(made, **of)  # type: ignore[arg-type]


def enrolment(name: str, /, **of: object) -> Enrolment:
    made = Enrolment(EnrolmentId(f"e-{name}"), CLASS, name.title(), learner=LearnerId(name))
    return replace(made, **of)  # type: ignore[arg-type]


def extension(**of: object) -> Extension:
    made = Extension(AssignmentId("a1"), EnrolmentId("e-ann"), None, DUE)
    return replace(made, **of)  # type: ignore[arg-type]


def override(**of: object) -> Override:
    made = Override(AssignmentId("a1"), EnrolmentId("e-ann"), None, DUE, reason="seen in the lab")
    return replace(made, **of)  # type: ignore[arg-type]


def work(
    people: tuple[Enrolment, ...],
    given: tuple[Assignment, ...],
    tries: tuple[Try, ...] = (),
    extensions: tuple[Extension, ...] = (),
    overrides: tuple[Override, ...] = (),
) -> ClassWork:
    return ClassWork(
        BERLIN,
        people,
        given,
        by_learner(tries),
        {(one.assignment, one.enrolment): one for one in extensions},
        {(one.assignment, one.enrolment): one for one in overrides},
    )
