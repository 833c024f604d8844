"""A campus course in a real browser: in a frame without third-party cookies, without any, in a tab.

Campus and site are two sites over https; the campus's page keeps what it is asked to keep, as the
specification has it.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, expect
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from app.campus import Fetcher, HttpsCampus
from app.config import Settings
from app.model import Slug
from app.service import Service
from tests.browser.learner import PATIENCE_MS
from tests.browser.test_accessibility import AXE
from tests.browser.two_sites import (
    Certificates,
    browsing_strictly,
    browsing_without_cookies,
    over_tls,
)
from tests.campus.platform import MOODLE, Platform
from tests.service.world import EXERCISES, World, expectations
from tests.web.server import opened

SOFTMAX = Slug("stable-softmax")
KEEPER = """
addEventListener("message", event => {
  const {subject, message_id, key, value} = event.data ?? {};
  if (!String(subject).startsWith("lti.")) return;
  window.kept ??= {};
  if (subject === "lti.put_data") window.kept[key] = value;
  event.source.postMessage(
    {subject: `${subject}.response`, message_id, key, value: window.kept[key]}, event.origin);
});
"""


def campus_pages(platform: Platform) -> Starlette:
    """The campus in a browser: a course page with a frame, its sign-in page, and its services."""

    async def course(request: Request) -> Response:
        asked = request.query_params
        more = {"lti_storage_target": "_parent"} if "keeps" in asked else {}
        address = html.escape(platform.login_address(asked["user"], asked["hint"], **more))
        frame = f'<iframe src="{address}" title="ML Grind" width="800" height="700"></iframe>'
        keeper = f"<script>{KEEPER}</script>" if "keeps" in asked else ""
        return HTMLResponse(f"<!doctype html><title>Course</title>{keeper}{frame}")

    async def auth(request: Request) -> Response:
        form = platform.authorize(str(request.url))
        fields = "".join(
            f'<input type="hidden" name="{name}" value="{html.escape(value)}">'
            for name, value in form.items()
        )
        page = f'<form method="post" action="{platform.tool}/lti/launch">{fields}</form>'
        script = "<script>document.forms[0].submit()</script>"
        return HTMLResponse(f"<!doctype html><title>Campus</title>{page}{script}")

    async def deep(request: Request) -> Response:
        form = await request.form()
        said = len(str(form["JWT"])) > 500
        return HTMLResponse(f'<!doctype html><title>Back</title><p id="came">{said}</p>')

    async def keys(_request: Request) -> Response:
        return JSONResponse(json.loads(platform._get_jwks().body))

    pages = {"/course": course, "/auth": auth, "/jwks": keys}
    routes = [Route(path, page) for path, page in pages.items()]
    return Starlette(routes=[*routes, Route("/deep", deep, methods=["POST"])])


@dataclass(frozen=True)
class Places:
    """The campus, and the site it launches into."""

    campus: Platform
    service: Service

    def course(self, user: str, hint: str = "link-1", *, keeps: bool = False) -> str:
        more = "&keeps=1" if keeps else ""
        return f"{self.campus.home}/course?user={user}&hint={hint}{more}"


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Places]:
    folder = tmp_path_factory.mktemp("campus")
    shelf = folder / "exercises"
    shelf.mkdir()
    (shelf / SOFTMAX).symlink_to(EXERCISES / SOFTMAX)
    certificates = Certificates(folder)
    platform = Platform(MOODLE, "", dict)
    world = World(folder, folders=(shelf,))
    fetcher = Fetcher(("127.0.0.0/8",), certificates.trusted())

    def fetch(method: str, address: str, body: Any, headers: Any) -> Any:
        return fetcher.fetch(method, address.replace("campus.test", "127.0.0.1"), body, headers)

    campus = HttpsCampus(b"s" * 32, fetch, clock=lambda: world.now.timestamp())
    world.campus = lambda: campus
    service = world.service(started=False)
    for exercise in service.exercises.all():
        expectations(exercise)
    platform.clock = lambda: world.now.timestamp()

    def grind(port: int) -> object:
        platform.tool = f"https://grind.test:{port}"
        return opened(service, Settings(data=folder, public_url=platform.tool))

    with over_tls(lambda _port: campus_pages(platform), certificates) as port:
        platform.home = f"https://campus.test:{port}"
        with over_tls(grind, certificates):
            service.school.campus.registering.add(platform.fields(), "the host")
            yield Places(platform, service)
    world.close()


@pytest.fixture(scope="module")
def strict(browser: Browser) -> Iterator[Browser]:
    with browsing_strictly(browser) as made:
        yield made


@pytest.fixture
def page(strict: Browser) -> Iterator[Page]:
    context = strict.new_context(ignore_https_errors=True)
    context.set_default_timeout(PATIENCE_MS)
    yield context.new_page()
    context.close()


@pytest.fixture
def connected(places: Places, page: Page) -> Places:
    """The course with a class and an assignment, as its instructor connects it in the frame."""
    if not places.service.school.classes.all():
        page.goto(places.course("9"))
        frame = page.frame_locator("iframe")
        frame.get_by_role("button", name="Make the class").click()
        expect(frame.get_by_text("Connected with")).to_be_visible()
        (made,) = places.service.school.classes.all()
        due = {"points": "10", "opens_at": "2026-11-01T00:00", "due_at": "2099-01-01T00:00"}
        places.service.school.assignments.add(made.id, SOFTMAX, due, "the host")
    places.campus.links["link-1"] = '{"exercise": "stable-softmax"}'
    return places


def test_a_learner_works_in_the_frame_without_third_party_cookies(
    connected: Places, page: Page
) -> None:
    page.goto(connected.course("1"))
    frame = page.frame_locator("iframe")
    expect(frame.locator(".cm-content")).to_be_visible()
    frame.locator(".cm-content").fill("def softmax(x, axis=-1):\n    return x\n")
    frame.locator("[data-submit]").click()
    expect(frame.locator("#results[data-kind=submission]")).to_be_visible()
    kept = [one for one in page.context.cookies() if one["name"] == "__Host-mlgrind-session"]
    assert [one.get("partitionKey") for one in kept] == ["https://campus.test"]
    made = connected.service.school.classes.all()[0]
    assert "Ann Lee" in {one.name for one in connected.service.school.people.all(made.id)}


def test_without_cookies_the_campuss_page_proves_the_login(
    connected: Places, browser: Browser, tmp_path: Path
) -> None:
    with browsing_without_cookies(browser, tmp_path) as page:
        page.goto(connected.course("2", keeps=True))
        frame = page.frame_locator("iframe")
        expect(frame.get_by_text("Go on in a new tab.")).to_be_visible()
        expect(frame.get_by_role("link", name="Open in a new tab")).to_be_visible()


def test_without_cookies_and_storage_there_is_a_new_tab(
    connected: Places, browser: Browser, tmp_path: Path
) -> None:
    with browsing_without_cookies(browser, tmp_path) as page:
        page.goto(connected.course("2"))
        frame = page.frame_locator("iframe")
        expect(frame.get_by_text("One more step.")).to_be_visible()
        with page.context.expect_page() as tab:
            frame.get_by_role("link", name="Open in a new tab").click()
        expect(tab.value.get_by_text("Allow cookies for this site")).to_be_visible()


def test_in_a_new_tab_the_login_comes_in(connected: Places, page: Page) -> None:
    page.goto(connected.campus.login_address("2"))
    expect(page.locator(".cm-content")).to_be_visible()
    assert page.url.endswith("/exercises/stable-softmax")


def test_content_goes_back_into_the_course_from_the_frame(connected: Places, page: Page) -> None:
    page.goto(connected.course("9", "deep"))
    frame = page.frame_locator("iframe")
    frame.get_by_label("Stable Softmax").check()
    frame.get_by_role("button", name="Add to the course").click()
    expect(frame.locator("#came")).to_have_text("True")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_the_pages_of_a_campus_and_they_fit_a_phone(
    connected: Places, page: Page, scheme: Literal["light", "dark"]
) -> None:
    service, origin = connected.service, connected.campus.tool
    made = service.school.classes.all()[0]
    name = f"host-{scheme}"
    host, link = service.school.accounts.add(name, "Host", "the host", host=True)
    token = service.school.accounts.set_password(link, "correct horse").token
    cookie = {"name": "mlgrind-staff", "value": token, "url": origin}
    page.context.add_cookies([cookie])  # type: ignore[list-item]
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.set_viewport_size({"width": 375, "height": 740})
    offer = service.school.campus.registering.offer(host)
    arrives = ("/staff/campus", f"/classes/{made.id}/campus", "/lti/enter/none",
               f"/lti/register/{offer}?openid_configuration=https://campus.test/c")  # fmt: skip
    for path in arrives:
        page.goto(origin + path)
        page.evaluate(AXE)
        found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
        said = [(each["id"], [node["target"] for node in each["nodes"]]) for each in found]
        assert said == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= 375, path
