"""What else one does on the page: questions, own input, sharing, taking one's work elsewhere."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.learner import RIGHT, WRONG, Learner

Opener = Callable[..., Learner]


def test_a_formula_is_checked_without_leaving_the_page(learner: Learner) -> None:
    field = learner.open().page.locator("#answer-1")
    field.fill("4 * d_model^2")
    field.press("Enter")
    outcome = learner.page.locator("#question-1 [data-outcome]")
    expect(outcome).to_contain_text("Right")
    learner.hears("Right")
    field.fill("2 * d_model")
    learner.page.locator("#question-1 button").click()
    expect(outcome).to_contain_text("Not quite")


def test_own_words_come_before_the_answer(learner: Learner) -> None:
    form = learner.open().page.locator("#question-2")
    form.locator("textarea").fill("Because a reshape never moves data.")
    form.locator("button").click()
    expect(form.locator("[data-outcome]")).not_to_be_empty()
    learner.write("kept = 1\n")
    assert learner.text == "kept = 1\n"


def test_what_is_typed_elsewhere_outlives_a_submission(learner: Learner) -> None:
    learner.open().page.locator("#answer-1").fill("half an ans")
    learner.submit(WRONG)
    expect(learner.tabs).to_contain_text("Submissions 1")
    expect(learner.page.locator("#answer-1")).to_have_value("half an ans")


def test_own_input_runs_through_both_and_is_not_recorded(learner: Learner) -> None:
    learner.open().write(WRONG)
    learner.page.locator(".own summary").click()
    field = learner.page.locator("#own")
    field.fill("np.eye(4), np.eye(4), np.arange(16.0).reshape(4, 4), 2")
    field.press("Control+Enter")
    outcome = learner.page.locator(".own [data-outcome]")
    expect(outcome).to_contain_text("Expected")
    expect(outcome).to_contain_text("Yours")
    learner.write(RIGHT)
    field.press("Control+Enter")
    expect(outcome).to_contain_text("on this input")  # where the largest error is
    expect(learner.tabs).to_contain_text("Submissions 0")


def test_own_input_outlives_the_next_report(learner: Learner) -> None:
    learner.open().submit(WRONG)
    learner.page.locator(".own summary").click()
    field = learner.page.locator("#own")
    field.fill("np.eye(4), np.eye(4), np.eye(4), 2")
    learner.submit(RIGHT)
    expect(learner.results).to_contain_text("6 of 6")
    expect(field).to_be_visible()
    expect(field).to_have_value("np.eye(4), np.eye(4), np.eye(4), 2")


@pytest.mark.parametrize("arguments", ["np.eye(4),", "np.eye(", "open('x'), 1, 2, 3"])
def test_a_bad_argument_gets_a_sentence(learner: Learner, arguments: str) -> None:
    learner.open().write(RIGHT)
    learner.page.locator(".own summary").click()
    learner.page.locator("#own").fill(arguments)
    learner.page.locator(".own button").click()
    expect(learner.page.locator(".own [data-outcome]")).not_to_be_empty()
    assert learner.text == RIGHT


def test_the_hint_offered_in_the_report_opens_where_one_reads(learner: Learner) -> None:
    """Its text stands in the upper third, and the button leads on to the hint about the mistake."""
    learner.open().submit(WRONG)
    offer = learner.results.locator("form[data-hint] button")
    fits = int(offer.locator("..").get_attribute("data-fits") or 0)
    assert fits > 2
    for number in range(1, fits):
        expect(offer).to_have_text(f"Open hint {number} (hint {fits} is about this)")
        offer.click()
        heading = learner.page.locator(f"#hint-{number} h3")
        expect(heading).to_be_focused()
        box = heading.bounding_box()
        assert box is not None and box["y"] < 300
    expect(offer).to_have_text(f"Open hint {fits}: it’s about this")
    offer.click()
    expect(learner.results.get_by_role("link", name=f"Read hint {fits}")).to_be_visible()
    expect(learner.results.locator("form[data-hint]")).to_have_count(0)


def test_a_link_can_be_given_and_taken_back(learner: Learner, open_learner: Opener) -> None:
    learner.open().submit(RIGHT)
    learner.results.locator("form[data-share] button").click()
    note = learner.note("Anybody with this link can read this submission.")
    link = note.get_by_role("textbox").input_value()
    whole = "field => field.scrollWidth <= field.clientWidth + 1"
    assert note.get_by_role("textbox").evaluate(whole), "the address is cut"
    friend = open_learner()
    friend.page.goto(link)
    expect(friend.page.locator("main")).to_contain_text("def multi_head_attention")
    note.get_by_role("button", name="Take it back").click()
    expect(learner.note("The link no longer works.")).to_be_visible()
    answer = friend.page.reload()
    assert answer is not None
    assert answer.status == 404


@pytest.mark.parametrize("how", ["Merge", "Switch"])
def test_work_goes_to_another_device_by_its_code(
    learner: Learner, open_learner: Opener, how: str
) -> None:
    learner.open().submit(RIGHT)
    learner.page.goto(f"{learner.site}/progress")
    learner.page.get_by_role("button", name="Make a code").click()
    code = learner.page.locator("code.id").inner_text()
    other = open_learner()
    other.open().write("typed = 'on the other device'\n")
    other.press("Control+s")
    other.hears("Saved.")
    other.page.goto(f"{other.site}/progress")
    other.page.locator("#code-field").fill(code)
    other.page.get_by_role("button", name="Check the code").click()
    expect(other.page.locator("main")).to_contain_text("1 submission, 1 exercise passed")
    other.page.get_by_role("button", name=how).click()
    expect(other.page.locator("main")).to_contain_text("Multi-Head Attention")
    other.open()
    other.holds("typed = 'on the other device'\n")
    assert RIGHT in _texts(other)
    assert other.note("Your session had ended.").count() == 0


def _texts(learner: Learner) -> list[str]:
    """The texts of the other drafts, by opening each."""
    found = []
    for index in range(1, learner.page.locator("[data-drafts] option").count()):
        learner.page.locator("[data-drafts]").select_option(index=index)
        found.append(learner.text)
    return found


def test_on_paper_everything_is_there_and_no_buttons(learner: Learner) -> None:
    learner.open().submit(WRONG)
    learner.page.emulate_media(media="print")
    expect(learner.page.locator("#title")).to_be_visible()
    expect(learner.results.locator("#headline")).to_be_visible()
    expect(learner.page.locator("[data-submit]")).to_be_hidden()
    expect(learner.page.locator(".cm-content")).to_contain_text("def multi_head_attention")
    whole = "(e => e.scrollHeight <= e.clientHeight + 1)(document.querySelector('#results'))"
    learner.until(whole)


def test_what_is_copied_from_a_comparison_is_code_alone(learner: Learner) -> None:
    """No line numbers, no signs and no words for those who hear the page come along."""
    before = "def multi_head_attention(Q, K, V, num_heads):\n    return Q\n"
    learner.open().submit(before)
    learner.submit(before.replace("return Q", "return V"))
    learner.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    learner.page.locator("[data-fresh=history] a[href*=changes]").first.click()
    expect(learner.page.locator("h1")).to_have_text("What changed between 1 and 2")
    learner.page.locator(".diffcode").evaluate("code => getSelection().selectAllChildren(code)")
    learner.press("Control+c")
    copied = learner.page.evaluate("navigator.clipboard.readText()")
    lines = [line for line in copied.splitlines() if line.strip()]
    assert lines == [
        "def multi_head_attention(Q, K, V, num_heads):",
        "    return Q",
        "    return V",
    ]


def test_a_long_file_is_printed_to_its_last_line(learner: Learner) -> None:
    """The editor draws what is on the screen alone: on paper a listing stands in its place."""
    written = [f"# line {number} of many" for number in range(600)]
    learner.open().write("\n".join(written))
    learner.page.emulate_media(media="print")
    learner.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    lines = learner.page.locator(".paper > li")
    expect(lines).to_have_count(600)
    assert lines.all_inner_texts() == written
    hidden = "list => list.scrollHeight > list.clientHeight + 1 || list.offsetHeight < 600 * 8"
    assert not learner.page.locator(".paper").evaluate(hidden)
    expect(learner.page.locator(".cm-editor")).to_be_hidden()
    learner.page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(lines).to_have_count(0)
