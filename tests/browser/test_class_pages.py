"""Every page of a class is for everybody: axe, light and dark, a phone, the keyboard, no script."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from tests.browser.class_town import Town, found
from tests.browser.learner import PATIENCE_MS, WRONG, Learner
from tests.browser.serving import Served, served
from tests.browser.test_accessibility import violations

STAFF = {
    "classes": "/classes",
    "board": "{base}/board",
    "board, projected": "{base}/board?names=hidden",
    "board, of one exercise": "{base}/board/stable-softmax",
    "board, nobody yet": "{empty}/board",
    "example": "{base}/board/multi-head-attention/example/split-direct-reshape",
    "people": "{base}/people",
    "one learner": "{base}/people/{enrolment}",
    "one try": "{base}/people/{enrolment}/tries/{submission}",
    "assignments": "{base}/assignments",
    "assignments, none": "{empty}/assignments",
    "assignment, new": "{base}/assignments/new",
    "assignment": "{base}/assignments/{assignment}",
    "grades": "{base}/grades",
    "grades, none": "{empty}/grades",
    "cell": "{base}/grades/cell/{assignment}/{enrolment}",
    "similar": "{base}/similar",
    "settings": "{base}/settings",
    "accounts": "/staff/accounts",
}
LEARNER = {
    "class": "{base}",
    "me": "/me",
    "exercise": "/exercises/multi-head-attention",
    "home": "/",
    "progress": "/progress",
}
ANYBODY = {
    "sign-in": "/staff/sign-in",
    "join": "/join/{code}",
    "code": "/join",
    "no such class": "/join/WRONG",
    "used link": "/staff/link/none",
}
EVERY = [
    *(("staff", name) for name in STAFF),
    *(("learner", name) for name in LEARNER),
    *(("anybody", name) for name in ANYBODY),
]
PATHS = {"staff": STAFF, "learner": LEARNER, "anybody": ANYBODY}

REACHABLE = """() => (window.reached = []) && [...document.querySelectorAll(
  "main a[href], main button, main input:not([type=hidden]), main select, main summary")]
  .filter(e => e.checkVisibility({visibilityProperty: true}) && !e.disabled && e.tabIndex >= 0
    && !e.closest(".cm-editor")
    && !(e.type === "radio" && e !== document.getElementsByName(e.name)[0]))  // arrows lead on
  .map((e, n) => { e.addEventListener("focus", () => window.reached.push(n)); return n })"""
LOOSE_BUTTONS = """() => [...document.querySelectorAll("main button:not([data-js], [data-js] *)")]
  .filter(e => e.checkVisibility() && !(e.form && (e.form.action || e.formAction)))
  .map(e => e.outerHTML)"""


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Town, Served]]:
    """A server on a class in the middle of a term."""
    data = tmp_path_factory.mktemp("class")
    made = found(data)
    with served(data) as server:
        made.paths["submission"] = made.submit(server.own, WRONG)
        yield made, server


def visitor(
    browser: Browser, town: tuple[Town, Served], who: str, *, script: bool = True
) -> Learner:
    """A tab of somebody, on a phone's width until it is told otherwise."""
    made, server = town
    context = browser.new_context(
        viewport={"width": 1280, "height": 800},
        reduced_motion="reduce",
        java_script_enabled=script,
    )
    context.set_default_timeout(PATIENCE_MS)
    cookies = {"staff": made.staff_cookie(server.own), "learner": made.learner_cookie(server.own)}
    if who in cookies:
        context.add_cookies([cookies[who]])  # type: ignore[list-item]
    return Learner(context.new_page(), server.own)


@pytest.fixture(scope="module")
def tabs(browser: Browser, town: tuple[Town, Served]) -> Iterator[dict[str, Learner]]:
    """One tab of each kind for all pages."""
    made = {who: visitor(browser, town, who) for who in PATHS}
    made["staff"].page.route("**/board.json*", lambda route: None)  # nothing changes meanwhile
    yield made
    for tab in made.values():
        tab.page.unroute_all(behavior="ignoreErrors")
        tab.page.context.close()
        assert tab.errors == []


def missed_by_tab(page: Page) -> set[int]:
    """The controls of the page's body that Tab alone does not come to."""
    wanted = set(page.evaluate(REACHABLE))
    page.locator("body").press("Tab")
    for _ in range(0, len(wanted) + 60, 20):
        for _ in range(20):
            page.keyboard.press("Tab")
        if wanted <= (reached := set(page.evaluate("window.reached"))):
            return set()
    return wanted - reached


@pytest.mark.parametrize(("who", "name"), EVERY, ids=[f"{w}-{n}" for w, n in EVERY])
def test_a_page_of_a_class_is_for_everybody(
    tabs: dict[str, Learner], town: tuple[Town, Served], who: str, name: str
) -> None:
    """No violation light or dark, no sideways bar at 320 and 375 px, all by Tab, nothing from
    elsewhere."""
    tab, (made, server) = tabs[who], town
    asked: list[str] = []

    def heard(request: Request) -> None:
        asked.append(request.url)

    tab.page.on("request", heard)
    tab.page.set_viewport_size({"width": 1280, "height": 800})
    tab.page.goto(server.own + PATHS[who][name].format(**made.paths))
    expect(tab.page.locator("h1").first).to_be_visible()
    if name == "exercise":
        expect(tab.editor).to_be_visible()
    else:
        assert missed_by_tab(tab.page) == set()
    assert violations(tab.page) == []
    for width in (375, 320):
        tab.page.set_viewport_size({"width": width, "height": 700})
        tab.fits()
    tab.page.remove_listener("request", heard)
    assert [url for url in asked if not url.startswith((server.own, "data:"))] == []


def test_a_learners_mistakes_have_titles_and_no_ids(
    tabs: dict[str, Learner], town: tuple[Town, Served]
) -> None:
    tab, (made, server) = tabs["staff"], town
    tab.page.goto(server.own + STAFF["one learner"].format(**made.paths))
    expect(tab.page.locator("main")).to_contain_text("Split by a reshape alone")
    expect(tab.page.locator("main")).not_to_contain_text("split-direct-reshape")


@pytest.mark.parametrize("who", PATHS)
def test_the_pages_of_a_class_need_no_script(
    browser: Browser, town: tuple[Town, Served], who: str
) -> None:
    """Each says what it is, and each button belongs to a form that goes somewhere."""
    tab, (made, server) = visitor(browser, town, who, script=False), town
    for name, path in PATHS[who].items():
        tab.page.goto(server.own + path.format(**made.paths))
        expect(tab.page.locator("h1").first).to_be_visible()
        assert tab.page.evaluate(LOOSE_BUTTONS) == [], name
        shown = "() => [...document.querySelectorAll('[data-js]')].filter(e => e.checkVisibility())"
        assert tab.page.evaluate(f"({shown})().length") == 0, name
    tab.page.context.close()


def test_a_board_that_changes_leaves_the_focus_where_it_was(
    browser: Browser, town: tuple[Town, Served]
) -> None:
    made, server = town
    tab = visitor(browser, town, "staff")
    tab.page.goto(f"{server.own}{made.paths['base']}/board")
    link = tab.page.get_by_role("link", name="Ivy Chen", exact=True)
    link.focus()
    before = tab.page.locator("[data-board]").get_attribute("data-stamp")
    made.submit(server.own, f"{WRONG}\n# once more\n")
    expect(tab.page.locator("[data-board]")).not_to_have_attribute("data-stamp", str(before))
    expect(link).to_be_focused()
    tab.page.context.close()
