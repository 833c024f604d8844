"""Nothing is ever lost: reload, crash, two tabs, no network, an ended session, another device."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.learner import SLUG, Learner

Opener = Callable[..., Learner]


def drafts_of(learner: Learner) -> list[str]:
    return learner.page.locator("[data-drafts] option").all_inner_texts()


def test_a_reload_brings_the_text_back(learner: Learner) -> None:
    learner.open().write("def mine(): pass\n")
    learner.reload()
    learner.holds("def mine(): pass\n")


def test_a_crash_loses_nothing_even_when_the_server_never_heard_of_it(learner: Learner) -> None:
    learner.open()
    learner.page.route("**/draft", lambda route: route.abort())
    learner.write("x = 'typed just before the crash'\n")
    tab = learner.tab()
    tab.holds("x = 'typed just before the crash'\n")


def test_the_server_has_the_text_when_the_keys_rest(learner: Learner, open_learner: Opener) -> None:
    learner.open().write("y = 'on the server'\n")
    with learner.page.expect_response("**/draft") as sent:
        learner.press("Control+s")
    assert sent.value.ok
    elsewhere = open_learner()
    elsewhere.page.context.add_cookies(learner.page.context.cookies())  # type: ignore[arg-type]
    elsewhere.open().holds("y = 'on the server'\n")


def test_two_tabs_are_never_merged_and_one_key_switches(learner: Learner) -> None:
    first = learner.open()
    first.write("first = 1\n")
    first.press("Control+s")
    first.hears("Saved.")
    second = first.tab()
    second.holds("first = 1\n")
    second.write("second = 2\n")
    note = first.note("open in another tab")
    expect(note).to_be_visible()
    first.holds("first = 1\n")
    note.get_by_role("button", name="Use the newer code").press("Enter")
    first.holds("second = 2\n")
    expect(first.page.locator("[data-drafts] option")).to_have_count(2)
    first.press("Control+z")
    first.holds("first = 1\n")
    first.press("Control+y")
    first.page.locator("[data-drafts]").select_option(index=1)
    first.holds("first = 1\n")


def test_the_newest_text_is_opened_and_the_other_kept_by_name(learner: Learner) -> None:
    first = learner.open()
    second = first.tab()
    first.write("older = 1\n")
    second.write("newer = 2\n")
    expect(first.note("open in another tab")).to_be_visible()
    second.sees("older = 1\n", "newer = 2\n")
    third = second.tab()
    third.holds("newer = 2\n")
    note = third.note("There are two texts; the newest is open.")
    expect(note).to_contain_text("Draft of")
    note.get_by_role("button", name="Switch to it").click()
    third.holds("older = 1\n")


def test_what_the_server_heard_of_later_is_not_newer_for_that(learner: Learner) -> None:
    first = learner.open()
    second = first.tab()
    second.page.route("**/draft", lambda route: route.abort())
    first.write("older = 1\n")
    second.write("newer = 2\n")
    expect(first.note("open in another tab")).to_be_visible()
    first.press("Control+s")
    first.hears("Saved.")
    second.sees("older = 1\n", "newer = 2\n")
    second.tab().holds("newer = 2\n")


def test_a_note_stays_under_ones_hands_while_the_other_tab_is_saved(learner: Learner) -> None:
    first = learner.open()
    second = first.tab()
    second.write("second = 2\n")
    keep = first.note("open in another tab").get_by_role("button", name="Keep this one")
    keep.focus()
    first.page.evaluate(
        """() => addEventListener("storage", event => {
          if (event.newValue?.includes('"sent":true')) window.saved = true;
        })"""
    )
    second.press("Control+s")
    first.until("window.saved")
    expect(keep).to_be_focused()


def test_what_another_tab_saved_while_the_page_was_under_way_is_opened(learner: Learner) -> None:
    first = learner.open()
    second = Learner(first.page.context.new_page(), first.site)
    with second.held_back("**/static/site-*.js"):
        second.page.goto(f"{second.site}/exercises/{SLUG}", wait_until="commit")
        first.write("meanwhile = 1\n")
        first.press("Control+s")
        first.hears("Saved.")
        second.sees("meanwhile = 1\n")
    expect(second.editor).to_be_visible()
    second.holds("meanwhile = 1\n")


def test_offline_typing_goes_on_and_is_sent_when_back(learner: Learner) -> None:
    learner.open().write("z = 0\n")
    learner.page.context.set_offline(True)
    learner.until("!navigator.onLine")
    learner.type("z = 1  # offline")
    expect(learner.note("You are offline.")).to_be_visible()
    expect(learner.saved).to_contain_text("Saved on this device")
    with learner.page.expect_response("**/draft") as sent:
        learner.page.context.set_offline(False)
    assert sent.value.ok
    expect(learner.note("You are offline.")).to_have_count(0)


def test_a_submission_pressed_offline_is_sent_when_back(learner: Learner) -> None:
    learner.open().write("import numpy as np\n")
    learner.page.context.set_offline(True)
    learner.until("!navigator.onLine")
    learner.press("Control+Shift+Enter")
    expect(learner.note("The submission waits until you are online again.")).to_be_visible()
    learner.page.context.set_offline(False)
    expect(learner.results).to_have_attribute("data-kind", "submission")


def test_an_ended_session_keeps_the_code_and_says_so(learner: Learner) -> None:
    learner.open().write("kept = True\n")
    learner.press("Control+s")
    learner.hears("Saved.")
    learner.page.context.clear_cookies(name="mlgrind")
    learner.reload()
    learner.holds("kept = True\n")
    note = learner.note("Your session had ended.")
    expect(note).to_contain_text("kept your code")
    expect(note.get_by_role("link", name="Enter code")).to_be_visible()


def test_reset_is_one_undoable_edit(learner: Learner) -> None:
    learner.open()
    starter = learner.text
    learner.write("mine = 1\n")
    learner.page.locator("[data-reset]").click()
    learner.holds(starter)
    expect(learner.note("Back to the starter code. Ctrl Z brings yours back.")).to_be_visible()
    expect(learner.editor).to_be_focused()
    learner.press("Control+z")
    learner.holds("mine = 1\n")
    learner.press("Control+y")
    learner.reload()
    assert "mine = 1\n" in [learner.text, *_others(learner)]


def _others(learner: Learner) -> list[str]:
    """The texts of the other drafts, by opening each."""
    found = []
    for index in range(1, len(drafts_of(learner))):
        learner.page.locator("[data-drafts]").select_option(index=index)
        found.append(learner.text)
    return found


def test_what_was_typed_before_the_script_came_counts(learner: Learner) -> None:
    with learner.held_back("**/static/site-*.js"):
        learner.page.goto(f"{learner.site}/exercises/{SLUG}", wait_until="commit")
        learner.page.locator("textarea[name=source]").fill("early = 'bird'\n")
    expect(learner.editor).to_be_visible()
    learner.holds("early = 'bird'\n")


def test_who_writes_while_the_editor_comes_goes_on_at_the_same_place(learner: Learner) -> None:
    with learner.held_back("**/static/workbench-*.js"):
        learner.page.goto(f"{learner.site}/exercises/{SLUG}", wait_until="commit")
        learner.page.locator("textarea[name=source]").fill("first = 1\nlast = 3\n")
        learner.press("Control+Home", "End", "Enter")
        learner.page.keyboard.type("second")
    expect(learner.editor).to_be_focused()
    learner.page.keyboard.type(" = 2")
    learner.holds("first = 1\nsecond = 2\nlast = 3\n")
