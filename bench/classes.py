"""A class of 300 with 13 exercises and six tries at each: the board, the gradebook, a page.

The board asks the database for a stamp once a second, however many watch; only when that changed
is everything read and worked out anew.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from app.config import Settings
from app.main import build_catalog, build_store, load_secret
from app.model import LearnerId
from app.model.classes import ClassId
from app.service.school import School, SchoolParts
from app.storage import schema
from app.storage.schema_classes import enrolments, report_mistakes
from app.storage.store import SqlStore
from app.storage.unreported import move_mark
from app.web.session import Sessions
from bench.figures import Figure, at_most, median, timed
from bench.serving import HERE, ROOT, SLUG, Learner, make_known, serving

LEARNERS, TRIES = 300, 6
TIMES = 15
WRONG = ROOT / "tests" / "golden" / "mistake_scale_d_model" / "submission.py"
"""What each of the tries came to is what this one comes to."""


def figures() -> Iterator[Figure]:
    """The queries, then the page of somebody enrolled beside that of somebody who is not."""
    with tempfile.TemporaryDirectory(prefix="mlgrind-bench-") as folder:
        data = Path(folder)
        settings = Settings(data=data, database=f"sqlite:///{data / 'mlgrind.db'}")
        secret = load_secret(data)
        store = build_store(settings)
        school, class_id = _founded(settings, store, secret)
        _filled(store, school, class_id, _judged(data))
        yield from _queries(school, class_id)
        store.close()
        yield _page(data, Sessions(secret))


def _founded(settings: Settings, store: SqlStore, secret: bytes) -> tuple[School, ClassId]:
    catalog = build_catalog(settings)
    parts = SchoolParts(
        store.school, store, catalog.get, lambda: tuple(catalog.all()), secret
    )  # fmt: skip
    school = School(parts)
    host = school.accounts.add("eva", "Eva", "the bench", host=True)[0]
    made = school.classes.make("Deep Learning", "Europe/Berlin", host)
    now = datetime.now(UTC)
    dates = {
        f"{name}_at": f"{now + timedelta(days=days):%Y-%m-%dT%H:%M}"
        for name, days in (("opens", -30), ("due", 3), ("closes", 9))
    }
    for exercise in catalog.all():
        fields = {"points": "10", "late": "per_day", "late_share": "10", "hint_share": "5", **dates}
        school.assignments.add(made.id, exercise.slug, fields, host)
    return school, made.id


def _judged(data: Path) -> Any:
    """The report of a wrong program, whole, as the judge writes it."""
    with serving(data) as server:
        return Learner(server.port).report(WRONG.read_text())


def _filled(store: SqlStore, school: School, class_id: ClassId, report: Any) -> None:
    """Everybody has six tries at everything; one more learner has, and is in no class."""
    now = datetime.now(UTC)
    people = [_learner(n) for n in range(LEARNERS + 1)]
    slugs = [one.exercise for one in school.assignments.all(class_id)]
    body, mask = (
        json.dumps(report),
        sum((test["verdict"] == "accepted") << n for n, test in enumerate(report["tests"])),
    )
    with store.database.write() as connection:
        hashed = {"hash": b"\x00" * 32, "text": b"x = 1"}
        connection.execute(insert(schema.sources), [hashed])
        rows = [
            {"id": who, "name": f"Learner {n}", "created_at": now} for n, who in enumerate(people)
        ]
        connection.execute(insert(schema.learners), rows)
        seats = [
            {
                "id": f"e{n:035}", "class": class_id, "learner": who, "name": f"Learner {n}",
                "sort_name": f"Learner {n:03}", "section": "", "state": "active", "joined_at": now,
            }
            for n, who in enumerate(people[:-1])
        ]  # fmt: skip
        connection.execute(insert(enrolments), seats)
        for place, slug in enumerate(slugs):
            tries = [
                (f"0100{place:04}-{n:04}-7000-8000-{k:012}", who, now - timedelta(hours=TRIES - k))
                for n, who in enumerate(people)
                for k in range(TRIES)
            ]
            sent = [
                {"id": name, "learner": who, "exercise": slug, "source": b"\x00" * 32,
                 "created_at": at}
                for name, who, at in tries
            ]  # fmt: skip
            told = [
                {"submission": name, "digest": report["digest"], "verdict": report["verdict"],
                 "passed": report["passed"], "total": report["total"], "body": body,
                 "recorded_at": at, "grading": 0, "mask": mask}
                for name, _, at in tries
            ]  # fmt: skip
            named = report["diagnosis"]["misconception"]
            shown = [
                {"submission": name, "place": 0, "misconception": named} for name, _, _ in tries
            ]
            connection.execute(insert(schema.submissions), sent)
            connection.execute(insert(schema.reports), told)
            connection.execute(insert(report_mistakes), shown)
        move_mark(connection)  # as each server does while it starts


def _learner(number: int) -> LearnerId:
    return LearnerId(f"00000000-0000-7000-8000-{number:012}")


def _queries(school: School, class_id: ClassId) -> Iterator[Figure]:
    work = school.boards._parts.school.work
    size = f"at {LEARNERS} × 13 × {TRIES}"

    def times(action: object) -> float:
        return median([timed(action) for _ in range(TIMES)])  # type: ignore[arg-type]

    yield at_most(f"board query {size}", times(lambda: work.changed_at(class_id)) * 1e3, "ms", 30)
    whole = times(lambda: school.grades.work(class_id))
    yield Figure(f"all tries read {size}", whole * 1e3, "ms")
    yield at_most(f"gradebook {size}", times(lambda: school.grades.book(class_id)), "s", 0.5)


def _page(data: Path, sessions: Sessions) -> Figure:
    """The exercise page, in turns: somebody in the class, and somebody in none."""
    who = [
        sessions.header(_learner(number), secure=False).split(";")[0]
        for number in (7, LEARNERS)
    ]  # fmt: skip
    spent: tuple[list[float], list[float]] = ([], [])
    with serving(data) as server:
        make_known()
        connection = HTTPConnection(HERE, server.port, timeout=60)

        def get(cookie: str) -> None:
            connection.request("GET", f"/exercises/{SLUG}", headers={"Cookie": cookie})
            answer = connection.getresponse()
            if answer.status != 200 or not answer.read():
                raise RuntimeError(f"the page came with {answer.status}")

        for cookie in who:
            Learner(server.port, cookie=cookie).accepted()
            get(cookie)
        for _ in range(TIMES * 3):
            for cookie, into in zip(who, spent, strict=True):
                into.append(timed(lambda c=cookie: get(c)))  # type: ignore[misc]
    enrolled, nobody = (median(each) for each in spent)
    name = "times an anonymous learner's page, somebody enrolled"
    return at_most(name, enrolled / nobody, "×", 1.2, f"{enrolled * 1e3:.1f} ms")
