"""Takes the pictures in docs/screenshots anew: `make screenshots`."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, expect

from tests.browser.learner import RIGHT, SLUG, WRONG, Learner
from tests.browser.serving import browsing, served

TARGET = Path(__file__).parents[2] / "docs" / "screenshots"
LAPTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 375, "height": 740}, "has_touch": True}


def fresh(learner: Learner) -> None:
    """The page as one first meets it."""
    learner.open()


def failing(learner: Learner) -> None:
    """A typical mistake, named."""
    learner.open().submit(WRONG)


def passing(learner: Learner) -> None:
    """Right on all six."""
    learner.open().submit(RIGHT)


def home(learner: Learner) -> None:
    """The path, with one exercise passed."""
    passing(learner)
    learner.open("/")


def without_script(learner: Learner) -> None:
    """The same report as a page, by the form alone."""
    learner.page.goto(f"{learner.site}/exercises/{SLUG}")
    learner.page.locator("#code textarea[name=source]").fill(WRONG)
    learner.page.locator("[data-submit]").click()
    expect(learner.results).to_contain_text("of 6")


Scene = tuple[str, Callable[[Learner], None], dict[str, Any]]

SCENES: list[Scene] = [
    ("exercise-light", fresh, {**LAPTOP, "color_scheme": "light"}),
    ("exercise-dark", fresh, {**LAPTOP, "color_scheme": "dark"}),
    ("failing-light", failing, {**LAPTOP, "color_scheme": "light"}),
    ("failing-dark", failing, {**LAPTOP, "color_scheme": "dark"}),
    ("passing-light", passing, {**LAPTOP, "color_scheme": "light"}),
    ("phone", failing, {**PHONE, "color_scheme": "light"}),
    ("no-javascript", without_script, {**LAPTOP, "java_script_enabled": False}),
    ("home-light", home, {**LAPTOP, "color_scheme": "light"}),
]


def take(browser: Browser, site: str, scene: Scene) -> None:
    """One picture, with a browser that knows nothing of the ones before."""
    name, play, options = scene
    context = browser.new_context(**options, reduced_motion="reduce")
    learner = Learner(context.new_page(), site)
    learner.page.goto(f"{site}/exercises/{SLUG}")  # a slow first visit shows the fallback fonts
    learner.page.wait_for_load_state("networkidle")
    play(learner)
    learner.page.wait_for_load_state("networkidle")
    learner.page.screenshot(path=TARGET / f"{name}.png", caret="hide")
    context.close()


def main() -> None:
    """All pictures."""
    TARGET.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, served(Path(data)) as server, browsing() as browser:
        for scene in SCENES:
            take(browser, server.own, scene)
            print(TARGET / f"{scene[0]}.png")


if __name__ == "__main__":
    main()
