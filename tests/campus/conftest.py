"""What the tests of this room stand on: the site at https://grind.test, and a campus beside it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.campus import HttpsCampus
from app.campus.fetch import Fetched
from app.catalog import Catalog
from app.config import Settings
from app.model import LearnerId, Slug, SubmissionId
from app.model.classes import Account, Assignment, Class
from app.ports.campuses import CampusStore
from app.records import NewSubmission
from app.service import Service
from app.service.school import School
from app.web.deps import Site
from tests.campus.platform import MOODLE, Platform, Temper
from tests.service.world import EXERCISES, World, expectations
from tests.web.server import opened

ORIGIN = "https://grind.test"
SOFTMAX = Slug("stable-softmax")
DUE = {"points": "10", "opens_at": "2026-11-01T00:00", "due_at": "2099-01-01T00:00"}


@dataclass
class Town:
    """A site, its host, and campuses by the names of their hosts."""

    world: World
    service: Service
    site: Any
    platforms: dict[str, Platform] = field(default_factory=dict)
    steady: list[float] = field(default_factory=lambda: [0.0])
    tries: int = 0

    @property
    def school(self) -> School:
        return self.service.school

    @property
    def kept(self) -> CampusStore:
        """What is kept of campuses."""
        school = self.service._parts.school
        assert school is not None
        return school.campus

    def fetch(self, method: str, address: str, body: Any, headers: Any) -> Fetched:
        for home, platform in self.platforms.items():
            if address.startswith(home):
                return platform.fetch(method, address, body, headers)
        raise AssertionError(address)

    def platform(self, temper: Temper = MOODLE, **more: Any) -> Platform:
        """A campus, registered and switched on."""
        keys = self.school.campus.registering.jwks
        made = Platform(temper, ORIGIN, lambda: dict(keys()), self.now, **more)
        self.platforms[made.home] = made
        self.school.campus.registering.add(made.fields(), "the host")
        return made

    def now(self) -> float:
        return self.world.now.timestamp()

    def browser(self) -> TestClient:
        return TestClient(self.site, base_url=ORIGIN, follow_redirects=False)

    def begin(self, browser: TestClient, platform: Platform, user: str, hint: str) -> str:
        """Click a link; where the campus's sign-in page is."""
        answer = browser.get("/lti/login", params=platform.login(user, hint))
        assert answer.status_code == 302, answer.text
        return answer.headers["location"]

    def launch(
        self,
        platform: Platform,
        user: str,
        hint: str = "link-1",
        browser: TestClient | None = None,
        change: Callable[[dict[str, Any]], object] | None = None,
    ) -> Any:
        """Click a link and be signed in; the answer to the launch itself."""
        browser = browser or self.browser()
        address = self.begin(browser, platform, user, hint)
        return browser.post("/lti/launch", data=platform.authorize(address, change))

    def enter(
        self,
        platform: Platform,
        user: str,
        hint: str = "link-1",
        change: Callable[[dict[str, Any]], object] | None = None,
    ) -> tuple[TestClient, str]:
        """Click a link, all the way; the browser, and the path it ends at."""
        browser = self.browser()
        answer = self.launch(platform, user, hint, browser, change)
        assert answer.status_code == 303, answer.text
        while answer.headers["location"].startswith("/lti/enter/"):
            answer = browser.get(answer.headers["location"])
            assert answer.status_code == 303, answer.text
        return browser, answer.headers["location"]

    def connected(self, platform: Platform) -> Class:
        """The platform's course with a new class."""
        browser, path = self.enter(platform, "9")
        assert path.startswith("/lti/connect/")
        answer = browser.post(path, data={"do": "new", "zone": "UTC"})
        assert answer.status_code == 303, answer.text
        return self.school.classes.all()[0]

    def given(self, made: Class, slug: Slug = SOFTMAX, **more: str) -> Assignment:
        return self.school.assignments.add(made.id, slug, {**DUE, **more}, "the host")

    def learner(self, platform: Platform, user: str) -> LearnerId:
        registration = self.school.campus.registering.all()[0].registration
        found = self.kept.courses.identity(registration.id, user)
        assert found is not None
        assert found.learner is not None
        return LearnerId(found.learner)

    def submit(self, learner: LearnerId, passed: int, slug: Slug = SOFTMAX) -> None:
        """A judged try."""
        self.tries += 1
        name = SubmissionId(f"00000000-0000-7000-8000-{self.tries:012}")
        store, now = self.service._parts.store, self.service._parts.now()
        text = f"x = {self.tries}".encode()
        store.submissions.add(NewSubmission(name, learner, slug, text, now))
        report = {
            "verdict": "accepted" if passed == 6 else "wrong_answer",
            "passed": passed,
            "total": 6,
            "digest": "d",
            "tests": [{"verdict": "accepted" if n < passed else "wrong"} for n in range(6)],
        }
        assert store.submissions.record(name, report, now)

    def round(self) -> None:
        """One look of the sender."""
        for course in self.kept.courses.connected():
            assert course.class_id is not None
            self.school.campus.scoring.note(course.class_id, course)
        self.school.campus.scoring.send_due()

    def dump(self, *without: str) -> list[str]:
        """Every row of the database, but those of some tables."""
        left_out = tuple(f'INSERT INTO "{table}"' for table in without)
        connection = self.service._parts.store.database  # type: ignore[attr-defined]
        with connection.read() as reading:
            raw = reading.connection.dbapi_connection
            return [line for line in raw.iterdump() if not line.startswith(left_out)]

    def host(self) -> Account:
        return self.school.accounts.add("host", "Host", "the host", host=True)[0]


