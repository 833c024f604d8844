"""A campus course in a real browser: in a frame without third-party cookies, without any, in a tab.

Campus and site are two sites over https.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from secrets import token_hex
from time import monotonic
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, FrameLocator, Locator, Page, Route, expect

from app.classroom.launch import DeepSettings, Launch
from app.model.campuses import Score, Then
from app.model.classes import Class
from app.service.school.campus.arrivals import Arrived
from app.web.wall import STAFF_COOKIE
from tests.browser.campus_town import DUE, SOFTMAX, Places, campus_town
from tests.browser.learner import PATIENCE_MS
from tests.browser.test_accessibility import violations
from tests.browser.test_class_pages import LOOSE_BUTTONS, missed_by_tab
from tests.browser.two_sites import browsing_strictly, browsing_without_cookies, comes_up

TEMPERS = ("Canvas", "Moodle", "Blackboard", "D2L", "Schoology")


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Places]:
    with campus_town(tmp_path_factory.mktemp("campus")) as made:
        yield made


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


def making(frame: FrameLocator) -> Locator:
    return frame.get_by_role("button", name="Make the class")


def editor(frame: FrameLocator) -> Locator:
    return frame.locator(".cm-content")


def ready(places: Places, page: Page, temper: str = "Moodle") -> Class:
    """A campus's course with a class and an assignment, as its instructor connects it in the
    frame."""
    known = [one for one in places.service.school.classes.all() if temper in one.title]
    if not known:
        frame = comes_up(page, places.course("9", temper=temper), making)
        making(frame).click()
        expect(frame.get_by_text("Connected with")).to_be_visible()
        known = [places.class_of(temper)]
        places.service.school.assignments.add(known[0].id, SOFTMAX, DUE, "the host")
    places.campuses[temper].links["link-1"] = '{"exercise": "stable-softmax"}'
    return known[0]


def works(places: Places, page: Page, temper: str) -> None:
    """Ann clicks her link, submits in the frame, and her score is in the course."""
    made, campus = ready(places, page, temper), places.campuses[temper]
    frame = comes_up(page, places.course("1", temper=temper), editor)
    editor(frame).fill("def softmax(x, axis=-1):\n    return x\n")
    frame.locator("[data-submit]").click()
    expect(frame.locator("#results[data-kind=submission]")).to_be_visible()
    kept = [one for one in page.context.cookies() if one["name"] == "__Host-mlgrind-session"]
    site = "https://school.test" if campus.pages else "https://campus.test"
    assert [one.get("partitionKey") for one in kept] == [site]
    assert "Ann Lee" in {one.name for one in places.service.school.people.all(made.id)}
    end = monotonic() + 3 * PATIENCE_MS / 1000
    while not campus.scores and monotonic() < end:  # the site's own sender looks again and again
        page.wait_for_timeout(100)
        places.world.wait(seconds=0.3)  # a second try comes half a minute after the first
    came = [(one["userId"], one["scoreMaximum"]) for one in campus.scores]
    assert came == [("1", 10)], places.service.school.campus.outbox.lines(made.id)


@pytest.mark.parametrize("temper", [one for one in TEMPERS if one != "D2L"])
def test_a_learner_works_in_the_frame_without_third_party_cookies(
    places: Places, page: Page, temper: str
) -> None:
    """Canvas frames from another site than the one it signs in at."""
    works(places, page, temper)


def test_d2l_registers_itself_in_a_frame_and_its_learners_work(places: Places, page: Page) -> None:
    """Without a token of registration; its window is told to close; the host says yes twice."""
    registering, campus = places.service.school.campus.registering, places.campuses["D2L"]
    host = places.service.school.accounts.add("reg", "Host", "the host", host=True)[0]
    offered = f"{campus.home}/registering?offer={registering.offer(host)}"
    frame = comes_up(page, offered, lambda frame: frame.get_by_role("button", name="Register"))
    frame.get_by_role("button", name="Register").click()
    expect(page).to_have_title("closed")
    expect(frame.get_by_role("heading", level=1)).to_have_text("Registered.")
    (known,) = [
        one.registration for one in registering.all() if one.registration.issuer == campus.home
    ]
    registering.set_state(known.id, "active", host)
    new = places.course("9", temper="D2L")
    comes_up(page, new, lambda frame: frame.get_by_text("at a new place"))
    registering.set_deployment(known.id, campus.deployment, "allowed", host)
    works(places, page, "D2L")


def test_without_cookies_the_campuss_page_proves_the_login(
    places: Places, page: Page, browser: Browser, tmp_path: Path
) -> None:
    ready(places, page)
    with browsing_without_cookies(browser, tmp_path) as page:
        proved = places.course("2", keeps=True)
        frame = comes_up(page, proved, lambda frame: frame.get_by_text("Go on in a new tab."))
        expect(frame.get_by_role("link", name="Open in a new tab")).to_be_visible()


def test_without_cookies_and_storage_there_is_a_new_tab(
    places: Places, page: Page, browser: Browser, tmp_path: Path
) -> None:
    ready(places, page)
    with browsing_without_cookies(browser, tmp_path) as page:
        asked = places.course("2")
        frame = comes_up(page, asked, lambda frame: frame.get_by_text("One more step."))
        with page.context.expect_page() as tab:
            frame.get_by_role("link", name="Open in a new tab").click()
        expect(tab.value.get_by_text("Allow cookies for this site")).to_be_visible()


def test_in_a_new_tab_the_login_comes_in(places: Places, page: Page) -> None:
    ready(places, page)
    page.goto(places.campuses["Moodle"].login_address("2"))
    expect(page.locator(".cm-content")).to_be_visible()
    assert page.url.endswith("/exercises/stable-softmax")


@pytest.mark.parametrize("temper", ["Canvas", "Blackboard"])
def test_content_goes_back_into_the_course_from_the_frame(
    places: Places, page: Page, temper: str
) -> None:
    """Canvas takes it at another site than its own; Blackboard wants an address in each item."""
    ready(places, page, temper)
    course = places.course("9", "deep", temper=temper)

    def add(frame: FrameLocator, patience_ms: float) -> None:
        frame.get_by_label("Stable Softmax").check(timeout=patience_ms)
        frame.get_by_role("button", name="Add to the course").click()

    frame = comes_up(page, course, lambda frame: frame.locator("#came"), add)
    expect(frame.locator("#came")).to_have_text("Stable Softmax")


# ------------------------------------------------------------------ every page is for everybody


class Shown:
    """Brings each page of a campus up in a tab; what it needs is made anew each time."""

    def __init__(self, places: Places, page: Page) -> None:
        self.places, self.page, self.site = places, page, places.site
        self.campus = places.service.school.campus
        self.moodle = places.campuses["Moodle"]
        self.made = places.class_of("Moodle")
        accounts = places.service.school.accounts
        self.host, link = accounts.add(f"h-{token_hex(4)}", "Host", "the host", host=True)
        token = accounts.set_password(link, "correct horse").token
        page.context.add_cookies([{"name": STAFF_COOKIE, "value": token, "url": self.site}])
        store = places.service._parts.school
        assert store is not None
        self.kept = store.campus

    def _goto(self, path: str) -> None:
        self.page.goto(self.site + path)

    def _ticket(self, then: Then) -> str:
        """Of the connected course, or of one that is free yet."""
        course = self.campus.course_of(self.made.id)
        assert course is not None
        if then == "connect":
            free = replace(course, id="of the test", context="free", title="A new course")
            course = self.kept.courses.see(free)
        launch = Launch(
            "deep" if then == "deep" else "resource", "9", self.moodle.deployment, "instructor",
            "", course.context, resource_link="link-77",
            deep=DeepSettings(f"{self.moodle.home}/deep") if then == "deep" else None,
        )  # fmt: skip
        known = self.campus.registering.get(course.registration)
        arrived = Arrived(known, launch, "/", then, course, account=self.host)
        return self.campus.tickets.for_page(arrived)

    def host_page(self) -> None:
        self._goto("/staff/campus")
        self.page.get_by_role("button", name="Make a registration address").click()

    def of_class(self) -> None:
        """With a score that failed, and two columns to choose from."""
        (given,) = self.places.service.school.assignments.all(self.made.id)
        if not self.moodle.line_items:
            self.campus.members.sync(self.made.id, self.host)
        while len(self.moodle.line_items) < 2:
            self.moodle.add_column({"label": "L", "scoreMaximum": 10, "resourceId": given.id})
        bo = next(
            one for one in self.places.service.school.people.all(self.made.id)
            if one.name == "Bo Day"
        )  # fmt: skip
        now = self.places.service._parts.now()
        said = "The campus refuses it. Is Bo Day a student there?"
        self.kept.scores.put(
            Score(given.id, bo.id, 500, 1000, now, now, state="failed", error=said)
        )
        self._goto(f"/classes/{self.made.id}/campus")
        self.page.get_by_role("button", name="Choose the column of Stable Softmax").click()
        expect(self.page.locator("[name=column]")).to_have_count(2)

    def unconnected(self) -> None:
        other = self.places.service.school.classes.make("Unconnected", "UTC", self.host)
        self._goto(f"/classes/{other.id}/campus")

    def connect(self) -> None:
        self._goto(f"/lti/connect/{self._ticket('connect')}")

    def connect_off(self) -> None:
        self.connect()
        self.page.get_by_role("button", name="Connect", exact=True).last.click()

    def choose(self) -> None:
        self._goto(f"/lti/choose/{self._ticket('choose')}")

    def deep(self) -> None:
        self._goto(f"/lti/deep/{self._ticket('deep')}")

    def sending(self) -> None:
        self.deep()
        self.page.get_by_role("button", name="Add to the course").click()

    def register(self) -> None:
        offer = self.campus.registering.offer(self.host)
        self._goto(f"/lti/register/{offer}?registration_token=once&openid_configuration="
                   f"{self.moodle.home}/configuration")  # fmt: skip

    def registered(self) -> None:
        usual, self.moodle.client_id = self.moodle.client_id, f"client-{token_hex(4)}"
        self.register()
        self.page.get_by_role("button", name="Register").click()
        expect(self.page.get_by_role("heading", level=1)).to_have_text("Registered.")
        self.moodle.client_id = usual

    def refused(self) -> None:
        self._goto("/lti/enter/none")

    def storing(self) -> None:
        self.page.goto(self.moodle.login_address("1", lti_storage_target="_parent"))

    def unbound(self) -> None:
        fields = self.moodle.login("1", lti_storage_target="_parent")
        begun = self.campus.launching.begin(fields, self.site)
        self.page.route("**/lti/launch", as_in_a_frame)
        self.page.goto(begun.address)

    def new_tab(self) -> None:
        arrived = self.campus.tickets.look(self._ticket("choose"))
        assert arrived is not None
        self.page.route("**/lti/enter/*", as_in_a_frame)
        self._goto(f"/lti/enter/{self.campus.tickets.make(arrived)}")


PAGES = {
    "the host's": Shown.host_page,
    "of a class, with columns to choose": Shown.of_class,
    "of a class without a course": Shown.unconnected,
    "connect": Shown.connect,
    "connect, with a complaint": Shown.connect_off,
    "choose": Shown.choose,
    "deep linking": Shown.deep,
    "sending": Shown.sending,
    "register": Shown.register,
    "registered": Shown.registered,
    "refused": Shown.refused,
    "storing": Shown.storing,
    "unbound": Shown.unbound,
    "new tab": Shown.new_tab,
}
GOES_ON = {"sending", "registered", "storing", "unbound"}
"""Pages that our script leads on from: it is kept away while they are looked at."""


def as_in_a_frame(route: Route) -> None:
    """Ask as from inside the campus's page."""
    there = urlsplit(route.request.url)
    headers = {
        **route.request.headers, "host": there.netloc,
        "sec-fetch-dest": "iframe", "sec-fetch-site": "cross-site",
    }  # fmt: skip
    here = there._replace(netloc=f"127.0.0.1:{there.port}").geturl()
    route.fulfill(response=route.fetch(url=here, headers=headers, max_redirects=0))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_a_campus_is_for_everybody(places: Places, page: Page, name: str) -> None:
    """No violation light or dark, no sideways bar at 375 and 320 px, all by Tab."""
    ready(places, page)
    if name in GOES_ON:
        page.route("**/static/**/*.js", lambda route: route.abort())
    PAGES[name](Shown(places, page))
    expect(page.locator("h1").first).to_be_visible()
    assert missed_by_tab(page) == set()
    assert violations(page) == []
    for width in (375, 320):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_pages_of_a_campus_need_no_script(places: Places, page: Page, strict: Browser) -> None:
    """Each says what it is, and each button belongs to a form that goes somewhere."""
    ready(places, page)
    context = strict.new_context(ignore_https_errors=True, java_script_enabled=False)
    context.set_default_timeout(PATIENCE_MS)
    tab = context.new_page()
    shown = Shown(places, tab)
    for name in PAGES:
        if name == "unbound":  # the campus's own page before it needs a script
            continue
        PAGES[name](shown)
        expect(tab.locator("h1").first).to_be_visible()
        assert tab.evaluate(LOOSE_BUTTONS) == [], name
        seen = "[...document.querySelectorAll('[data-js]')].filter(e => e.checkVisibility()).length"
        assert tab.evaluate(seen) == 0, name
    context.close()
