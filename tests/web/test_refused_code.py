"""A source that is refused, or never judged, comes back to its learner: on every button's page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.config import Settings
from app.model import Slug
from app.ports import StoreAway
from app.sandbox.pool import LocalSandbox
from app.service import ExerciseBroken, NoSuchExercise
from app.service.exercises import Exercises
from app.storage.database import Database
from tests.service.world import World
from tests.web.browser import Page
from tests.web.conftest import ROOMY
from tests.web.server import opened
from tests.web.teacher import FORM, Teacher, Visit, joined
from tests.web.test_pages import MHA, WRONG

CODE = WRONG + '# kept: "<b>" \u202e &amp; \\\n'
BUTTONS = ("submissions", "run", "hints", "solution", "keep", "drafts")
ASKING = ("submissions", "run")
"""The buttons that send code into the jail."""

Refusing = Callable[[World, pytest.MonkeyPatch], None]


def sends_much(world: World, patch: pytest.MonkeyPatch) -> None:
    """Nothing at all of this learner is let in: refused before the form is read."""
    gate = world.opened[0]._door._gate
    patch.setattr(gate, "_allowance", replace(ROOMY, requests=0, submissions=0))


def has_full_disk(world: World, _: pytest.MonkeyPatch) -> None:
    world.free_bytes = 1


def has_no_jail(world: World, _: pytest.MonkeyPatch) -> None:
    world.sandbox.holds = False


def has_full_line(world: World, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(world.opened[0].submissions._queue.judge, "wait_s", lambda: 3600.0, raising=False)


def has_no_database(_: World, patch: pytest.MonkeyPatch) -> None:
    def away(_database: Database) -> None:
        raise StoreAway("connection refused", disk_full=False)

    for name in ("read", "glance", *(n for n in vars(Database) if n.startswith("write"))):
        patch.setattr(Database, name, away)


def has_a_broken_exercise(_: World, patch: pytest.MonkeyPatch) -> None:
    def broken(self: Exercises, slug: Slug) -> None:
        raise ExerciseBroken(slug, ("cases.py: none",))

    patch.setattr(Exercises, "get_sound", broken)


def lost_the_exercise(_: World, patch: pytest.MonkeyPatch) -> None:
    def gone(self: Exercises, learner: str, slug: Slug) -> None:
        raise NoSuchExercise(slug)

    patch.setattr(Exercises, "get_for", gone)
    patch.setattr(Exercises, "all", lambda self: ())


def is_at_fault(_: World, patch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError

    patch.setattr(Exercises, "get_for", fails)


REFUSALS: dict[str, tuple[Refusing, tuple[str, ...], int]] = {
    "too many requests": (sends_much, BUTTONS, 429),
    "a full disk": (has_full_disk, ("submissions", "hints", "solution", "keep"), 503),
    "no jail": (has_no_jail, ASKING, 503),
    "a full line": (has_full_line, ("submissions",), 503),
    "no database": (has_no_database, ("submissions", "hints", "solution", "keep"), 503),
    "a broken exercise": (has_a_broken_exercise, ASKING, 503),
    "an exercise that went": (lost_the_exercise, BUTTONS, 404),
    "a fault of ours": (is_at_fault, BUTTONS, 500),
}


@contextmanager
def visited(world: World) -> Iterator[TestClient]:
    """Somebody who has the page open."""
    site = opened(world.service(started=False), Settings(data=world.data))
    with TestClient(site, raise_server_exceptions=False, base_url="http://mlgrind.test") as client:
        assert client.get(MHA).status_code == 200
        yield client


def code_of(client: TestClient, address: str, source: str, status: int, **more: str) -> str:
    """The code on the page that answers a form, which browsers send with their own line ends."""
    form = {"source": source.replace("\n", "\r\n"), "number": "1", **more}
    answer = client.post(address, data=form)
    assert answer.status_code == status, answer.text[:2000]
    assert "Traceback" not in answer.text
    return Page(answer.text, "").value("source")


@pytest.mark.parametrize("name", REFUSALS)
def test_a_form_that_is_refused_comes_back_with_its_code(
    world: World, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    refusing, buttons, status = REFUSALS[name]
    with visited(world) as client:
        refusing(world, monkeypatch)
        for button in buttons:
            assert code_of(client, f"{MHA}/{button}", CODE, status) == CODE, button
        monkeypatch.undo()


def test_a_form_that_came_from_nowhere_is_refused_and_keeps_its_code(world: World) -> None:
    """As with a browser that tells no page where it comes from; there is no button to repeat it."""
    with visited(world) as client:
        answer = client.post(
            f"{MHA}/submissions", data={"source": CODE}, headers={"origin": "null"}
        )
        assert answer.status_code == 403
        page = Page(answer.text, "")
        assert page.value("source") == CODE
        assert "Try now" not in page.text


@pytest.mark.parametrize(
    ("button", "source", "said"),
    [
        ("keep", "x = 1\n" + "# long\n" * 20_000, "140,006 bytes; the most we keep is 131,072"),
        ("hints", "x = 1\n" + "# long\n" * 20_000, "140,006 bytes; the most we keep is 131,072"),
    ],
)
def test_a_draft_beyond_what_is_kept_comes_back_whole(
    world: World, button: str, source: str, said: str
) -> None:
    with visited(world) as client:
        answer = client.post(f"{MHA}/{button}", data={"source": source, "number": "1"})
        page = Page(answer.text, "")
        assert answer.status_code == 413 and said in page.text
        assert page.value("source") == source


SOURCES = {
    "longer than is ever run": "x = 1\n" + "# long\n" * 10_000,
    "many words": "x = [" + "1, " * 20_000 + "]\n",
    "deep": "x = " + "(" * 300 + "1" + ")" * 300 + "\n",
    "the machine": "import os\nos.abort()\n",
    "odd letters": "x = 1 \u202e \ufeff \u2028 # \x7f\n",
}


@pytest.mark.parametrize("name", SOURCES)
def test_a_source_that_the_policy_refuses_stays_in_the_editor(
    jailed_client: TestClient, name: str
) -> None:
    """It is kept as a submission with a report that says what is too much, and Run shows it too."""
    source = SOURCES[name]
    assert code_of(jailed_client, f"{MHA}/run", source, 200) == source
    assert code_of(jailed_client, f"{MHA}/submissions", source, 200) == source
    assert Page(jailed_client.get(MHA).text, "").value("source") == source


def test_a_reserved_exercise_gives_its_learner_the_code_and_the_way_back(
    visit: Visit, teacher: Teacher, world: World
) -> None:
    teacher.give(**{**FORM, "reserved": "yes"})
    ann = joined(teacher, visit, "Ann")
    world.free_bytes = 1
    answer = ann.post("/exercises/stable-softmax/submissions", data={"source": CODE})
    assert answer.status_code == 503
    page = Page(answer.text, "")
    assert page.value("source") == CODE
    assert "Back to the exercise" in page.text


def test_what_is_typed_beside_a_submission_comes_back_too(world: World) -> None:
    """“Look again” and “Share” are addresses of a submission, not of an exercise."""
    with visited(world) as client:
        posted = client.post(f"{MHA}/submissions", data={"source": WRONG}, follow_redirects=False)
        address = posted.headers["location"].split("#")[0]
        world.free_bytes = 1
        for button in ("look", "share"):
            assert code_of(client, f"{address}/{button}", CODE, 503) == CODE, button


@pytest.fixture(scope="module")
def jailed_client(tmp_path_factory: pytest.TempPathFactory, shelf: Path) -> Iterator[TestClient]:
    """Somebody who has the page of a site over the real jail open."""
    world = World(tmp_path_factory.mktemp("refused"), folders=(shelf,), allowance=ROOMY)
    world.sandbox = LocalSandbox()  # type: ignore[assignment]
    with visited(world) as client:
        yield client
    world.opened[0].close()
