"""Who teaches and who learns, over HTTP and without a script, for the tests of classes."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

from starlette.testclient import TestClient

from tests.service.world import World

Visit = Callable[..., TestClient]
SOFTMAX = "stable-softmax"
FORM = {
    "exercise": SOFTMAX,
    "points": "10",
    "opens_at": "2026-11-01T00:00",
    "due_at": "2026-12-04T23:59",
    "closes_at": "2026-12-11T23:59",
    "late": "per_day",
    "late_share": "10",
    "feedback": "full",
}


def text(answer: object) -> str:
    """What a page says, tags and entities gone."""
    body = str(answer.text)  # type: ignore[attr-defined]
    main = body[body.index("<main") :] if "<main" in body else body
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", main)).split())


class Teacher:
    """Somebody signed in, with a class."""

    def __init__(self, visit: Visit, world: World) -> None:
        self.world = world
        self.client = visit(follow_redirects=True)
        school = world.opened[0].school
        token = school.accounts.first_link()
        answer = self.client.post(
            f"/staff/link/{token}",
            data={"login": "eva", "name": "Eva Berg", "password": "correct horse"},
            follow_redirects=False,
        )
        assert (answer.status_code, answer.headers["location"]) == (303, "/classes")
        made = self.client.post(
            "/classes",
            data={"title": "Deep Learning", "term": "autumn", "zone": "Europe/Berlin"},
            follow_redirects=False,
        )
        self.board = made.headers["location"]
        self.base = self.board.removesuffix("/board")
        self.id = self.base.rsplit("/", 1)[1]
        self.school = school

    @property
    def code(self) -> str:
        return str(self.school.classes.get(self.id).join_code)  # type: ignore[arg-type]

    def get(self, path: str = "") -> str:
        answer = self.client.get(self.base + path)
        assert answer.status_code == 200, (path, answer.status_code, text(answer))
        return text(answer)

    def post(self, path: str, status: int = 303, /, **data: str) -> str:
        answer = self.client.post(self.base + path, data=data, follow_redirects=False)
        assert answer.status_code == status, (path, answer.status_code, text(answer))
        return text(answer) if status != 303 else str(answer.headers["location"])

    def give(self, **of: str) -> str:
        self.post("/assignments/new", 303, **{**FORM, **of})
        (given,) = self.school.assignments.all(self.id)  # type: ignore[arg-type]
        return str(given.id)

    def seats(self) -> dict[str, str]:
        return {one.name: str(one.id) for one in self.school.people.all(self.id)}  # type: ignore[arg-type]


def joined(teacher: Teacher, visit: Visit, name: str) -> TestClient:
    learner = visit()
    learner.get("/")
    answer = learner.post(f"/join/{teacher.code}", data={"name": name}, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, teacher.base)
    return learner


def submitted(learner: TestClient, source: bytes) -> None:
    answer = learner.post(f"/api/exercises/{SOFTMAX}/submissions", json={"source": source.decode()})
    assert answer.status_code == 201, answer.text
