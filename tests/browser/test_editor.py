"""The editor: four spaces, pasted tabs, problems at their place, completions, colours."""

import re

from playwright.sync_api import expect

from tests.browser.learner import RIGHT, Learner

_PASTE = """text => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  const paste = new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true});
  document.querySelector(".cm-content").dispatchEvent(paste);
}"""


def test_tab_indents_by_four_and_shift_tab_takes_it_back(learner: Learner) -> None:
    learner.open().write("if x:")
    learner.press("Enter")
    learner.page.keyboard.type("y")
    learner.holds("if x:\n    y")
    learner.press("Home", "Tab")
    learner.holds("if x:\n        y")
    learner.press("Shift+Tab")
    learner.holds("if x:\n    y")


def test_pasted_tabs_become_spaces(learner: Learner) -> None:
    learner.open().write("")
    learner.page.evaluate(_PASTE, "def f():\n\treturn 1\n\tx\t= 2\n")
    learner.holds("def f():\n    return 1\n    x   = 2\n")


def test_other_odd_letters_are_left_to_the_server(learner: Learner) -> None:
    learner.open().write("")
    learner.page.evaluate(_PASTE, "x = \u201ca\u201d\u00a0+ 1\n")
    learner.holds("x = \u201ca\u201d\u00a0+ 1\n")


def test_problems_stand_at_their_place(learner: Learner) -> None:
    learner.open().submit("import numpy as np\nfrom scipy.special import softmax\n")
    problem = learner.page.locator("#code .problem")
    expect(problem).to_have_count(1)
    expect(problem).to_contain_text("scipy")
    expect(learner.page.locator("#code .squiggle").first).to_contain_text("scipy")
    expect(learner.page.locator("#code .gutter-mark:visible")).to_have_count(1)
    learner.press("Control+Home", "ArrowDown", "End")
    learner.page.keyboard.type("  # changed")
    expect(problem).to_have_count(0)


def test_a_line_named_in_the_report_leads_there(learner: Learner) -> None:
    learner.open().submit("import numpy as np\n\nfrom scipy.special import softmax\n")
    learner.results.locator("[data-line]").first.click()
    expect(learner.editor).to_be_focused()
    expect(learner.page.locator(".cm-activeLine")).to_contain_text("scipy")


def test_numpy_names_are_completed_with_how_they_are_called(learner: Learner) -> None:
    learner.open().write("import numpy as np\nnp.eins")
    learner.page.keyboard.type("u")
    option = learner.page.locator(".cm-tooltip-autocomplete li").first
    expect(option).to_contain_text("einsum(subscripts, *operands")
    option.click()
    learner.holds(re.compile(r"np\.einsum$"))


def test_what_stands_before_the_dot_is_known_by_the_imports(learner: Learner) -> None:
    learner.open().write("from numpy import linalg as la\nla.nor")
    learner.page.keyboard.type("m")
    expect(learner.page.locator(".cm-tooltip-autocomplete li").first).to_contain_text("norm(x, ord")


def test_own_names_are_completed(learner: Learner) -> None:
    learner.open().write("def scaled_scores(q):\n    return q\n\n")
    learner.page.keyboard.type("scaled_s")
    expect(learner.page.locator(".cm-tooltip-autocomplete li").first).to_contain_text(
        "scaled_scores"
    )


def test_the_theme_switch_reaches_the_editor_and_comes_with_the_page(learner: Learner) -> None:
    learner.open()

    paint = "getComputedStyle(document.querySelector('.cm-content')).color"
    light = learner.page.evaluate(paint)
    learner.page.locator("#theme-dark").check(force=True)
    learner.until(f"light => {paint} !== light", light)
    learner.remembers("theme", "dark")
    learner.page.reload(wait_until="commit")
    expect(learner.page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(learner.editor).to_be_visible()
    learner.page.locator("#theme-system").check(force=True)
    learner.remembers("theme", None)
    learner.page.reload(wait_until="commit")
    expect(learner.page.locator("html")).not_to_have_attribute("data-theme", "dark")


def test_the_text_area_under_the_editor_holds_what_a_form_would_send(learner: Learner) -> None:
    learner.open().write(RIGHT)
    learner.holds(RIGHT)
