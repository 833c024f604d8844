"""Pages seldom looked at are for everybody too, and the editor's small promises hold."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.browser.learner import RIGHT, SLUG, WRONG, Learner
from tests.browser.serving import MLGRIND
from tests.browser.test_accessibility import violations

Opener = Callable[..., Learner]


def nothing_found(learner: Learner) -> None:
    """Neither by axe, with everything opened, nor at 320 px, by a bar for sideways scrolling."""
    learner.page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
    assert violations(learner.page) == [], learner.page.url
    learner.page.set_viewport_size({"width": 320, "height": 640})
    learner.fits()


def test_pages_of_ones_own_work_are_for_everybody(open_learner: Opener) -> None:
    """A submission's page, what changed between two, and the copy that a friend is shown."""
    learner = open_learner(reduced_motion="reduce").open()
    learner.submit(WRONG)
    learner.submit(RIGHT)
    learner.results.locator("form[data-share] button").click()
    shared = learner.note("Anybody with this link").get_by_role("textbox").input_value()
    learner.page.goto(f"{learner.site}/progress")
    own, changes = (
        learner.page.locator(f"main a[href*='{part}']").first.get_attribute("href")
        for part in ("/submissions/", "/changes/")
    )
    learner.page.goto(shared)
    nothing_found(learner)
    for path in (own, changes):
        assert path
        learner.page.set_viewport_size({"width": 1440, "height": 900})
        learner.page.goto(learner.site + path)
        nothing_found(learner)


@pytest.fixture(scope="module")
def author_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server as an author starts it; the data directory is the test's own."""
    with subprocess.Popen(
        [MLGRIND, "serve", "--port", "0", "--author"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        try:
            assert server.stdout is not None
            yield server.stdout.readline().strip().rpartition(" ")[2].rstrip("/")
        finally:
            server.kill()


def test_an_authors_pages_are_for_everybody(open_learner: Opener, author_site: str) -> None:
    learner = open_learner(author_site, reduced_motion="reduce")
    for path in ("", "/stable-softmax", "/stable-softmax/mistakes/axis-zero"):
        learner.page.set_viewport_size({"width": 1440, "height": 900})
        learner.page.goto(f"{author_site}/author{path}")
        nothing_found(learner)
    learner.page.goto(f"{author_site}/author/stable-softmax")
    inside = """section => section.clientWidth <= 900 && [...section.querySelectorAll("li")].every(
      item => item.getBoundingClientRect().left > section.getBoundingClientRect().left + 8)"""
    assert learner.page.locator(".as-read").evaluate(inside)


@pytest.mark.parametrize("slug", ["kv-cache-step", "layer-norm-rms-norm", "transformer-block"])
def test_other_exercises_are_for_everybody(open_learner: Opener, slug: str, site: str) -> None:
    """Tuples, texts and dicts have pages of their own shape."""
    learner = open_learner(reduced_motion="reduce")
    learner.page.goto(f"{site}/exercises/{slug}")
    expect(learner.editor).to_be_visible()
    learner.page.locator("[data-submit]").click()
    expect(learner.results).to_have_attribute("data-kind", "submission")
    nothing_found(learner)


# --------------------------------------------------------------------------------- the workbench


def test_panes_are_stacked_below_48_rem_and_side_by_side_above(open_learner: Opener) -> None:
    learner = open_learner(viewport={"width": 800, "height": 900}).open()
    statement, code = learner.page.locator("#statement"), learner.page.locator(".cm-editor")

    def left_and_top() -> tuple[float, float, float, float]:
        a, b = statement.bounding_box(), code.bounding_box()
        assert a
        assert b
        return a["x"], a["y"], b["x"], b["y"]

    ax, ay, bx, by = left_and_top()
    assert bx > ax
    assert abs(by - ay) < 160
    learner.page.set_viewport_size({"width": 760, "height": 900})  # 47.5 rem
    expect(learner.page.locator(".divider")).to_be_hidden()
    ax, ay, bx, by = left_and_top()
    assert by > ay
    assert abs(bx - ax) < 48


def test_the_bracket_that_belongs_to_another_is_shown(learner: Learner) -> None:
    learner.open().write("x = (1 + [2, 3][0])")
    learner.press("End")
    shown = learner.page.locator(".cm-matchingBracket")
    expect(shown).to_have_count(2)
    assert shown.all_inner_texts() == ["(", ")"]
    learner.press("Control+a")
    learner.page.keyboard.insert_text("x = 1)")
    learner.press("End")
    expect(learner.page.locator(".cm-nonmatchingBracket")).to_have_count(1)


def test_problems_show_while_one_types(learner: Learner) -> None:
    """Nothing is pressed: the live run says what is not available, at its place."""
    learner.open().write("import numpy as np\nfrom scipy.special import softmax\n")
    expect(learner.page.locator("#code .problem")).to_contain_text("scipy")
    expect(learner.page.locator("#code .gutter-mark:visible")).to_have_count(1)
    expect(learner.page.locator("[data-live-line]")).to_have_text(re.compile("Line 2 stops it"))
    learner.write(RIGHT)
    expect(learner.page.locator("#code .problem")).to_have_count(0)


def test_python_is_coloured(learner: Learner) -> None:
    learner.open().write("def f(x):\n    return 'text'  # why\n")
    line = learner.page.locator(".cm-line")
    colours = {
        learner.page.evaluate("e => getComputedStyle(e).color", span.element_handle())
        for span in (
            line.get_by_text("def", exact=True),
            line.get_by_text("'text'", exact=True),
            line.get_by_text("# why", exact=True),
        )
    }
    assert len(colours) >= 2


def test_what_the_server_finds_too_long_is_said_and_kept(learner: Learner) -> None:
    """413, as from a proxy with a smaller limit than ours."""

    def too_long(route: Route) -> None:
        route.fulfill(status=413, body="Request Entity Too Large")

    learner.open().page.route("**/submissions", too_long)
    learner.write(WRONG)
    learner.press("Control+Shift+Enter")
    expect(learner.note("Your code is longer than 64 KiB.")).to_contain_text("Your code is kept.")
    assert learner.text == WRONG


def test_one_click_makes_a_report_that_can_be_judged_again(
    learner: Learner, tmp_path: Path
) -> None:
    learner.open().submit(WRONG)
    with learner.page.expect_download() as download:
        learner.results.get_by_role("link", name="Download this result").click()
    path = tmp_path / "report.json"
    download.value.save_as(path)
    done = subprocess.run([MLGRIND, "grade", "--replay", path], capture_output=True, text=True)
    assert "The verdict is the same as before." in done.stdout
    assert "Exercise and versions are the same." in done.stdout


@pytest.mark.parametrize("kind", ["zip", "ipynb"])
def test_an_exercise_is_taken_along(learner: Learner, kind: str) -> None:
    link = learner.open().page.locator(f"a[href$='/{SLUG}.{kind}']").first
    link.evaluate("e => { e.closest('details') && (e.closest('details').open = true) }")
    with learner.page.expect_download() as download:
        link.click()
    assert download.value.suggested_filename.endswith(f".{kind}")
