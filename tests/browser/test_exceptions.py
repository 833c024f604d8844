"""An exception is told once: a short note under its line, Python's own words folded away."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.learner import RIGHT, Learner

NO_TRANSPOSE = """import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    w = d // num_heads
    q, k, v = (x.reshape(n, num_heads, w).transpose(1, 0, 2) for x in (Q, K, V))
    s = q @ k / np.sqrt(w)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return (e / e.sum(axis=-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(n, d)
"""


def test_shapes_that_do_not_fit_are_told_once_under_their_line(learner: Learner) -> None:
    learner.open().submit(NO_TRANSPOSE)
    problem = learner.page.locator(".cm-editor .problem")
    expect(problem).to_have_text(
        "q @ k: (8, 4, 8) can't be multiplied with (8, 4, 8): 8 and 4 must be equal."
    )
    expect(learner.page.locator("#headline")).to_have_text(
        "Line 7 stops: the shapes of q and k don't fit."
    )
    expect(learner.results).not_to_contain_text(
        "can't be multiplied with (8, 4, 8)", use_inner_text=True
    )
    own = learner.page.locator(".cm-editor details.original")
    expect(own.locator("p")).to_be_hidden()
    own.locator("summary").click()
    expect(own.locator("p")).to_contain_text("mismatch in its core dimension 0")


def test_one_syntax_error_is_in_the_headline_and_not_in_a_list_below(learner: Learner) -> None:
    learner.open().submit(RIGHT.replace("):\n", ")\n", 1))
    expect(learner.page.locator("#headline")).to_contain_text("colon")
    expect(learner.page.locator(".cm-editor .problem")).to_have_count(1)
    expect(learner.results.locator("ol.counts")).to_have_count(0)
    expect(learner.results.get_by_role("link", name="Go to line")).to_have_count(1)


def test_moments_are_on_the_learners_clock(open_learner: Callable[..., Learner]) -> None:
    learner = open_learner(timezone_id="America/Los_Angeles")
    learner.open().submit(RIGHT)
    shown = learner.page.locator("#results .verdict time")
    expect(shown).not_to_contain_text("UTC")
    local = shown.evaluate(
        "t => new Date(t.dateTime).toLocaleTimeString('en-GB', "
        "{hour: '2-digit', minute: '2-digit'})"
    )
    expect(shown).to_contain_text(local)
