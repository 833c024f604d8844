"""The wall between roles: every route says whose it is, and holds to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.routing import Route
from starlette.testclient import TestClient

from app.classroom.launch import Launch
from app.config import Settings
from app.model import Report, Slug, SubmissionId, Verdict
from app.model.classes import Account, Class, EnrolmentId, Session
from app.records import NewSubmission
from app.report import to_json
from app.service import Service
from app.service.school.campus.arrivals import Arrived
from app.service.tokens import token_hash
from app.web import frames, health, wall
from app.web.deps import COUNTED
from app.web.pages import author
from app.web.wall import Role
from tests.service.world import World
from tests.web.server import opened

Visit = Callable[..., TestClient]
CANARIES = (
    "canaryname", "canarytitle", "canarysection", "canarynote", "canaryreason", "canaryroster",
    "canarysource", "canarymessage",
)  # fmt: skip
PLAIN = {"/openapi.json"}
"""Routes FastAPI makes itself: they hold nothing of anybody."""


def every_route(site: FastAPI) -> Iterator[Route]:
    for route in site.routes:
        assert isinstance(route, Route), route
        if route.path not in PLAIN:
            yield route


def unmarked(site: FastAPI) -> list[str]:
    return [
        f"{route.methods} {route.path}"
        for route in every_route(site)
        if len(wall.roles(route)) != 1
    ]


@pytest.fixture
def site(world: World, settings: Settings) -> FastAPI:
    made = opened(world.service(started=False), settings)
    made.router.routes.extend(author.router.routes)
    return made


def test_every_route_names_exactly_one_role(site: FastAPI) -> None:
    assert unmarked(site) == []
    assert len(list(every_route(site))) > 80


def test_every_route_is_held_to_a_rate_and_answers_only_its_own_host(site: FastAPI) -> None:
    """But what machines ask for, and the author's pages, which have a wall of their own."""
    expected = [depends.dependency for depends in COUNTED]
    free = set()
    for route in every_route(site):
        assert isinstance(route, APIRoute)
        first = [each.call for each in route.dependant.dependencies][: len(expected)]
        if first != expected:
            free.add(route.path)
    assert {path for path in free if not path.startswith("/author")} == {
        route.path for route in health.router.routes if isinstance(route, APIRoute)
    }


def test_a_route_that_forgets_its_role_is_found(site: FastAPI) -> None:
    @site.get("/forgotten")
    def forgotten() -> str:
        return "canaryname"

    assert unmarked(site) == ["{'GET'} /forgotten"]


# ------------------------------------------------------------------ whose is whose


