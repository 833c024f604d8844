"""A learner in front of the page: opens, writes, presses keys, reads, hears."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Locator, Page, Route, expect

CASES = Path(__file__).parent.parent / "cases"


def _program(path: str) -> str:
    """A program of the cases as a learner would have it: without the lines that say what it is."""
    return re.sub(r"^(# .*\n)+", "", (CASES / path).read_text())


RIGHT = _program("ok/01_reshape_transpose.py")
WRONG = _program("wrong/31_split_direct_reshape.py")
SLUG = "multi-head-attention"

_LISTEN = """() => {
  window.heard = [];
  const region = document.querySelector("#announcer");
  new MutationObserver(() => {
    if (region.textContent) window.heard.push(region.textContent);
  }).observe(region, {childList: true, characterData: true, subtree: true});
}"""


@dataclass
class Learner:
    """One browser tab. `site` is the address it goes to."""

    page: Page
    site: str
    errors: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def open(self, path: str = f"/exercises/{SLUG}") -> Learner:
        """Open a page; an exercise page is ready when its editor is there."""
        self.page.goto(self.site + path)
        if path == f"/exercises/{SLUG}":
            expect(self.editor).to_be_visible()
            self.page.evaluate(_LISTEN)
        return self

    def tab(self) -> Learner:
        """The exercise in another tab, once what this tab keeps on the device can be seen there."""
        kept = "Object.keys(localStorage).filter(key => key.startsWith('draft:')).sort()"
        mine = self.page.evaluate(f"{kept}.map(key => localStorage[key]).join()")
        other = Learner(self.page.context.new_page(), self.site).open("/")
        there = f"mine => {kept}.map(key => localStorage[key]).join() === mine"
        other.page.wait_for_function(there, arg=mine)
        return other.open()

    @contextmanager
    def held_back(self, pattern: str) -> Iterator[None]:
        """Requests of this kind wait until the end of the block."""
        held: list[Route] = []
        over = False
        self.page.route(pattern, lambda each: each.continue_() if over else held.append(each))
        yield
        over = True
        for route in held:
            route.continue_()

    def reload(self) -> None:
        """Load the page again."""
        self.page.reload()
        expect(self.editor).to_be_visible()
        self.page.evaluate(_LISTEN)

    @property
    def editor(self) -> Locator:
        """The editor's own text box."""
        return self.page.locator(".cm-content")

    @property
    def results(self) -> Locator:
        """The report."""
        return self.page.locator("#results")

    @property
    def saved(self) -> Locator:
        """Where the page says that the text is kept."""
        return self.page.locator("[data-saved]")

    @property
    def text(self) -> str:
        """What a form would send now."""
        return str(self.page.locator("textarea[name=source]").first.input_value())

    @property
    def heard(self) -> list[str]:
        """What the live region said since the page was opened."""
        return [str(each) for each in self.page.evaluate("window.heard")]

    @property
    def place(self) -> int:
        """The divider's place, in percent."""
        return int(self.page.locator(".divider").get_attribute("aria-valuenow") or 0)

    def note(self, text: str) -> Locator:
        """The note that says this."""
        return self.page.locator(".note").filter(has_text=text)

    def use_keys(self, name: str) -> None:
        """Choose a key map on the sheet of keys, and close it."""
        self.page.locator("[data-keys]").click()
        self.page.locator("[data-keymap]").select_option(name)
        self.page.locator("#keys [data-close]").click()

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def write(self, source: str) -> None:
        """Put this text in place of what is in the editor, as by pasting."""
        self.editor.focus()
        self.press("Control+a")
        self.page.keyboard.insert_text(source)

    def type(self, text: str) -> None:
        """Type at the end of the text."""
        self.editor.focus()
        self.press("Control+End")
        self.page.keyboard.type(text)

    def submit(self, source: str) -> None:
        """Write, submit by the keyboard, and wait for the report."""
        self.write(source)
        self.press("Control+Shift+Enter")
        expect(self.results).to_have_attribute("data-kind", "submission")
        expect(self.results).not_to_have_attribute("aria-busy", "true")

    def focused(self) -> str:
        """The id, class or tag of what has the focus."""
        script = "(e => e.id || e.className || e.tagName)(document.activeElement)"
        return str(self.page.evaluate(script))
