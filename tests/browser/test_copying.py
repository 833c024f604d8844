"""Copying from an address: what reports share is fetched once, by the hash of its content."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
from playwright.sync_api import Locator, Response, expect

from tests.browser.learner import SLUG, WRONG, Learner

Opener = Callable[..., Learner]

CACHED = """address => performance.getEntriesByName(new URL(address, location).href)
  .map(entry => entry.transferSize)"""


def first_test(learner: Learner) -> Locator:
    return learner.results.locator("details.test").first


def button(learner: Learner, words: str = "Copy arguments") -> Locator:
    return first_test(learner).get_by_role("button", name=words)


def address(learner: Learner) -> str:
    found = button(learner).get_attribute("data-copy-at")
    assert found is not None
    return found


def fetched(learner: Learner) -> None:
    """Wait until the button holds its text: it is fetched when its row is opened."""
    expect(button(learner)).to_have_attribute("data-copy", re.compile(r"np\.array\("))


def test_the_arguments_of_a_visible_test_are_copied_from_their_address(
    open_learner: Opener,
) -> None:
    learner = open_learner(permissions=["clipboard-read", "clipboard-write"])
    answers: list[Response] = []
    learner.page.on("response", lambda answer: answers.append(answer))
    learner.open().submit(WRONG)
    assert address(learner).startswith(f"/exercises/{SLUG}/parts/")
    fetched(learner)
    button(learner).click()
    learner.hears("Copied.")
    copied = learner.page.evaluate("navigator.clipboard.readText()")
    (answer,) = [each for each in answers if each.url.endswith(address(learner))]
    assert (answer.status, answer.text()) == (200, copied)
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    given: dict[str, Any] = {"np": np}
    exec(copied, given)  # noqa: S102 - as a learner would paste it
    assert given["Q"].shape == given["K"].shape == given["V"].shape == (2, 4)
    assert given["num_heads"] == 2


def test_the_next_report_takes_them_from_the_browsers_own_memory(learner: Learner) -> None:
    learner.open().submit(WRONG)
    fetched(learner)
    before = address(learner)
    learner.submit(WRONG + "# again\n")
    fetched(learner)
    assert address(learner) == before
    first, *others = learner.page.evaluate(CACHED, before)
    assert first > 0
    assert others == [] or set(others) == {0}, "sent once, then kept"


def test_what_was_fetched_is_copied_without_a_network(open_learner: Opener) -> None:
    learner = open_learner(permissions=["clipboard-read", "clipboard-write"])
    learner.open().submit(WRONG)
    fetched(learner)
    learner.page.context.set_offline(True)
    button(learner).click()
    learner.hears("Copied.")
    assert "np.array(" in learner.page.evaluate("navigator.clipboard.readText()")
    learner.page.context.set_offline(False)


def test_on_plain_http_the_press_copies_at_once(open_learner: Opener, network_site: str) -> None:
    """Browsers without a clipboard copy within the press only, so nothing may be fetched then."""
    learner = open_learner(network_site)
    learner.open().submit(WRONG)
    fetched(learner)
    button(learner).click()
    learner.hears("Copied.")
