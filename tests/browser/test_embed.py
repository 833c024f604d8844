"""An exercise in a frame on a course's own page: who may show it, and what is kept there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from app.config import Settings
from tests.browser.learner import PATIENCE_MS, SLUG, WRONG
from tests.browser.test_accessibility import violations
from tests.browser.two_sites import (
    Certificates,
    browsing_strictly,
    browsing_without_cookies,
    comes_up,
    over_tls,
)
from tests.service.world import EXERCISES, World
from tests.web.server import opened


@dataclass(frozen=True)
class Places:
    """Where the exercise site and the pages that show it listen."""

    grind: str
    book: str
    stranger: str


def books(grind: Callable[[], str]) -> Starlette:
    """Pages of a course: one with the exercise, one with a frame of another site's cookies."""

    async def exercise(_request: Request) -> Response:
        frame = (
            f'<iframe src="{grind()}/embed/{SLUG}" title="Exercise" width=375 height=900></iframe>'
        )
        return HTMLResponse(f"<!doctype html><title>Book</title><h1>Chapter 3</h1>{frame}")

    async def other(request: Request) -> Response:
        frame = f'<iframe src="https://campus.test:{request.url.port}/set" title="Other"></iframe>'
        return HTMLResponse(f"<!doctype html><title>Book</title>{frame}")

    async def set_both(_request: Request) -> Response:
        answer = RedirectResponse("/seen", 303)
        answer.headers.append("Set-Cookie", "plain=1; Secure; SameSite=None; Path=/")
        answer.headers.append("Set-Cookie", "apart=1; Secure; SameSite=None; Path=/; Partitioned")
        return answer

    async def seen(request: Request) -> Response:
        return HTMLResponse(f"<!doctype html><title>Seen</title><p>{sorted(request.cookies)}</p>")

    pages = {"/": exercise, "/other": other, "/set": set_both, "/seen": seen}
    return Starlette(routes=[Route(path, page) for path, page in pages.items()])


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Places]:
    folder = tmp_path_factory.mktemp("embed")
    shelf = folder / "exercises"
    shelf.mkdir()
    (shelf / SLUG).symlink_to(EXERCISES / SLUG)
    world, certificates = World(folder, folders=(shelf,)), Certificates(folder)
    where: list[str] = []
    with over_tls(lambda _port: books(lambda: where[0]), certificates) as shown:
        book = f"https://book.test:{shown}"

        def grind(port: int) -> object:
            where.append(f"https://grind.test:{port}")
            settings = Settings(data=folder, public_url=where[0], embed_origins=(book,))
            return opened(world.service(started=False), settings)

        with over_tls(grind, certificates):
            yield Places(where[0], book, f"https://stranger.test:{shown}")
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


def test_an_unpartitioned_cookie_is_refused_in_a_frame(page: Page, places: Places) -> None:
    other = f"{places.book}/other"
    frame = comes_up(page, other, lambda frame: frame.locator("p"))
    expect(frame.locator("p")).to_have_text("['apart']")


def test_a_listed_page_shows_the_exercise_and_its_work_is_kept(page: Page, places: Places) -> None:
    frame = comes_up(page, places.book, lambda frame: frame.locator(".cm-content"))
    expect(frame.locator("article")).to_be_hidden()
    frame.locator("summary", has_text="what to write").click()
    expect(frame.locator("#title")).to_be_visible()
    expect(frame.locator("[data-not-kept]")).to_be_hidden()
    frame.locator(".cm-content").fill(WRONG)
    frame.locator("[data-submit]").click()
    expect(frame.locator("#results[data-kind=submission]")).to_be_visible()
    page.goto("about:blank")
    comes_up(page, places.book, lambda frame: frame.locator("#results[data-kind=submission]"))
    kept = [one for one in page.context.cookies() if one["name"] == "__Host-mlgrind-embed"]
    assert [one.get("partitionKey") for one in kept] == ["https://book.test"]


def test_a_page_that_is_not_listed_is_refused_by_the_browser(page: Page, places: Places) -> None:
    with page.expect_console_message(lambda said: "frame-ancestors" in said.text):
        page.goto(places.stranger)
    assert page.frame_locator("iframe").locator("#code").count() == 0


def test_no_other_page_of_ours_can_be_framed_by_a_listed_one(page: Page, places: Places) -> None:
    page.goto(places.book)
    with page.expect_console_message(lambda said: "frame-ancestors" in said.text):
        page.evaluate(
            "to => { document.querySelector('iframe').src = to }",
            f"{places.grind}/exercises/{SLUG}",
        )


def test_where_the_browser_keeps_no_cookie_at_all_the_frame_says_so(
    browser: Browser, tmp_path: Path, places: Places
) -> None:
    with browsing_without_cookies(browser, tmp_path) as page:
        frame = comes_up(page, places.book, lambda frame: frame.locator("[data-not-kept]"))
        expect(frame.locator("[data-not-kept]")).to_contain_text("Your work is not kept here.")


def test_axe_finds_nothing_in_the_frame_and_it_fits_a_phone(page: Page, places: Places) -> None:
    page.set_viewport_size({"width": 375, "height": 740})
    page.goto(f"{places.grind}/embed/{SLUG}")
    expect(page.locator(".cm-content")).to_be_visible()
    page.evaluate("document.querySelector('.fold').open = true")
    assert violations(page) == []
    for width in (375, 320):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_all_of_the_frame_is_reached_by_the_keyboard(page: Page, places: Places) -> None:
    page.goto(f"{places.grind}/embed/{SLUG}")
    expect(page.locator(".cm-content")).to_be_visible()
    wanted = page.locator("summary:visible, [data-submit]:visible, [data-run]:visible")
    named = {each.inner_text().strip().split("\n")[0] for each in wanted.all()}
    assert len(named) >= 3
    met: set[str] = set()
    page.locator("body").press("Tab")
    for _ in range(60):
        met.add(page.evaluate("document.activeElement.innerText.trim().split('\\n')[0]"))
        page.keyboard.press("Escape")  # out of the editor, where Tab indents
        page.keyboard.press("Tab")
    assert named - met == set()


def test_without_a_script_the_frame_shows_the_exercise_and_judges(
    strict: Browser, places: Places
) -> None:
    context = strict.new_context(ignore_https_errors=True, java_script_enabled=False)
    context.set_default_timeout(PATIENCE_MS)
    tab = context.new_page()
    words = "what to write"
    frame = comes_up(tab, places.book, lambda frame: frame.locator("summary", has_text=words))
    frame.locator("summary", has_text=words).click()
    expect(frame.locator("#title")).to_be_visible()
    frame.locator("textarea").first.fill(WRONG)
    frame.locator("[data-submit]").click()
    expect(frame.locator("#headline")).to_be_visible()
    context.close()
