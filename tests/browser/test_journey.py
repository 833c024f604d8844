"""What a learner does: opens, fails, reads, takes a hint, passes; with and without a script."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.learner import RIGHT, SLUG, WRONG, Learner

Opener = Callable[..., Learner]


def fails_reads_takes_a_hint_and_passes(learner: Learner) -> None:
    page = learner.open().page
    learner.submit(WRONG)
    expect(learner.results.locator(".verdict")).to_contain_text("of 6")
    expect(learner.results.locator("#headline")).not_to_be_empty()
    expect(learner.results.locator(".tests > li")).to_have_count(6)
    expect(learner.results.locator(".tests details[open]").first).to_be_visible()

    page.locator(".ladder .next button").click()
    heading = page.locator(".ladder > li.open h3")
    expect(heading).to_have_count(1)
    expect(heading).to_be_focused()
    expect(page.locator(".ladder .next")).to_contain_text("Open hint 2")
    assert learner.text == WRONG

    learner.submit(RIGHT)
    expect(learner.results.locator(".verdict")).to_contain_text("6 of 6")
    expect(learner.results.get_by_role("link", name="Next: ")).to_be_visible()
    assert page.title().startswith("6 of 6")
    assert learner.errors == []


def test_a_learner_fails_reads_takes_a_hint_and_passes(learner: Learner) -> None:
    fails_reads_takes_a_hint_and_passes(learner)


def test_the_same_on_this_machines_address_in_the_network(
    open_learner: Opener, network_site: str
) -> None:
    """Plain http from another device: no secure context, so no clipboard and no randomUUID."""
    learner = open_learner(network_site)
    fails_reads_takes_a_hint_and_passes(learner)
    assert learner.page.evaluate("isSecureContext") is False
    learner.page.locator(".example [data-copy], .example [data-copy-from]").first.click()
    learner.hears("Copied.")


def test_the_same_without_javascript(open_learner: Opener) -> None:
    learner = open_learner(java_script_enabled=False)
    page = learner.page
    page.goto(f"{learner.site}/exercises/{SLUG}")
    area = page.locator("#code textarea[name=source]")
    area.fill(WRONG)
    page.locator("[data-run]").click()
    expect(area).to_have_value(WRONG)
    expect(learner.results.locator(".tests > li").first).to_be_visible()

    page.locator("[data-submit]").click()
    learner.looks_until_judged()
    expect(learner.results.locator(".verdict")).to_contain_text("of 6")
    expect(learner.results.locator("#headline")).not_to_be_empty()
    expect(learner.results.locator(".tests > li")).to_have_count(6)

    page.locator(".ladder .next button").click()
    expect(page.locator(".ladder > li.open h3")).to_have_count(1)
    expect(area).to_have_value(WRONG)

    area.fill(RIGHT)
    page.locator("[data-submit]").click()
    learner.looks_until_judged()
    expect(learner.results.locator(".verdict")).to_contain_text("6 of 6")


def test_the_report_is_said_once(learner: Learner) -> None:
    learner.open().submit(WRONG)
    learner.hears("test cases passed")
    said = [each for each in learner.heard if "passed" in each]
    assert len(said) == 1
    assert learner.page.locator("[role=status]").count() == 1
    expect(learner.page.locator("[aria-live]")).to_have_text("")  # the editor's own, for searching


@pytest.mark.parametrize("source", ["", "print(", "from scipy.special import softmax\n"])
def test_what_cannot_run_is_said_in_words_and_kept(learner: Learner, source: str) -> None:
    learner.open().submit(source)
    expect(learner.results.locator("#headline")).not_to_be_empty()
    assert learner.text == source


def test_reference_and_other_right_ways_open_after_passing(learner: Learner) -> None:
    learner.open().submit(RIGHT)
    opener = learner.page.get_by_role("button", name="Compare with the reference").first
    expect(opener).to_be_visible()
    opener.click()
    expect(learner.page.locator("section[aria-labelledby=ways]")).to_contain_text(
        "def multi_head_attention"
    )
    assert learner.text == RIGHT
