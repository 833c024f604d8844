"""`/embed/SLUG`: which pages may show it, what it is without https, and what is not there."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from pydantic import ValidationError
from starlette.testclient import TestClient

from app.config import Settings
from app.model import Slug
from app.service import Service
from app.web import wall
from app.web.wall import Role
from tests.service.world import World
from tests.web.server import opened
from tests.web.test_wall import every_route

SOFTMAX = "stable-softmax"
BOOKS = ("https://book.example.edu", "https://quarto.example.edu:8443")
POLICY = "content-security-policy"


@pytest.fixture
def service(world: World) -> Service:
    return world.service(started=False)


@pytest.fixture
def visit(world: World, service: Service) -> Iterator[Callable[..., TestClient]]:
    settings = Settings(data=world.data, embed_origins=BOOKS)
    site = opened(service, settings)

    def make(scheme: str = "https") -> TestClient:
        return TestClient(site, base_url=f"{scheme}://grind.test")

    yield make


def test_frame_ancestors_names_exactly_the_listed_origins_on_exactly_this_page(
    visit: Callable[..., TestClient],
) -> None:
    client = visit()
    policy = client.get(f"/embed/{SOFTMAX}").headers[POLICY]
    assert policy.endswith(
        "frame-ancestors https://book.example.edu https://quarto.example.edu:8443"
    )
    for path in ("/", f"/exercises/{SOFTMAX}", f"/embed/{SOFTMAX}/kept", "/embed/nothing"):
        assert client.get(path).headers[POLICY].endswith("frame-ancestors 'none'"), path


def test_the_cookie_of_a_frame_is_partitioned_and_opens_what_was_done_there(
    visit: Callable[..., TestClient],
) -> None:
    client = visit()
    answer = client.get(f"/embed/{SOFTMAX}")
    name, _, rest = answer.headers["set-cookie"].partition("=")
    assert name == "__Host-mlgrind-embed"
    assert rest.partition("; ")[2] == (
        "Path=/; Max-Age=34560000; HttpOnly; Secure; SameSite=None; Partitioned"
    )
    assert client.get(f"/embed/{SOFTMAX}/kept").json() == {"kept": True}
    body = {"source": "import numpy as np\n"}
    sent = client.post(f"/api/exercises/{SOFTMAX}/submissions", json=body)
    assert sent.status_code in (200, 201)
    assert "Submissions 1" in client.get(f"/embed/{SOFTMAX}").text


def test_over_plain_http_it_says_that_work_is_not_kept(visit: Callable[..., TestClient]) -> None:
    answer = visit("http").get(f"/embed/{SOFTMAX}")
    assert "set-cookie" not in answer.headers
    assert '<div class="note still" data-not-kept>' in answer.text
    assert "over https only" in answer.text


def test_a_reserved_exercise_is_not_there_even_for_its_own_class(
    service: Service, visit: Callable[..., TestClient]
) -> None:
    school = service.school
    host, _ = school.accounts.add("eva", "Eva", "the host", host=True)
    made = school.classes.make("Exam", "UTC", host)
    client = visit()
    client.post(f"/join/{made.join_code}", data={"name": "Ann"})
    given = {"points": "10", "due_at": "2099-01-01", "title": "Exam", "reserved": "on"}
    school.assignments.add(made.id, Slug(SOFTMAX), given, host)
    assert client.get(f"/exercises/{SOFTMAX}").status_code == 200
    assert client.get(f"/embed/{SOFTMAX}").status_code == 404


def test_without_listed_origins_nothing_is_embedded(service: Service, settings: Settings) -> None:
    client = TestClient(opened(service, settings))
    answer = client.get(f"/embed/{SOFTMAX}")
    assert answer.status_code == 403
    assert "MLGRIND_EMBED_ORIGINS is not set" in answer.text


@pytest.mark.parametrize(
    "origin",
    ["https://book.example.edu/path", "book.example.edu", "*", "https://a.edu; script-src *"],
)
def test_what_is_no_origin_is_refused_at_the_start(origin: str) -> None:
    with pytest.raises(ValidationError, match="is no origin"):
        Settings(embed_origins=(origin,))


def test_the_routes_of_a_frame_are_a_visitors(world: World, service: Service) -> None:
    site = opened(service, Settings(data=world.data))
    found = {r.path: wall.roles(r) for r in every_route(site) if r.path.startswith("/embed")}
    assert found == {
        "/embed/{slug}": (Role.VISITOR,),
        "/embed/{slug}/kept": (Role.VISITOR,),
    }
