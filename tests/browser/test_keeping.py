"""“Saved” is true: where a browser keeps nothing, the page says so before anything is lost."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.learner import Learner
from tests.browser.two_sites import browsing_without_cookies

HOUR = "# an hour of work\n"
DENIED = """Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("Access is denied", "SecurityError"); }})"""


def _downloads_the_code(learner: Learner) -> None:
    with learner.page.expect_download() as found:
        learner.page.get_by_role("button", name="Download my code").click()
    assert Path(found.value.path()).read_text() == HOUR


def test_blocked_cookies_are_told_before_the_first_letter(
    browser: Browser, site: str, tmp_path: Path
) -> None:
    """Hints and submissions could not be found again, and neither could a draft on the server."""
    with browsing_without_cookies(browser, tmp_path) as page:
        learner = Learner(page, site).open()
        expect(learner.note("This browser blocks this site's cookies.")).to_be_visible()
        learner.write(HOUR)
        expect(learner.saved).to_have_text("Not saved: this browser keeps nothing")
        _downloads_the_code(learner)
        assert learner.errors == []


def test_denied_storage_is_told_as_soon_as_the_server_is_away(learner: Learner) -> None:
    learner.page.add_init_script(DENIED)
    learner.open()
    learner.page.context.set_offline(True)
    learner.write(HOUR)
    expect(learner.saved).to_have_text("Not saved: this device keeps nothing")
    expect(learner.note("This device keeps nothing: leave this page open")).to_be_visible()
    _downloads_the_code(learner)
    learner.page.context.set_offline(False)


def test_a_text_that_is_kept_nowhere_is_not_left_without_a_question(learner: Learner) -> None:
    learner.page.add_init_script(DENIED)
    learner.open()
    learner.page.context.set_offline(True)
    learner.editor.click()  # a page that was never touched may ask nothing
    learner.write(HOUR)
    expect(learner.saved).to_have_text("Not saved: this device keeps nothing")
    with learner.page.expect_event("dialog") as asked:
        learner.page.close(run_before_unload=True)
    assert asked.value.type == "beforeunload"
    asked.value.dismiss()
    learner.holds(HOUR)
    learner.page.context.set_offline(False)
