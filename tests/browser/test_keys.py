"""The page's few keys: they work everywhere, in every key map, and no other key is taken."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.learner import RIGHT, SLUG, Learner


def test_mod_enter_runs_and_focus_stays_in_the_editor(learner: Learner) -> None:
    learner.open().write(RIGHT)
    learner.press("Control+Enter")
    expect(learner.results).to_have_attribute("data-kind", "run")
    expect(learner.editor).to_be_focused()
    assert learner.text == RIGHT


def test_mod_shift_enter_submits(learner: Learner) -> None:
    learner.open().submit(RIGHT)
    expect(learner.results).to_contain_text("6 of 6")
    expect(learner.editor).to_be_focused()


def test_a_key_pressed_before_the_editor_came_is_answered_when_it_is_there(
    learner: Learner,
) -> None:
    with learner.held_back("**/static/workbench-*.js"):
        learner.page.goto(f"{learner.site}/exercises/{SLUG}", wait_until="commit")
        learner.page.locator("textarea[name=source]").fill(RIGHT)
        expect(learner.page.locator("head > link[href*='/workbench-']")).to_have_count(1)
        learner.press("Control+Shift+Enter")
        expect(learner.results).to_have_attribute("aria-busy", "true")
    expect(learner.results).to_contain_text("6 of 6")
    expect(learner.results).not_to_have_attribute("aria-busy", "true")
    expect(learner.editor).to_be_focused()
    assert learner.page.url.endswith(SLUG)


def test_mod_s_says_saved(learner: Learner) -> None:
    learner.open().type("# kept")
    learner.press("Control+s")
    learner.hears("Saved.")


def test_escape_then_tab_leaves_the_editor_and_the_page_says_so(learner: Learner) -> None:
    learner.open().editor.focus()
    described = learner.editor.get_attribute("aria-describedby")
    expect(learner.page.locator(f"#{described}")).to_have_text("Esc, then Tab, leaves the editor")
    learner.press("Tab")
    expect(learner.editor).to_be_focused()
    learner.press("Escape", "Tab")
    expect(learner.page.locator("[data-run]")).to_be_focused()


def test_f6_goes_round_the_panes_and_back(learner: Learner) -> None:
    learner.open().page.locator("#statement").focus()
    learner.press("F6")
    expect(learner.editor).to_be_focused()
    learner.press("F6")
    expect(learner.results).to_be_focused()
    learner.press("F6")
    expect(learner.page.locator("#statement")).to_be_focused()
    learner.press("Shift+F6")
    expect(learner.results).to_be_focused()


def test_question_mark_shows_the_keys_but_can_be_typed(learner: Learner) -> None:
    learner.open().type("?")
    learner.holds(re.compile(r"\?$"))
    learner.page.locator("#statement").focus()
    learner.press("?")
    sheet = learner.page.locator("#keys")
    expect(sheet).to_be_visible()
    expect(sheet).to_contain_text("Ctrl Shift Enter")
    learner.press("Escape")
    expect(sheet).to_be_hidden()
    expect(learner.page.locator("#statement")).to_be_focused()


@pytest.mark.parametrize("keys", ["vim", "emacs"])
def test_chords_stay_the_same_in_other_key_maps(learner: Learner, keys: str) -> None:
    learner.open().use_keys(keys)
    learner.editor.focus()
    learner.press("Control+Enter")
    expect(learner.results).to_have_attribute("data-kind", "run")
    learner.press("Control+s")
    learner.hears("Saved.")
    learner.press("Escape", "Tab")
    expect(learner.page.locator("[data-run]")).to_be_focused()


def test_vim_is_fetched_only_when_chosen_and_remembered(learner: Learner) -> None:
    scripts: list[str] = []
    learner.page.on("response", lambda answer: scripts.append(answer.url))
    learner.open()
    before = len([url for url in scripts if url.endswith(".js")])
    learner.write("one\ntwo\n")
    learner.use_keys("vim")
    assert len([url for url in scripts if url.endswith(".js")]) > before
    learner.editor.focus()
    learner.press("Control+Home", "d", "d")
    learner.holds("two\n")
    learner.reload()
    expect(learner.page.locator(".cm-vimMode")).to_be_attached()


def test_no_other_key_is_taken_outside_the_editor(learner: Learner) -> None:
    learner.open().page.locator("#statement").focus()
    taken = learner.page.evaluate(
        """() => {
          const ours = new Set(["Control+Enter", "Control+Shift+Enter", "Control+s", "F6", "?"]);
          const keys = [..."abcdefghijklmnopqrstuvwxyz0123456789/.,-'", "Enter", "Tab", "Escape",
            "ArrowDown", "Home", ...Array.from({length: 12}, (_, i) => `F${i + 1}`)];
          const taken = [];
          for (const key of keys) for (const held of ["", "Control+", "Alt+", "Control+Shift+"]) {
            const event = new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true,
              ctrlKey: held.includes("Control"), altKey: held.includes("Alt"),
              shiftKey: held.includes("Shift")});
            document.querySelector("#statement").dispatchEvent(event);
            if (event.defaultPrevented && !ours.has(held + key)) taken.push(held + key);
          }
          return taken;
        }"""
    )
    assert taken == []
