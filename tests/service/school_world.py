"""A school for tests: a real database in a folder, a clock turned by hand, two exercises."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from app.model import Exercise, Hint, LearnerId, Slug, SubmissionId
from app.model.classes import Account, Assignment, Class
from app.records import NewSubmission
from app.service.school import School, SchoolParts
from app.storage.store import SqlStore
from tests.databases import sqlite

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
SOFTMAX, NORMS = Slug("stable-softmax"), Slug("norms")
GOOD = {
    "points": "10",
    "opens_at": "2026-11-01T00:00",
    "due_at": "2026-12-04T23:59",
    "closes_at": "2026-12-11T23:59",
}


def exercise(slug: Slug, digest: str = "d1") -> Exercise:
    return Exercise(
        slug,
        slug.replace("-", " ").title(),
        "Section",
        1,
        "easy",
        "",
        "f",
        (),
        "",
        "",
        (Hint(1, "One", ""), Hint(2, "Two", "")),
        {"starter.py": b"def f(): ...", "reference.py": b"def f(): return 1", "cases.py": b"1"},
        digest,
        "",
    )


@dataclass
class World:
    """The school, its clocks, and short ways to fill it."""

    store: SqlStore
    school: School
    clock: list[datetime]
    steady: list[float]
    exercises: dict[Slug, Exercise] = field(default_factory=dict)
    made: int = 0

    @property
    def now(self) -> datetime:
        return self.clock[0]

    def pass_time(self, seconds: float) -> None:
        self.clock[0] += timedelta(seconds=seconds)
        self.steady[0] += seconds

    def account(self, login: str = "eva", *, host: bool = False) -> Account:
        return self.school.accounts.add(login, login.title(), "the host", host=host)[0]

    def a_class(self, by: Account, title: str = "Deep Learning") -> Class:
        return self.school.classes.make(title, "Europe/Berlin", by)

    def given(
        self, made: Class, slug: Slug = SOFTMAX, by: str = "the host", **of: str
    ) -> Assignment:
        return self.school.assignments.add(made.id, slug, {**GOOD, **of}, by)

    def joined(self, made: Class, name: str) -> LearnerId:
        assert made.join_code is not None
        return self.school.people.join(made.join_code, LearnerId(name), name.title()).learner

    def submit(
        self,
        learner: str,
        passed: int = 3,
        slug: Slug = SOFTMAX,
        source: str = "",
        mistakes: tuple[str, ...] = (),
        digest: str = "d1",
    ) -> SubmissionId:
        self.made += 1
        name = SubmissionId(f"s{self.made:03}")
        told = [{"misconception": one} for one in mistakes]
        report = {
            "verdict": "accepted" if passed == 6 else "wrong_answer",
            "passed": passed,
            "total": 6,
            "digest": digest,
            "tests": [{"verdict": "accepted" if n < passed else "wrong"} for n in range(6)],
            "diagnosis": {**told[0], "mistakes": told} if told else None,
        }
        text = (source or f"x = {self.made}").encode()
        self.store.submissions.add(NewSubmission(name, LearnerId(learner), slug, text, self.now))
        assert self.store.submissions.record(name, report, self.now)
        return name


def world(folder: Path, database: str | None = None) -> World:
    store = SqlStore(database or sqlite(folder / "mlgrind.db"))
    clock, steady = [NOON], [0.0]
    exercises = {slug: exercise(slug) for slug in (SOFTMAX, NORMS)}
    school = School(
        SchoolParts(
            store.school,
            store,
            exercises.get,
            lambda: tuple(exercises.values()),
            b"secret",
            now=lambda: clock[0],
            steady=lambda: steady[0],
        )
    )
    return World(store, school, clock, steady, exercises)
