"""Shapes stand in their own line: at every width, beside lines of every length, wrapped or not."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.learner import PATIENCE_MS, Learner

WIDTHS = (1440, 1024, 800, 390, 320)
LENGTHS = (20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140)

_BOXES = """() => [...document.querySelectorAll("#code .cm-line")].map((line, number) => {
  const note = line.querySelector(".trace");
  const box = line.getBoundingClientRect();
  if (!note) return {number: number + 1, line: [box.top, box.bottom], note: null};
  const at = note.getBoundingClientRect();
  const text = document.createRange();
  text.selectNodeContents(line);
  text.setEndBefore(note);
  const words = at.left + 16; // the note begins with a gap
  const over = [...text.getClientRects()].some(code => code.width > 1 && code.left < at.right &&
    code.right > words && code.top < at.bottom - 3 && code.bottom > at.top + 3);
  return {number: number + 1, line: [box.top, box.bottom], note: [at.top, at.bottom],
          inside: at.left >= box.left - 1 && at.right <= box.right + 1, over};
})"""


def _source() -> str:
    body = [f"    a{length} = Q" + " + Q" * ((length - 8) // 4) for length in LENGTHS]
    return "\n".join(["def multi_head_attention(Q, K, V, num_heads):", *body, "    return Q"])


def _traced(number: int, names: int) -> dict[str, Any]:
    """What one line assigned: one array, or several of one shape, which makes a wide note."""
    one = {"type_name": "ndarray", "shape": [8, 4, 8], "dtype": "float32", "text": ""}
    first = [one | {"name": f"variable_{n}"} for n in range(names)]
    return {"line": number, "passes": 3, "first": first, "last": first, "state": "equal"}


def _open(
    browser: Browser, site: str, width: int, pixels: float = 1.0, zoom: float = 1.0
) -> Learner:
    context = browser.new_context(
        viewport={"width": width, "height": 3000}, device_scale_factor=pixels
    )
    context.set_default_timeout(PATIENCE_MS)
    learner = Learner(context.new_page(), site).open()
    learner.page.evaluate("zoom => { document.documentElement.style.zoom = zoom; }", zoom)
    learner.page.locator("[data-live]").uncheck()
    lines = [_traced(n, 1 + n % 4) for n in range(2, len(LENGTHS) + 3)]

    def answer(route: Route) -> None:
        trace = {"lines": lines, "first_difference": 5}
        route.fulfill(json=route.fetch(timeout=0).json() | {"trace": trace, "problems": []})

    learner.page.route("**/runs", answer)
    learner.write(_source())
    learner.press("Control+Home", "Control+Enter")
    expect(learner.page.locator("#code .trace").first).to_be_visible()
    return learner


@pytest.mark.parametrize("width", WIDTHS)
def test_every_note_stands_within_its_own_line_and_over_no_code(
    browser: Browser, site: str, width: int
) -> None:
    _stands_in_its_line(_open(browser, site, width))


@pytest.mark.parametrize(
    ("width", "pixels", "zoom"),
    [
        pytest.param(720, 2.0, 1.0, id="1440 at 200 %"),
        pytest.param(400, 2.0, 1.0, id="800 at 200 %"),
        pytest.param(320, 4.0, 1.0, id="1280 at 400 %"),
        pytest.param(1440, 1.0, 2.0, id="all sizes doubled"),
    ],
)
def test_the_same_where_the_page_is_zoomed(
    browser: Browser, site: str, width: int, pixels: float, zoom: float
) -> None:
    """Zooming halves the width and doubles each pixel; `zoom` in CSS doubles all sizes."""
    _stands_in_its_line(_open(browser, site, width, pixels, zoom))


def _stands_in_its_line(learner: Learner) -> None:
    expect(learner.page.locator("#code .trace")).to_have_count(len(LENGTHS) + 1)
    boxes = learner.page.evaluate(_BOXES)
    noted = [box for box in boxes if box["note"]]
    assert len(noted) == len(LENGTHS) + 1
    outside = [
        box["number"]
        for box in noted
        if box["note"][0] < box["line"][0] - 0.5
        or box["note"][1] > box["line"][1] + 0.5
        or not box["inside"]
    ]
    assert outside == []
    assert [box["number"] for box in noted if box["over"]] == []
    edges = [(a["line"][1], b["line"][0]) for a, b in zip(boxes, boxes[1:], strict=False)]
    assert [edge for edge in edges if edge[0] > edge[1] + 0.5] == []
    learner.fits()
