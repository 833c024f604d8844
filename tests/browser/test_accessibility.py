"""Everybody can use it: axe finds nothing on any page, light or dark, before and after judging."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect

from app.config import Settings
from tests.browser.learner import RIGHT, SLUG, WRONG, Learner
from tests.service.world import EXERCISES, World
from tests.web.server import served

Opener = Callable[..., Learner]
AXE = (Path(__file__).parents[2] / "node_modules/axe-core/axe.min.js").read_text()
PAGES = ["/", f"/exercises/{SLUG}", "/progress", "/docs", "/exercises/there-is-none"]
RULES: dict[Literal["light", "dark"], str] = {
    "light": "rules: {}",
    "dark": "runOnly: ['color-contrast', 'link-in-text-block']",
}
"""What axe is asked in each colour scheme."""


def violations(page: Page) -> list[tuple[str, str, list[Any]]]:
    """What axe objects to in the light and in the dark, with the elements.

    All its rules in the light; in the dark those of colour, since nothing else changes.
    """
    page.evaluate(AXE)
    found: list[tuple[str, str, list[Any]]] = []
    for scheme, rules in RULES.items():
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        objections = page.evaluate(f"axe.run({{resultTypes: ['violations'], {rules}}})")
        found += [
            (scheme, each["id"], [node["target"] for node in each["nodes"]][:5])
            for each in objections["violations"]
        ]
    return found


def test_what_axe_objects_to_is_found_in_each_scheme(learner: Learner) -> None:
    learner.page.set_content(
        """<html lang="en"><title>T</title><style>p { color: #eee; background: #fff }
        @media (prefers-color-scheme: light) { p.dark { color: #000 } }
        </style><main><h1>T</h1><p class="dark">in the dark</p><img src="data:,"></main>"""
    )
    found = [(scheme, rule) for scheme, rule, _ in violations(learner.page)]
    assert found == [("light", "image-alt"), ("dark", "color-contrast")]


@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing(open_learner: Opener, path: str) -> None:
    assert violations(open_learner().open(path).page) == []


@pytest.mark.parametrize(
    "source",
    [WRONG, RIGHT, "from scipy import special\nprint(\n"],
    ids=["off", "passed", "not run"],
)
def test_axe_finds_nothing_after_judging(open_learner: Opener, source: str) -> None:
    learner = open_learner(reduced_motion="reduce").open()
    learner.submit(source)
    learner.page.locator(".ladder .next button").first.click()
    expect(learner.page.locator(".ladder > li.open")).to_have_count(1)
    learner.page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
    assert violations(learner.page) == []
    learner.open("/progress")
    assert violations(learner.page) == []


@pytest.fixture
def held_site(tmp_path: Path) -> Iterator[str]:
    """A site where what begins with `# waits` stays in line until the test is over."""
    shelf = tmp_path / "exercises"
    shutil.copytree(EXERCISES / SLUG, shelf / SLUG)
    world = World(tmp_path, folders=(shelf,))
    with served(world.service(started=False), Settings(data=tmp_path), inline_s=0.01) as server:
        try:
            yield server.url
        finally:
            world.sandbox.let.set()
    world.close()


def test_the_page_one_waits_on_without_a_script_is_for_everybody(
    open_learner: Opener, held_site: str
) -> None:
    learner = open_learner(held_site, reduced_motion="reduce")
    learner.page.route("**/static/*.js", lambda route: route.abort())
    learner.page.goto(f"{held_site}/exercises/{SLUG}")
    learner.source.fill(f"# waits\n{RIGHT}")
    learner.page.locator("[data-submit]").click()
    expect(learner.results).to_contain_text("You can keep typing.")
    expect(learner.page.get_by_role("button", name="Look again")).to_be_visible()
    assert violations(learner.page) == []
    for width in (320, 375, 720):
        learner.page.set_viewport_size({"width": width, "height": 640})
        learner.fits()


@pytest.mark.parametrize("path", PAGES)
def test_pages_reflow(open_learner: Opener, path: str) -> None:
    """720 px is a laptop's window at 200 % zoom."""
    learner = open_learner(viewport={"width": 320, "height": 640}).open(path)
    learner.fits()
    for width in (375, 720):
        learner.page.set_viewport_size({"width": width, "height": 640})
        learner.fits()


def test_a_phone_shows_a_report_without_sideways_scrolling(open_learner: Opener) -> None:
    learner = open_learner(viewport={"width": 320, "height": 640}, has_touch=True).open()
    learner.submit(WRONG)
    learner.fits()
    expect(learner.results.locator("#headline")).to_be_in_viewport()


def test_on_a_phone_each_link_leads_to_its_part(open_learner: Opener) -> None:
    learner = open_learner(viewport={"width": 375, "height": 812}, has_touch=True).open()
    row = learner.page.locator(".jump")
    expect(row.locator("[aria-current]")).to_have_text("Read")
    for name, part in (("Results", "#results"), ("Code", "#code"), ("Hints", "#hints")):
        row.get_by_role("link", name=name).click()
        expect(learner.page.locator(part)).to_be_in_viewport()
        expect(row.locator("[aria-current]")).to_have_text(name)


def test_one_word_of_any_length_widens_no_page(open_learner: Opener) -> None:
    """In an error's message, in print, in the code, in a name, in an address."""
    learner = open_learner(viewport={"width": 320, "height": 640}).open()
    word = "m" * 900
    head = "def multi_head_attention(Q, K, V, num_heads):\n"
    learner.submit(f'{head}    print("{word}")\n    raise ValueError("{word}")\n')
    learner.fits()
    learner.submit(f"{head}    {word} = Q\n    return {word}\n")
    learner.fits()
    learner.page.locator("[data-share] button").click()
    link = learner.page.locator(".note").get_by_role("textbox").input_value()
    learner.page.goto(f"{learner.site}/progress")
    learner.page.locator("#name-field").fill("M" * 80)
    learner.page.locator("#name-field").press("Enter")
    changes = str(learner.page.locator("a[href*='/changes/']").first.get_attribute("href"))
    for path in ("/progress", changes, link.removeprefix(learner.site), f"/{word}"):
        learner.page.goto(learner.site + path)
        learner.fits()


def test_forced_colours_keep_every_state_visible(open_learner: Opener) -> None:
    learner = open_learner(forced_colors="active", reduced_motion="reduce").open()
    learner.submit(WRONG)
    borders = learner.page.evaluate(
        """() => [...document.querySelectorAll(".six i, .mark")].map(e => {
          const s = getComputedStyle(e);
          return parseFloat(s.borderTopWidth) > 0 || s.backgroundColor !== "rgba(0, 0, 0, 0)";
        })"""
    )
    assert borders
    assert all(borders)
    outline = learner.page.evaluate(
        "(e => { e.focus(); return getComputedStyle(e).outlineStyle })"
        "(document.querySelector('[data-submit]'))"
    )
    assert outline == "solid"


def test_reduced_motion_moves_nothing(open_learner: Opener) -> None:
    learner = open_learner(reduced_motion="reduce").open()
    learner.submit(WRONG)
    assert learner.page.evaluate("document.getAnimations().length") == 0


def test_every_control_is_reached_by_tab_alone(learner: Learner) -> None:
    learner.open().page.locator("body").press("Tab")
    expect(learner.page.locator(".skip").first).to_be_focused()
    reached = set()
    for _ in range(120):
        reached.add(learner.focused())
        learner.press("Escape", "Tab")
    wanted = learner.page.evaluate(
        """() => [...document.querySelectorAll("button, a[href], select, [tabindex='0']")]
          .filter(e => e.checkVisibility({visibilityProperty: true}) && e.tabIndex >= 0)
          .map(e => e.id || e.className || e.tagName)"""
    )
    assert set(wanted) <= reached | {""}
