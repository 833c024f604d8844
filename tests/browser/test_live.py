"""Live: half a second after the last key the examples run, quietly, and never in the way."""

import re
import threading
from collections.abc import Callable

from playwright.sync_api import Route, expect

from tests.browser.learner import RIGHT, WRONG, Learner

Opener = Callable[..., Learner]


def test_typing_brings_the_examples_verdict_without_a_key(learner: Learner) -> None:
    learner.open().write(WRONG)
    line = learner.page.locator("[data-live-line]")
    expect(line).to_contain_text(re.compile(r"^\d of \d examples equal"))
    learner.write(RIGHT)
    expect(line).to_contain_text("4 of 4 examples equal")
    expect(learner.editor).to_be_focused()


def test_a_live_run_never_replaces_a_submissions_report(learner: Learner) -> None:
    learner.open().submit(WRONG)
    headline = learner.results.locator("#headline").inner_text()
    learner.write(RIGHT)
    expect(learner.page.locator("[data-live-line]")).to_contain_text("4 of 4")
    assert learner.results.locator("#headline").inner_text() == headline
    expect(learner.results).to_have_attribute("data-old", "")


def test_only_a_change_of_verdict_is_said(learner: Learner) -> None:
    learner.open().write(RIGHT)
    line = learner.page.locator("[data-live-line]")
    expect(line).to_contain_text("4 of 4")
    with learner.page.expect_response("**/runs"):
        learner.type("# the same")
    expect(learner.results).not_to_have_attribute("data-old", "")
    expect(line).to_contain_text("4 of 4")
    assert [each for each in learner.heard if "examples" in each] == []
    learner.write(WRONG)
    learner.hears("examples equal")


def test_the_switch_turns_it_off_and_is_remembered(learner: Learner) -> None:
    runs: list[str] = []
    learner.page.clock.install()
    learner.open().page.on("request", lambda asked: runs.append(asked.url))
    learner.page.locator("[data-live]").uncheck()
    learner.reload()
    expect(learner.page.locator("[data-live]")).not_to_be_checked()
    learner.write(RIGHT)
    learner.page.clock.run_for(1000)  # longer than the pause after which it would have run
    with learner.page.expect_response("**/draft"):
        learner.press("Control+s")
    assert [url for url in runs if url.endswith("/runs")] == []


def test_a_slow_connection_never_blocks_typing(learner: Learner) -> None:
    held: list[Route] = []
    learner.open().page.route("**/runs", lambda route: held.append(route))
    with learner.page.expect_request("**/runs"):
        learner.type("a = 1\n")
    learner.type("b = 2\n")
    learner.holds(re.compile(r"a = 1\nb = 2\n$"))
    expect(learner.page.locator("[data-live-line]")).to_contain_text("slow")
    held[-1].continue_()


def test_a_failed_live_run_says_so_quietly(learner: Learner) -> None:
    learner.open().page.route("**/runs", lambda route: route.abort())
    learner.type("a = 1\n")
    expect(learner.page.locator("[data-live-line]")).to_contain_text("live runs wait")
    assert learner.errors == []
    assert learner.page.locator(".note").count() == 0


def test_a_run_can_be_cancelled(learner: Learner) -> None:
    """Its answer is held back, so that the loop is not over before the button is pressed."""
    learner.open().page.locator("[data-live]").uncheck()
    network = learner.page.context.new_cdp_session(learner.page)
    answers = {"urlPattern": "*/runs", "requestStage": "Response"}
    network.send("Fetch.enable", {"patterns": [answers]})
    learner.write("while True:\n    pass\n")
    learner.press("Control+Enter")
    learner.page.get_by_role("button", name="Cancel").click()
    expect(learner.note("Run cancelled.")).to_be_visible()
    expect(learner.page.locator("[data-run]")).to_be_visible()
    expect(learner.results).not_to_have_attribute("aria-busy", "true")
    learner.submit(RIGHT)
    expect(learner.results).to_contain_text("6 of 6")


def _in_line(route: Route) -> None:
    place = {"submission": "x", "place": 4, "read_token": "t"}
    headers = {"Location": "/api/submissions/x", "Retry-After": "1"}
    route.fulfill(status=202, json=place, headers=headers)


def _judged_when_let(learner: Learner) -> threading.Event:
    """Let the submission "x" be in line, whenever it is asked for, until the event is set."""
    let = threading.Event()

    def judged(route: Route) -> None:
        if not let.is_set():
            _in_line(route)
            return
        report = {
            "digest": "", "submission": "x", "verdict": "accepted", "passed": 6, "total": 6,
            "message": "Right on all six.", "tests": [], "problems": [], "trace": None,
            "html": "<p class='verdict'>6 of 6</p>",
        }  # fmt: skip
        route.fulfill(status=200, json=report)

    learner.page.route("**/api/submissions/x*", judged)
    return let


def test_a_submission_in_line_shows_its_place(learner: Learner) -> None:
    learner.open().page.route("**/submissions", _in_line)
    let = _judged_when_let(learner)
    learner.write(RIGHT)
    learner.press("Control+Shift+Enter")
    expect(learner.note("You are number 4 in the line.")).to_contain_text("keep typing")
    learner.type("# typed while waiting")
    learner.holds(f"{RIGHT}# typed while waiting")
    let.set()
    expect(learner.results).to_contain_text("6 of 6")
    expect(learner.note("in the line")).to_have_count(0)


def test_a_page_opened_while_its_submission_is_in_line_goes_on_waiting(learner: Learner) -> None:
    def with_one_in_line(route: Route) -> None:
        page = route.fetch()
        shown = '<p data-in-line="x" data-place="4" data-token="t">Being judged</p>'
        start, results, rest = page.text().partition('id="results"')
        rest = rest.replace(">", f">{shown}", 1)
        route.fulfill(response=page, body=start + results + rest)

    learner.page.route("**/exercises/*", with_one_in_line)
    let = _judged_when_let(learner)
    with learner.page.expect_response("**/api/submissions/x*"):
        learner.open()
    let.set()
    expect(learner.results).to_contain_text("6 of 6")
