"""The divider: mouse, touch, arrow keys, double click; its place comes back with the page."""

from collections.abc import Callable

from playwright.sync_api import Browser, expect

from tests.browser.learner import PATIENCE_MS, SLUG, Learner

Opener = Callable[..., Learner]


def test_arrows_home_end_and_double_click_move_it(learner: Learner) -> None:
    divider = learner.open().page.locator(".divider")
    divider.focus()
    learner.press("ArrowRight", "ArrowRight", "ArrowLeft")
    expect(divider).to_have_attribute("aria-valuenow", "42")
    learner.press("End")
    expect(divider).to_have_attribute("aria-valuenow", "80")
    learner.press("Home")
    expect(divider).to_have_attribute("aria-valuenow", "20")
    divider.dblclick()
    expect(divider).to_have_attribute("aria-valuenow", "40")


def test_dragging_moves_it_and_the_panes_follow(learner: Learner) -> None:
    divider = learner.open().page.locator(".divider")
    box = divider.bounding_box()
    assert box is not None
    mouse = learner.page.mouse
    mouse.move(box["x"] + 4, box["y"] + 200)
    mouse.down()
    mouse.move(box["x"] + 200, box["y"] + 220, steps=4)
    mouse.up()
    at = "x => Math.abs(document.querySelector('.divider').getBoundingClientRect().x - x) < 12"
    learner.until(at, box["x"] + 196)
    moved = divider.bounding_box()
    mouse.move(box["x"] - 100, box["y"])
    assert divider.bounding_box() == moved


def test_touch_moves_it(open_learner: Opener) -> None:
    learner = open_learner(has_touch=True).open()
    box = learner.page.locator(".divider").bounding_box()
    assert box is not None
    session = learner.page.context.new_cdp_session(learner.page)
    for kind, x in (("touchStart", 4), ("touchMove", 60), ("touchMove", 150)):
        points = [{"x": box["x"] + x, "y": box["y"] + 200}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    moved = "document.querySelector('.divider').getAttribute('aria-valuenow') > 45"
    learner.until(moved)


def test_its_place_comes_with_the_page_even_before_the_script(
    learner: Learner, browser: Browser
) -> None:
    learner.open().page.locator(".divider").focus()
    learner.press("ArrowRight")
    plain = browser.new_context(java_script_enabled=False)
    plain.set_default_timeout(PATIENCE_MS)
    learner.remembers("split", "42")
    plain.add_cookies(learner.page.context.cookies())  # type: ignore[arg-type]
    page = plain.new_page()
    page.goto(f"{learner.site}/exercises/{SLUG}")
    expect(page.locator(".divider")).to_have_attribute("aria-valuenow", "42")
    assert "42%" in (page.locator(".bench").get_attribute("style") or "")
    plain.close()
