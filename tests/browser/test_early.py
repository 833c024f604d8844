"""What is typed before the editor is there: it is the learner's work like any other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import expect

from tests.browser.learner import SLUG, Learner

EXERCISE = f"/exercises/{SLUG}"


@contextmanager
def before_the_editor(learner: Learner) -> Iterator[None]:
    """The exercise with a form's text area; the editor comes at the end of the block."""
    with learner.held_back("**/static/workbench-*.js"):
        learner.page.goto(learner.site + EXERCISE)
        learner.source.focus()
        learner.press("Control+End")
        yield


def test_what_was_left_before_the_editor_came_is_opened_again(learner: Learner) -> None:
    with before_the_editor(learner):
        learner.page.keyboard.type("\n# in a hurry")
        typed = learner.text
        learner.page.goto(learner.site + "/")
    learner.open()
    learner.holds(typed)


def test_what_was_typed_before_the_editor_is_saved_when_it_comes(learner: Learner) -> None:
    with learner.page.expect_request("**/draft") as sent, before_the_editor(learner):
        learner.page.keyboard.type("\n# early")
        typed = learner.text
        expect(learner.saved).to_have_text("Nothing to save yet")
    expect(learner.saved).to_contain_text("Saved")
    assert (sent.value.post_data_json or {})["source"] == typed


def test_what_was_typed_into_a_draft_goes_on_with_it(learner: Learner) -> None:
    """There are no two texts then, one of which would have to be chosen."""
    learner.open()
    with learner.page.expect_response("**/draft"):
        learner.type("\n# first")
    with learner.page.expect_response("**/draft"), before_the_editor(learner):
        learner.page.keyboard.type(" and second")
        typed = learner.text
    learner.open()
    learner.holds(typed)
    expect(learner.page.locator("[data-drafts]")).to_be_hidden()


def test_a_word_that_is_being_composed_is_not_torn(learner: Learner) -> None:
    with before_the_editor(learner):
        learner.page.keyboard.type("\n# ")
        browser = learner.page.context.new_cdp_session(learner.page)
        composed = {"text": "nihao", "selectionStart": 5, "selectionEnd": 5}
        browser.send("Input.imeSetComposition", composed)
    learner.page.wait_for_load_state("networkidle")
    browser.send("Input.insertText", {"text": "你好"})
    expect(learner.editor).to_be_visible()
    assert learner.text.endswith("\n# 你好")


def test_a_selection_goes_on_from_the_end_it_was_made_to(learner: Learner) -> None:
    with before_the_editor(learner):
        learner.source.evaluate("area => area.setSelectionRange(5, 15, 'backward')")
    expect(learner.editor).to_be_visible()
    learner.press("Shift+ArrowLeft", "X")
    assert learner.text.startswith("impoX np\n")


def test_a_text_is_as_old_as_it_was_typed(learner: Learner) -> None:
    """What another tab typed since then is newer, however late the editor came."""
    other = learner.open().tab()
    with before_the_editor(other):
        other.page.keyboard.type("\n# older")
        learner.type("\n# newer")
        newer = learner.text
        other.sees(newer)
    expect(other.saved).to_contain_text("Saved")
    learner.open().holds(newer)
