"""Seeing what code does: shapes by line, the first difference, the probe, the diff, own input."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, expect

from tests.browser.learner import RIGHT, SLUG, Learner
from tests.browser.test_accessibility import violations

Opener = Callable[..., Learner]
PROGRAMS = Path(__file__).parents[1] / "tracing" / "mistakes"
MERGE = (PROGRAMS / "plain_merge_no_transpose.py").read_text("utf-8")
SCALE = (PROGRAMS / "plain_scale_d_model.py").read_text("utf-8")
LOOP = (PROGRAMS / "loop_scale_d_model.py").read_text("utf-8")
STOPS = MERGE.replace("heads = w @ v", "heads = w @ v[:, :1]")


def note(learner: Learner, line: str) -> str:
    """What stands at the right edge of a line of code."""
    found = learner.page.locator(".cm-line").filter(has_text=line).locator(".trace")
    return " ".join(found.first.inner_text().split())


def test_shapes_stand_beside_the_lines(learner: Learner) -> None:
    learner.open().run(RIGHT)
    assert note(learner, "q = Q.reshape") == "(3, 5, 4)"
    expect(learner.page.locator(".cm-line .trace .no")).to_have_count(0)
    assert learner.page.locator(".cm-line .trace .ok").count() >= 5


def test_a_loop_shows_its_first_and_its_last_pass(learner: Learner) -> None:
    learner.open().run(LOOP)
    assert note(learner, "for h in range") == "0 … 1"
    assert note(learner, "scores = q @ k.T") == "(2, 2) each"


def test_the_first_difference_is_marked_and_told(learner: Learner) -> None:
    learner.open().submit(MERGE)
    line = learner.page.locator(".cm-line.first-off")
    expect(line).to_have_count(1)
    expect(line).to_contain_text("return heads.reshape(seq_len, d_model)")
    expect(learner.results).to_contain_text(
        "Right up to heads (line 14); what line 15 returns is the first to go wrong."
    )
    learner.page.get_by_role("link", name="Go to line 15").first.click()
    expect(learner.editor).to_be_focused()


def test_the_table_says_the_same_as_the_notes(learner: Learner) -> None:
    learner.open().submit(MERGE)
    learner.page.get_by_text("Shapes by line, as a table").click()
    rows = learner.page.get_by_role("group", name="Shapes by line").get_by_role("row")
    told = [" ".join(row.inner_text().split()) for row in rows.all()]
    assert told[0] == "line name shape or value dtype against the reference"
    assert "9 scores (2, 2, 2) float64 equal to scores" in told
    assert told[-1] == "15 return (2, 4) float64 differs"


def test_another_case_can_be_traced_or_none(learner: Learner) -> None:
    learner.open()
    learner.page.locator("[data-shapes]").select_option("worked_example")
    learner.run(RIGHT)
    assert note(learner, "q = Q.reshape") == "(2, 2, 2)"
    learner.page.locator("[data-shapes]").select_option("")
    learner.run(RIGHT + "\n")
    expect(learner.page.locator(".cm-line .trace")).to_have_count(0)


def test_what_stops_is_traced_up_to_there(learner: Learner) -> None:
    learner.open().run(STOPS)
    learner.page.get_by_text("Shapes by line, as a table").click()
    expect(learner.results).to_contain_text("Your code stopped there")
    assert note(learner, "w = e / total") == "(2, 2, 2)"


def test_the_probe_shows_what_moved(learner: Learner) -> None:
    learner.open().submit(MERGE)
    learner.page.get_by_role("link", name="See where your tokens went").click()
    probe = learner.page.locator("#probe")
    expect(probe.get_by_role("heading", level=3)).to_have_text(
        "18 of 24 values ended up in the wrong place."
    )
    yours = probe.locator("figure", has_text="Yours")
    expect(yours.locator("td.moved")).to_have_count(18)
    first = yours.locator("tbody tr").first
    assert " ".join(first.inner_text().split()).startswith("row 0 t0·c0 t0·c1 t0·c2 t1·c0 moved")
    expect(probe).to_contain_text("Before that, on line 14, everything is still in place")


def test_the_probe_is_not_offered_where_nothing_moved(learner: Learner) -> None:
    learner.open().submit(SCALE)
    expect(learner.results).to_contain_text("of 6")
    expect(learner.page.locator("#probe")).to_have_count(0)
    expect(learner.page.get_by_role("link", name="See where your tokens went")).to_have_count(0)


def test_a_visible_case_shows_expected_yours_and_difference(learner: Learner) -> None:
    learner.open().submit(MERGE)
    opened = learner.results.locator("details.test[open]").first
    names = opened.locator(".array figcaption b").all_inner_texts()
    assert names == ["Expected", "Yours", "Difference"]
    expect(opened.locator(".array td.worst")).to_have_count(1)
    expect(opened.get_by_role("button", name="Copy expected")).to_be_visible()


def test_a_large_array_is_a_picture_with_a_zoom(learner: Learner) -> None:
    learner.open().submit(MERGE)
    second = learner.results.locator("details.test").nth(1)
    second.locator("summary").first.click()
    expect(second.locator("svg.strip")).to_be_visible()
    expect(second).to_contain_text("Around the worst value, at r1 c25")


def test_a_hidden_case_shows_where_and_no_value(learner: Learner) -> None:
    learner.open().submit(MERGE)
    third = learner.results.locator("details.test").nth(2)
    third.locator("summary").first.click()
    expect(
        third.get_by_role("img", name="Where the output is wrong: 90 of 105 cells")
    ).to_be_visible()
    expect(third.locator(".array")).to_have_count(0)
    expect(third).to_contain_text("Counts by row and head")


def _own(learner: Learner, arguments: str) -> Any:
    own = learner.results.locator("details.own")
    own.locator("summary").click()
    own.locator("textarea").fill(arguments)
    own.get_by_role("button", name="Run both").click()
    return own.locator("[data-outcome]")


def test_own_input_runs_both_and_shows_the_diff(learner: Learner) -> None:
    learner.open().run(MERGE)
    outcome = _own(learner, "*(np.random.default_rng(n).normal(size=(3, 4)) for n in range(3)), 2")
    expect(outcome).to_contain_text("of 12 values are off")
    names = outcome.locator(".array figcaption b").all_inner_texts()
    assert names == ["Expected", "Yours", "Difference"]


def test_own_input_that_is_none_gets_a_sentence(learner: Learner) -> None:
    learner.open().run(MERGE)
    outcome = _own(learner, "{1.0}, 2, 3, 4")
    expect(outcome).to_have_text("Q is of type set. Use np.array(…), a list, a number or a string.")


def test_the_parameter_count_is_checked_in_the_jail(learner: Learner) -> None:
    learner.open()
    question = learner.page.locator("form[data-follow-up='1']")
    for text, said in (
        ("4 d_model +", "can't be read"),
        ("3·d_model^2", "Not quite"),
        ("4 × d_model^2", "Right"),
    ):
        question.locator("input").fill(text)
        question.get_by_role("button", name="Check").click()
        expect(question.locator("[data-outcome]")).to_contain_text(said)


def test_ones_own_words_come_before_the_answer(learner: Learner) -> None:
    learner.open()
    question = learner.page.locator("form[data-follow-up='2']")
    expect(question).not_to_contain_text("A reshape keeps the elements")
    question.locator("textarea").fill("It never moves data.")
    question.get_by_role("button", name="Save mine").click()
    expect(question).to_contain_text("A reshape keeps the elements")


def test_without_a_script_table_and_probe_are_there(open_learner: Opener) -> None:
    learner = open_learner(java_script_enabled=False)
    learner.page.goto(f"{learner.site}/exercises/{SLUG}")
    learner.source.fill(MERGE)
    learner.page.locator("[data-submit]").click()
    learner.looks_until_judged()
    expect(learner.page.locator("#probe td.moved")).to_have_count(18)
    expect(learner.page.locator("#shapes tr")).to_have_count(13)


def test_axe_finds_nothing_in_what_is_seen(open_learner: Opener) -> None:
    learner = open_learner(reduced_motion="reduce").open()
    learner.submit(MERGE)
    _own(learner, "*(np.random.default_rng(n).normal(size=(3, 4)) for n in range(3)), 2")
    expect(learner.results.locator("[data-outcome]")).to_contain_text("are off")
    learner.page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
    assert violations(learner.page) == []


def test_a_phone_shows_probe_and_table_without_sideways_scrolling(open_learner: Opener) -> None:
    learner = open_learner(viewport={"width": 375, "height": 740}, has_touch=True).open()
    learner.submit(MERGE)
    learner.page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
    learner.fits()


TWO = SCALE.replace("axis=-1", "axis=1")


def test_each_of_two_mistakes_has_its_number_beside_its_line(learner: Learner) -> None:
    learner.open().submit(TWO)
    told = learner.results.locator("#mistakes > li")
    expect(told).to_have_count(2)
    numbers = [one.locator(".n").inner_text() for one in told.all()]
    notes = learner.page.locator(".cm-line").filter(has=learner.page.locator(".nth"))
    expect(notes).to_have_count(2)
    for number, line in enumerate(notes.all(), 1):
        expect(line.locator(".nth")).to_have_text(str(number))
    assert numbers == ["1 line 9", "2 line 13"]
    assert violations(learner.page) == []


def test_numbers_of_two_mistakes_stay_beside_shapes_of_another_case(learner: Learner) -> None:
    learner.open().submit(TWO)
    notes = learner.page.locator(".cm-line").filter(has=learner.page.locator(".nth"))
    expect(notes).to_have_count(2)
    choice = learner.page.locator("[data-shapes]")
    others = [each for each in _names_of(choice) if each not in ("", choice.input_value())]
    first = learner.page.locator(".cm-line .trace").first
    before = first.inner_text()
    choice.select_option(others[0])
    expect(first).not_to_have_text(before, use_inner_text=True)
    assert [note.locator(".nth").inner_text() for note in notes.all()] == ["1", "2"]
    expect(learner.results.locator("#mistakes > li")).to_have_count(2)
    assert choice.input_value() == others[0]


def _names_of(choice: Locator) -> list[str]:
    return [str(each.get_attribute("value") or "") for each in choice.locator("option").all()]


def test_one_mistake_alone_has_no_number(learner: Learner) -> None:
    learner.open().submit(SCALE)
    expect(learner.page.locator(".cm-line.first-off")).to_have_count(1)
    expect(learner.page.locator(".nth")).to_have_count(0)


def test_a_flood_of_prints_is_bounded_and_leaves_the_other_rows_in_reach(learner: Learner) -> None:
    """Twelve lines and then a scroll, first in its row; each row that printed says so."""
    first = "    seq_len, d_model = Q.shape\n"
    printing = RIGHT.replace(first, f"{first}    for i in range(400): print('line', i)\n")
    assert printing != RIGHT
    learner.open().run(printing)
    rows = learner.results.locator(".tests > li")
    expect(rows.locator(".tag", has_text="printed")).to_have_count(rows.count())
    rows.first.locator("summary").first.click()
    printed = rows.first.locator(".body > *").first
    expect(printed).to_contain_text("line 0")
    box = printed.locator("pre").bounding_box()
    assert box is not None and box["height"] < 20 * 20
    assert printed.locator("pre").evaluate("pre => pre.scrollHeight > pre.clientHeight")