class Town:
    """Two classes with everything in them, and somebody of each kind."""

    def __init__(self, service: Service, visit: Visit) -> None:
        self.service, self.school = service, service.school
        school = self.school
        self.eva, self.eva_token = self._staff("eva")
        self.fred, self.fred_token = self._staff("fred")
        self.ida, self.ida_token = self._staff("ida")
        self.host, self.host_token = self._staff("host", host=True)
        self.made = school.classes.make("canarytitle", "UTC", self.eva)
        self.other = school.classes.make("Other", "UTC", self.fred)
        school.classes.add_staff(self.made.id, "ida", "assistant", self.eva)
        assert self.made.join_code is not None
        assert self.other.join_code is not None
        self.learner, ann = self._learner(visit, self.made, "canaryname")
        self.elsewhere, _ = self._learner(visit, self.other, "Otto")
        self.removed, gone = self._learner(visit, self.made, "canaryname two")
        school.people.remove(self.made.id, gone, self.eva)
        school.people.set_section(self.made.id, ann, "canarysection", self.eva)
        fields = {"points": "10", "due_at": "2099-01-01", "title": "Softmax"}
        given = school.assignments.add(
            self.made.id,
            Slug("stable-softmax"),
            fields,
            self.eva,
        )
        note = {"points": "5", "reason": "canaryreason", "note": "canarynote"}
        school.grades.override(self.made.id, given.id, ann, note, self.eva)
        school.rosters.apply_file(self.made.id, b"name\ncanaryroster\n", self.eva)
        tried = self._tried(ann)
        self.campus_token = self._by_a_campus()
        self.paths = {
            "class_id": str(self.made.id),
            "enrolment": str(ann),
            "assignment": str(given.id),
            "slug": "stable-softmax",
            "misconception": "none",
            "submission": tried,
            "token": "none",
            "name": "none.csv",
            "code": "NOTACODE",
            "hashed": "0" * 64,
            "names": "value",
            "number": "0",
        }

    def _tried(self, enrolment: EnrolmentId) -> str:
        """A judged try of somebody of the class."""
        learner = self.school.people.one(self.made.id, enrolment).learner
        assert learner is not None
        name, now = SubmissionId("00000000-0000-7000-8000-000000000007"), datetime.now(UTC)
        store = self.service._parts.store.submissions
        store.add(NewSubmission(name, learner, Slug("stable-softmax"), b"canarysource", now))
        report = Report(
            exercise=Slug("stable-softmax"),
            digest="d",
            verdict=Verdict.WRONG_ANSWER,
            passed=0,
            total=6,
            message="canarymessage",
            help="",
            tests=(),
            submission=name,
        )
        store.record(name, to_json(report), now)
        return name

    def _session(self, *, idle: timedelta = timedelta(0), framed: bool = False) -> str:
        """The token of a session of the class's instructor that opens nothing here."""
        at = self.school.boards.now() - idle
        token = f"session-{framed}-{idle}"
        session = Session(self.eva.id, at, at, at + timedelta(days=30), framed=framed)
        self.service._parts.school.sign_ins.open(token_hash(token), session)  # type: ignore[union-attr]
        return token

    def _staff(self, login: str, *, host: bool = False) -> tuple[Account, str]:
        account, link = self.school.accounts.add(login, login.title(), "the host", host=host)
        return account, self.school.accounts.set_password(link, "correct horse").token

    def _learner(self, visit: Visit, made: Class, name: str) -> tuple[TestClient, EnrolmentId]:
        client = visit()
        answer = client.post(f"/join/{made.join_code}", data={"name": name})
        assert answer.status_code == 303
        found = [e for e in self.school.people.all(made.id) if e.name == name]
        return client, found[0].id

    def _by_a_campus(self) -> str:
        """A learner of the other class, signed in by a campus."""
        addresses = {n: "https://campus.test/" for n in ("auth_url", "token_url", "jwks_url")}
        fields = {**addresses, "issuer": "https://campus.test", "client_id": "c"}
        campus = self.school.campus
        registration = campus.registering.add(fields, "the host")
        learner = self.school.people.all(self.other.id)[0].learner
        launch = Launch("resource", "1", "d", "learner", "")
        token, _ = campus.sessions.open(Arrived(registration, launch, "/", learner=learner))
        return token

    def client(self, visit: Visit, who: str) -> TestClient:
        learners = {
            "learner": self.learner, "learner of another": self.elsewhere, "removed": self.removed
        }  # fmt: skip
        if who in learners:
            return learners[who]
        client = visit()
        tokens = {
            "assistant": self.ida_token,
            "instructor": self.eva_token,
            "instructor of another": self.fred_token,
            "host": self.host_token,
            "forged session": "x" * 43,
            "expired session": self._session(idle=timedelta(hours=13)),
            "framed": self._session(framed=True),
        }
        if who in tokens:
            client.cookies.set(wall.STAFF_COOKIE, tokens[who])
        elif who == "learner by a campus":
            client.cookies.set(frames.COOKIE, self.campus_token)
        elif who in ("anonymous", "invited"):
            client.get("/exercises/stable-softmax")
        return client


