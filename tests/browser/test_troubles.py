"""Errors people meet: each in words with what to do, and the work kept."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.browser.learner import RIGHT, SLUG, WRONG, Learner


def refuse(learner: Learner, status: int, title: str, detail: str = "", **headers: str) -> None:
    """Answer the next submissions with problem details."""
    problem = {"title": title, "detail": detail, "status": status, "request_id": "7f3a91c2"}
    media = {"content-type": "application/problem+json"}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    learner.page.route(
        "**/submissions", lambda r: r.fulfill(status=status, json=problem, headers=media | named)
    )


RUN, SUBMIT = "Control+Enter", "Control+Shift+Enter"


def test_a_full_line_is_tried_again_by_itself(learner: Learner) -> None:
    learner.page.clock.install()
    learner.open().stop_time()
    keys: list[str | None] = []

    def once(route: Route) -> None:
        keys.append(route.request.headers.get("idempotency-key"))
        if len(keys) > 1:
            route.continue_()
            return
        problem = {"title": "The line is full.", "status": 503}
        route.fulfill(status=503, json=problem, headers={"Retry-After": "2"})

    learner.page.route("**/submissions", once)
    learner.write(RIGHT)
    learner.press("Control+Shift+Enter")
    note = learner.note("The line is full.")
    expect(note).to_contain_text("Trying again in 2 seconds.")
    learner.page.clock.run_for(1000)
    expect(note).to_contain_text("Trying again in 1 second.")
    expect(note.get_by_role("button", name="Stop trying")).to_be_visible()
    learner.page.clock.resume()
    expect(learner.results).to_contain_text("6 of 6")
    expect(note).to_have_count(0)
    assert keys[0]
    assert keys[0] == keys[1]


def test_try_now_does_not_wait(learner: Learner) -> None:
    learner.open()
    refuse(
        learner, 429, "That was a lot at once.", "Two are still being judged.", Retry_After="3600"
    )
    learner.write(RIGHT)
    learner.press("Control+Shift+Enter")
    note = learner.note("That was a lot at once.")
    expect(note).to_contain_text("Two are still being judged.")
    learner.page.unroute("**/submissions")
    note.get_by_role("button", name="Try now").click()
    expect(learner.results).to_contain_text("6 of 6")


def test_stop_trying_keeps_the_code_and_the_page(learner: Learner) -> None:
    learner.open()
    refuse(learner, 429, "That was a lot at once.", Retry_After="3600")
    learner.write(WRONG)
    learner.press("Control+Shift+Enter")
    learner.note("That was a lot").get_by_role("button", name="Stop trying").click()
    expect(learner.note("That was a lot")).to_have_count(0)
    assert learner.text == WRONG


def test_too_long_code_is_not_even_sent(learner: Learner) -> None:
    learner.open()
    learner.write("x = 0\n" + "#" * 72_000)
    learner.press("Control+Shift+Enter")
    expect(learner.note("Your code is 71 KiB; the limit is 64 KiB.")).to_contain_text("array")
    assert len(learner.text) == 72_006


def test_our_fault_carries_its_id(learner: Learner) -> None:
    learner.open()
    refuse(learner, 500, "Something broke on our side.")
    learner.write(WRONG)
    learner.press("Control+Shift+Enter")
    note = learner.note("Something broke on our side.")
    expect(note).to_contain_text("7f3a91c2")
    expect(note).to_contain_text("your code is kept")
    learner.page.unroute("**/submissions")
    note.get_by_role("button", name="Try again").click()
    expect(learner.results).to_have_attribute("data-kind", "submission")


def test_a_server_that_is_down_is_said_and_tried_again(learner: Learner) -> None:
    learner.page.clock.install()
    learner.open().stop_time()
    learner.page.route("**/submissions", lambda route: route.abort("connectionrefused"))
    learner.write(RIGHT)
    learner.press("Control+Shift+Enter")
    note = learner.note("The server does not answer.")
    expect(note).to_contain_text("Trying again in")
    learner.page.unroute("**/submissions")
    note.get_by_role("button", name="Try now").click()
    learner.page.clock.resume()
    expect(learner.results).to_contain_text("6 of 6")


@pytest.mark.parametrize("status", [404, 405])
def test_a_page_of_an_older_version_says_so(learner: Learner, status: int) -> None:
    learner.open()
    refuse(learner, status, "There is no page at this address.")
    learner.write(WRONG)
    learner.press("Control+Shift+Enter")
    note = learner.note("This page is from an older version.")
    with learner.page.expect_event("load"):
        note.get_by_role("button", name="Load again").click()
    expect(learner.editor).to_be_visible()
    learner.holds(WRONG)


def test_an_exercise_that_changed_meanwhile_says_so(learner: Learner) -> None:
    def changed(route: Route) -> None:
        answer = route.fetch(timeout=0)
        route.fulfill(response=answer, json=answer.json() | {"digest": "another"})

    learner.open().page.route(re.compile(r"/api/.*submissions"), changed)
    learner.submit(RIGHT)
    expect(learner.note("This exercise has changed since you opened it.")).to_be_visible()


@pytest.mark.parametrize("press", ["button", "keys"])
def test_where_the_editor_never_comes_the_form_is_sent(learner: Learner, press: str) -> None:
    learner.page.route("**/static/workbench-*.js", lambda route: route.abort())
    with learner.page.expect_event("pageerror"):
        learner.page.goto(f"{learner.site}/exercises/{SLUG}")
    learner.page.unroute("**/static/workbench-*.js")  # the next page has its editor
    learner.page.locator("textarea[name=source]").fill(RIGHT)
    if press == "button":
        learner.page.locator("[data-submit]").click()
    else:
        learner.press("Control+Shift+Enter")
    learner.page.wait_for_url("**/submissions/*")
    expect(learner.results).to_contain_text("6 of 6")
    assert all("workbench" in error for error in learner.errors)
    learner.errors.clear()


@pytest.mark.parametrize("pattern, keys", [("**/runs", RUN), ("**/submissions", SUBMIT)])
def test_every_refusal_leaves_the_code_in_the_editor_and_after_a_reload(
    learner: Learner, pattern: str, keys: str
) -> None:
    refusals: list[dict[str, Any]] = []

    def answered(route: Route) -> None:
        """Kept for all pages of the test: put away and back again, a browser may miss it."""
        if refusals:
            route.fulfill(**refusals[0])
        else:
            route.continue_()

    learner.open().page.route(pattern, answered)
    learner.write(WRONG)
    for status in (400, 403, 413, 422, 429, 502, 503):
        title = f"Refused with {status}."
        answer = {"status": status, "json": {"title": title}, "headers": {"Retry-After": "3600"}}
        refusals.append(answer)
        learner.press(keys)
        words = "Something broke on our side." if status == 502 else title
        expect(learner.note(words)).to_be_visible()
        learner.holds(WRONG)
        refusals.clear()
        learner.reload()
        learner.holds(WRONG)
        learner.editor.focus()


def test_without_a_script_no_more_is_taken_than_comes_back(
    open_learner: Callable[..., Learner],
) -> None:
    """A form over 512 KiB would be refused unread: the browser stops at 131,072 letters."""
    learner = open_learner(java_script_enabled=False)
    page = learner.page
    page.goto(f"{learner.site}/exercises/{SLUG}")
    area = page.locator("#code textarea[name=source]")
    area.focus()
    learner.press("Control+a")
    page.keyboard.insert_text("x = 1\n" + ("#" * 20_000 + "\n") * 30)
    code = area.input_value()
    assert len(code) == 131_072
    page.locator("[data-submit]").click()
    learner.looks_until_judged()
    expect(learner.results).to_contain_text("longer than 64 KiB, the limit")
    expect(area).to_have_value(code)
