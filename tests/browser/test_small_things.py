"""Small things that many meet: tabs, completions, a hint asked of a silent server, a reset."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import APIResponse, Route, expect

from tests.browser.learner import RIGHT, SLUG, WRONG, Learner


def test_the_tab_of_the_part_in_view_is_marked(learner: Learner) -> None:
    learner.open().submit(RIGHT)
    marked = learner.tabs.locator("[aria-current]")
    expect(marked).to_have_text("Exercise")  # the tabs came anew with the submission
    learner.tabs.get_by_text("Other right ways").click()
    expect(marked).to_have_text("Other right ways")
    learner.tabs.get_by_text("Hints 0 of 5").click()
    expect(marked).to_have_text("Hints 0 of 5")


def test_a_hint_asked_of_a_silent_server_opens_when_it_is_back(learner: Learner) -> None:
    learner.open().submit(WRONG)
    learner.page.route("**/api/**", lambda route: route.abort("connectionrefused"))
    learner.results.locator("form[data-hint] button").click()
    note = learner.note("The server does not answer.")
    expect(note).to_be_visible()
    learner.page.unroute("**/api/**")
    learner.press("Control+Enter")  # any answer tells that it is back
    expect(learner.page.locator(".ladder > .open h3").first).to_be_focused()
    expect(note).to_have_count(0)


def test_a_hint_refused_for_the_moment_can_be_asked_again(learner: Learner) -> None:
    learner.open().submit(WRONG)
    learner.page.route("**/hints", lambda route: route.fulfill(status=500, json={}))
    learner.results.locator("form[data-hint] button").click()
    note = learner.note("Something broke on our side.")
    expect(note).to_be_visible()
    learner.page.unroute("**/hints")
    note.get_by_role("button", name="Try again").click()
    expect(learner.page.locator(".ladder > .open h3").first).to_be_focused()
    expect(note).to_have_count(0)


def test_a_page_asked_for_earlier_does_not_take_a_hint_away(learner: Learner) -> None:
    """A submission asks for the page anew, and so does a hint; the first answer may come last."""
    held: list[tuple[Route, APIResponse]] = []

    def first(route: Route) -> None:
        if held or route.request.resource_type != "fetch":
            route.continue_()
        else:
            held.append((route, route.fetch(timeout=0)))

    learner.open().page.route(f"**/exercises/{SLUG}", first)
    learner.write(WRONG)
    learner.press("Control+Shift+Enter")
    learner.judged("submission")
    while not held:
        learner.page.wait_for_timeout(50)
    learner.results.locator("form[data-hint] button").click()
    opened = learner.page.locator(".ladder > .open h3")
    expect(opened).to_be_focused()
    route, earlier = held[0]
    with learner.page.expect_request_finished(lambda request: request.url.endswith(SLUG)):
        route.fulfill(response=earlier)
    learner.page.evaluate("fetch('/healthz').then(answer => answer.text())")
    expect(opened).to_be_focused()
    expect(learner.tabs).to_contain_text("Submissions 1")


def test_ones_own_names_are_completed_before_pythons(learner: Learner) -> None:
    learner.open().write("def multi_head_attention(Q, K, V, num_heads):\n    ")
    learner.page.keyboard.type("n")
    listed = learner.page.locator(".cm-tooltip-autocomplete li")
    expect(listed.first).to_contain_text("num_heads")
    learner.press("Escape")
    learner.write("Excep")
    learner.page.keyboard.type("t")
    expect(listed).to_have_count(0)


def test_after_a_reset_the_report_shows_that_it_is_of_earlier_code(learner: Learner) -> None:
    learner.open().submit(WRONG)
    learner.results.evaluate("results => results.scrollTo(0, results.scrollHeight)")
    learner.page.locator("[data-reset]").click()
    expect(learner.results).to_have_attribute("data-old", "")
    expect(learner.results.locator("#headline")).to_be_in_viewport()


def test_two_keys_lead_past_everything_to_the_code(learner: Learner) -> None:
    learner.open()
    learner.press("Tab", "Tab")
    skip = learner.page.get_by_role("link", name="Skip to your code")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    learner.press("Enter", "Tab")
    assert learner.page.evaluate("document.querySelector('#code').contains(document.activeElement)")


def test_on_a_phone_the_live_verdict_lies_over_nothing(
    open_learner: Callable[..., Learner],
) -> None:
    """It stands in the bar of buttons, above them, and the page's end is not behind the bar."""
    learner = open_learner(viewport={"width": 390, "height": 844}, has_touch=True)
    learner.open().write(RIGHT)
    chip = learner.page.locator("[data-live-line]")
    expect(chip).to_have_text("4 of 4 examples equal")
    bar, said = learner.page.locator(".actions").bounding_box(), chip.bounding_box()
    button = learner.page.locator("[data-submit]").bounding_box()
    assert bar and said and button
    assert bar["y"] <= said["y"] and said["y"] + said["height"] <= button["y"] + 1
    learner.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    last = learner.page.locator("#results > *:visible").last.bounding_box()
    assert last and last["y"] + last["height"] <= bar["y"] + 1


def test_on_a_phone_reset_has_no_row_of_its_own(open_learner: Callable[..., Learner]) -> None:
    learner = open_learner(viewport={"width": 390, "height": 844}, has_touch=True)
    learner.open().write(WRONG)
    learner.press("Control+s")
    expect(learner.saved).to_contain_text("Saved")
    shapes = learner.page.locator("[data-shapes]").bounding_box()
    reset = learner.page.locator("[data-reset]").bounding_box()
    assert shapes and reset
    middle = reset["y"] + reset["height"] / 2
    assert shapes["y"] < middle < shapes["y"] + shapes["height"]