@dataclass(frozen=True)
class Ground:
    """What every site of this room shares, made once: exercises, an empty database, the routes."""

    shelf: Path
    database: Path
    site: FastAPI


@pytest.fixture(scope="session")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ground]:
    """Exercises whose tests are computed, a database with a key of ours, and the routes."""
    folder = tmp_path_factory.mktemp("ground")
    shelf = folder / "exercises"
    shelf.mkdir()
    (shelf / SOFTMAX).symlink_to(EXERCISES / SOFTMAX)
    for exercise in Catalog((shelf,)).all():
        expectations(exercise)  # once a test run: no thread is at it when the site is made
    world = World(folder, folders=(shelf,))
    campus = HttpsCampus(b"s" * 32, _nobody)
    world.campus = lambda: campus
    service = world.service(started=False)
    site = opened(service, Settings(data=folder, public_url=ORIGIN))
    service.school.campus.registering.jwks()
    world.close()
    yield Ground(shelf, folder / "mlgrind.db", site)


def _nobody(*_asked: object) -> Fetched:
    raise AssertionError("nobody is asked")


def town_at(folder: Path, ground: Ground) -> tuple[World, Town]:
    """A site over one exercise, whose campus is whatever the test makes."""
    shutil.copy(ground.database, folder / "mlgrind.db")
    world = World(folder, folders=(ground.shelf,))
    towns: list[Town] = []
    steady = [0.0]
    campus = HttpsCampus(
        b"s" * 32,
        lambda *asked: towns[0].fetch(*asked),
        steady=lambda: steady[0],
        clock=lambda: world.now.timestamp(),
    )
    world.campus = lambda: campus
    service = world.service(started=False)
    site = replace(ground.site.state.site, service=service)
    made = _Serving(ground.site, site)
    towns.append(Town(world, service, made, steady=steady))
    return world, towns[0]


@dataclass(frozen=True)
class _Serving:
    """The routes over one service: several may take turns in one test run."""

    routes: FastAPI
    site: Site

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.routes.state.site = self.site
        await self.routes(scope, receive, send)


@pytest.fixture(scope="module")
def shared(
    tmp_path_factory: pytest.TempPathFactory, ground: Ground
) -> Iterator[tuple[Town, Platform]]:
    """A site with a campus for what changes nothing: one for all tests of a file."""
    world, made = town_at(tmp_path_factory.mktemp("campus"), ground)
    platform = made.platform()
    made.connected(platform)
    yield made, platform
    world.close()


@pytest.fixture
def town(tmp_path: Path, ground: Ground) -> Iterator[Town]:
    world, made = town_at(tmp_path, ground)
    yield made
    world.close()
