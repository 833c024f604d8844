"""A learner in front of the page: opens, writes, presses keys, reads, hears."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, Route, expect

PATIENCE_MS = 90_000
"""How long a test waits for what must come: a machine in use is slow, and that is no failure."""

CASES = Path(__file__).parent.parent / "cases"


def _program(path: str) -> str:
    """A program of the cases as a learner would have it: without the lines that say what it is."""
    return re.sub(r"^(# .*\n)+", "", (CASES / path).read_text())


RIGHT = _program("ok/01_reshape_transpose.py")
WRONG = _program("wrong/31_split_direct_reshape.py")
SLUG = "multi-head-attention"

_KEPT = """() => Object.entries(localStorage).flatMap(([key, value]) =>
  key.startsWith("draft:") ? [JSON.parse(value).source] : [])"""

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
            self._ready()
        return self

    def _ready(self) -> None:
        expect(self.editor).to_be_visible()
        self.page.evaluate("document.fonts.ready.then(() => 0)")
        self.page.evaluate(_LISTEN)

    def until(self, holds: str, argument: object = None) -> None:
        """Wait until an expression of the page holds; fails where it never does.

        Asked anew from here: the page's policy allows no evaluation within it, so that Playwright's
        own `wait_for_function` fails where it has to look twice.
        """
        end = time.monotonic() + PATIENCE_MS / 1000
        while not self.page.evaluate(holds, argument):
            assert time.monotonic() < end, holds
            self.page.wait_for_timeout(50)

    def tab(self) -> Learner:
        """The exercise in another tab, once what this tab keeps on the device can be seen there."""
        mine = self.page.evaluate(f"({_KEPT})()")
        other = Learner(self.page.context.new_page(), self.site).open("/")
        other.sees(*mine)
        return other.open()

    def sees(self, *texts: str) -> None:
        """Wait until drafts with these texts can be seen from this tab: browsers promise no moment
        at which what one tab keeps is there for another."""
        seen = (
            f"texts => {{ const kept = ({_KEPT})(); return texts.every(t => kept.includes(t)); }}"
        )
        self.until(seen, list(texts))

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
        self._ready()

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
    def tabs(self) -> Locator:
        """The tabs over the statement: of all that is brought up to date after a submission."""
        return self.page.locator("[data-fresh=tabs]")

    @property
    def source(self) -> Locator:
        """The text area under the editor: what a form would send."""
        return self.page.locator("textarea[name=source]").first

    @property
    def text(self) -> str:
        """What a form would send now."""
        return str(self.source.input_value())

    def holds(self, text: str | re.Pattern[str]) -> None:
        """Wait until this is what a form would send."""
        expect(self.source).to_have_value(text)

    @property
    def heard(self) -> list[str]:
        """What the live region said since the page was opened."""
        return [str(each) for each in self.page.evaluate("window.heard")]

    def hears(self, words: str) -> None:
        """Wait until the live region has said this, whatever it says next."""
        said = "words => window.heard.some(each => each.includes(words))"
        self.until(said, words)

    def fits(self) -> None:
        """Wait until the page has settled and has no bar for sideways scrolling."""
        self.page.evaluate("document.fonts.ready.then(() => 0)")
        wide = self.page.viewport_size
        assert wide is not None
        narrow = "width => document.documentElement.scrollWidth <= width"
        self.until(narrow, wide["width"])

    def remembers(self, name: str, value: str | None) -> None:
        """Wait until this cookie goes with the next request, or with None, none of the name."""
        while value != next((c["value"] for c in self._cookies() if c["name"] == name), None):
            self.page.wait_for_timeout(50)

    def _cookies(self) -> list[Any]:
        return list(self.page.context.cookies())

    def note(self, text: str) -> Locator:
        """The note that says this."""
        return self.page.locator(".note").filter(has_text=text)

    def use_keys(self, name: str) -> None:
        """Choose a key map on the sheet of keys, and close it."""
        self.page.locator("[data-keys]").click()
        self.page.locator("[data-keymap]").select_option(name)
        expect(self.page.locator(f".cm-{name}Mode")).to_be_attached()
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
        """Write, submit by the keyboard, and wait for the report and all that comes with it."""
        counted = re.search(r"Submissions (\d+)", self.tabs.text_content() or "")
        assert counted
        self.write(source)
        self.press("Control+Shift+Enter")
        self.judged("submission")
        expect(self.tabs).to_contain_text(f"Submissions {int(counted[1]) + 1}")

    def run(self, source: str) -> None:
        """Write, run by the keyboard, and wait for the report."""
        self.write(source)
        self.press("Control+Enter")
        self.judged("run")

    def judged(self, kind: str) -> None:
        """Wait for the report of what is in the editor, asked for by a press and not by typing."""
        loud = f"#results[data-kind={kind}]:not([data-old], [aria-busy=true], .quiet)"
        expect(self.page.locator(loud)).to_have_count(1)

    def looks_until_judged(self) -> None:
        """Without a script: press "Look again" for as long as the submission is in line."""
        expect(self.results.locator("[data-in-line], .tests").first).to_be_visible()
        while self.results.locator("[data-in-line]").count():
            self.page.get_by_role("button", name="Look again").click()
            expect(self.results.locator("[data-in-line], .tests").first).to_be_visible()

    def stop_time(self) -> None:
        """Let the page's time stand still and move by `page.clock` alone, installed before."""
        self.page.clock.pause_at(self.page.evaluate("Date.now() / 1000 + 600"))

    def focused(self) -> str:
        """The id, class or tag of what has the focus."""
        script = "(e => e.id || e.className || e.tagName)(document.activeElement)"
        return str(self.page.evaluate(script))