STAFF_OF_CLASS = {"assistant", "instructor", "host"}
MAY = {
    Role.LEARNER: {"learner", "removed"} | STAFF_OF_CLASS,
    Role.ASSISTANT: STAFF_OF_CLASS,
    Role.INSTRUCTOR: {"instructor", "host"},
    Role.ACCOUNT: STAFF_OF_CLASS | {"instructor of another"},
    Role.HOST: {"host"},
}
NOBODY = {
    "no cookie", "anonymous", "invited", "learner", "learner of another", "removed",
    "forged session", "expired session", "framed", "learner by a campus",
}  # fmt: skip
"""invited: on the roster, not come yet. framed: signed in within a campus's frame, which opens
nothing outside it. learner by a campus: of the other class, in the frame itself."""

ACTORS = sorted(NOBODY | STAFF_OF_CLASS | {"instructor of another"})


def addresses(site: FastAPI, paths: dict[str, str]) -> Iterator[tuple[Role, str, str]]:
    for route in every_route(site):
        (role,) = wall.roles(route)
        if role not in MAY:
            continue
        for method in sorted((route.methods or set()) - {"HEAD"}):
            yield role, method, route.path.format(**paths)


def dump(service: Service) -> list[str]:
    connection = service._parts.store.database  # type: ignore[attr-defined]
    with connection.read() as reading:
        raw = reading.connection.dbapi_connection
        return [line for line in raw.iterdump() if 'INSERT INTO "sessions"' not in line]


@pytest.mark.parametrize("who", ACTORS)
def test_nobody_gets_through_a_wall_that_is_not_theirs(
    who: str, world: World, settings: Settings
) -> None:
    service = world.service(started=False)
    site = opened(service, settings)

    def visit(**options: object) -> TestClient:
        return TestClient(site, base_url="http://mlgrind.test", follow_redirects=False)

    town = Town(service, visit)
    client = town.client(visit, who)
    before = dump(service)
    seen = 0
    for role, method, path in addresses(site, town.paths):
        if who in MAY[role]:
            continue
        answer = client.request(method, path, data={} if method == "POST" else None)
        signs_in = role is not Role.LEARNER and who in NOBODY
        assert answer.status_code == (303 if signs_in else 404), (who, method, path)
        if signs_in:
            assert answer.headers["location"].startswith("/staff/sign-in?next=/"), path
        assert not [one for one in CANARIES if one in answer.text], (who, path)
        seen += 1
    assert dump(service) == before
    assert seen or who == "host"


@pytest.mark.parametrize("who", ["assistant", "instructor", "host"])
def test_who_may_sees_every_page(who: str, world: World, settings: Settings) -> None:
    service = world.service(started=False)
    site = opened(service, settings)

    def visit(**options: object) -> TestClient:
        return TestClient(site, base_url="http://mlgrind.test", follow_redirects=False)

    town = Town(service, visit)
    client = town.client(visit, who)
    missing = ("tries/", "example/", "filled/")  # of things that are not there
    for role, method, path in addresses(site, town.paths):
        if method == "GET" and who in MAY[role] and not any(one in path for one in missing):
            answer = client.get(path, params={"wait": 0} if path.endswith(".json") else {})
            assert answer.status_code in (200, 303), (who, path, answer.status_code)


def test_a_leak_between_classes_is_found(world: World, settings: Settings) -> None:
    """A route that forgets the class is caught by what stands in its answer."""
    service = world.service(started=False)
    site = opened(service, settings)

    @site.get("/classes/{class_id}/leak", dependencies=[wall.needs(Role.ACCOUNT)])
    def leak(class_id: str) -> str:
        return service.school.classes.get(class_id).title  # type: ignore[arg-type]

    def visit(**options: object) -> TestClient:
        return TestClient(site, base_url="http://mlgrind.test", follow_redirects=False)

    town = Town(service, visit)
    client = town.client(visit, "instructor of another")
    answer = client.get(f"/classes/{town.made.id}/leak")
    assert [one for one in CANARIES if one in answer.text] == ["canarytitle"]
