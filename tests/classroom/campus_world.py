"""Four learners with points, and the files that three campus systems export of them."""

from __future__ import annotations

from dataclasses import replace

from app.classroom.gradebook import Gradebook, gradebook
from app.model import Slug
from app.model.classes import AssignmentId, EnrolmentId, Extension
from tests.classroom.class_world import DUE, PLAIN, assignment, enrolment, tried, work

NORMS = assignment(
    id=AssignmentId("a2"),
    exercise=Slug("norms"),
    title="Norms, 2nd “half”",
    position=2,
    policy=replace(PLAIN, points=2000),
)

PEOPLE = (
    enrolment("ann", name="Ann Lee", sort_name="Lee, Ann", student_id="s001", campus_login="alee"),
    enrolment(
        "ben",
        name='Ben "B" Müller',
        sort_name='Müller, Ben "B"',
        student_id="s002",
        campus_login="ben@example.edu",
    ),
    enrolment("cleo", name="=Cleo", sort_name="=Cleo", student_id="s003"),
    enrolment("dee", name="Dee Okafor", sort_name="Okafor, Dee", student_id="s004"),
)


def book() -> Gradebook:
    """Ann 5 and 20, Ben 10 and nothing, Cleo 0 and 3.33, Dee excused and 16.67."""
    tries = (
        tried("1", "2026-12-01T10:00:00", 3, learner="ann"),
        tried("2", "2026-12-01T10:00:00", 6, learner="ann", exercise=NORMS.exercise),
        tried("3", "2026-12-01T10:00:00", 6, learner="ben"),
        tried("4", "2026-12-01T10:00:00", 0, learner="cleo"),
        tried("5", "2026-12-01T10:00:00", 1, learner="cleo", exercise=NORMS.exercise),
        tried("6", "2026-12-01T10:00:00", 5, learner="dee", exercise=NORMS.exercise),
    )
    excused = Extension(AssignmentId("a1"), EnrolmentId("e-dee"), None, DUE, excused=True)
    return gradebook(work(PEOPLE, (assignment(), NORMS), tries, (excused,)))
