"""The exercise page is light and does not move while it loads; the figures are printed."""

from playwright.sync_api import Response, expect

from tests.browser.learner import SLUG, WRONG, Learner

_WATCH = """
window.shift = 0;
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({type: "layout-shift", buffered: true});
"""

_PAINTED = """() => new Promise(done => new PerformanceObserver(list => {
  if (list.getEntriesByName("first-contentful-paint").length) done();
}).observe({type: "paint", buffered: true}))"""
_BLOCKING = """() => performance.getEntriesByType("resource")
  .filter(entry => entry.renderBlockingStatus === "blocking").map(entry => entry.name)"""
_NAMED = """() => [...document.querySelectorAll("script[src], link[rel=modulepreload]")]
  .map(each => each.src || each.href)"""
_LISTED = """() => {
  const {content} = document.querySelector("template[data-later]");
  return [...content.querySelectorAll("link[integrity]")]
    .map(link => new URL(link.getAttribute("href"), location.href).href);
}"""


def test_the_exercise_page_weighs_at_most_200_kb_without_fonts(learner: Learner) -> None:
    answers: list[Response] = []
    learner.page.on("response", lambda answer: answers.append(answer))
    learner.open()
    learner.page.wait_for_load_state("networkidle")
    sizes = {answer.url.rsplit("/", 1)[-1]: _wire(answer) for answer in answers}
    fonts = sum(size for name, size in sizes.items() if name.endswith(".woff2"))
    rest = sum(size for name, size in sizes.items() if not name.endswith(".woff2"))
    print(f"\nexercise page: {rest / 1000:.1f} kB compressed, and {fonts / 1000:.1f} kB of fonts")
    assert rest <= 200_000
    assert fonts <= 110_000


def _wire(answer: Response) -> int:
    sizes = answer.request.sizes()
    return sizes["responseBodySize"] + sizes["responseHeadersSize"]


def test_the_page_is_painted_before_any_script_came(learner: Learner) -> None:
    answers: list[Response] = []
    learner.page.on("response", lambda answer: answers.append(answer))
    with learner.held_back("**/static/site-*.js"):
        learner.page.goto(f"{learner.site}/exercises/{SLUG}", wait_until="commit")
        learner.page.evaluate(_PAINTED)
        blocking = learner.page.evaluate(_BLOCKING)
        first, later = (set(learner.page.evaluate(each)) for each in (_NAMED, _LISTED))
    expect(learner.editor).to_be_visible()
    scripts = {answer.url: _wire(answer) for answer in answers if answer.url.endswith(".js")}
    before = sum(scripts[url] for url in first)
    print(f"\n{before / 1000:.1f} of {sum(scripts.values()) / 1000:.1f} kB of scripts come first")
    assert [url.rpartition(".")[2] for url in blocking] == ["css"]
    assert before <= 8_000
    assert set(scripts) == first | later  # the page says of every script what it must hash to


def test_nothing_moves_while_the_page_loads(learner: Learner) -> None:
    learner.page.add_init_script(_WATCH)
    learner.page.goto(f"{learner.site}/exercises/{SLUG}")
    expect(learner.editor).to_be_visible()
    learner.page.wait_for_load_state("networkidle")
    shift = learner.page.evaluate("window.shift")
    print(f"\nlayout shift of the exercise page: {shift:.4f}")
    assert shift < 0.02


def test_nothing_moves_when_a_kept_text_is_opened(learner: Learner) -> None:
    learner.open().write(WRONG)
    learner.press("Control+s")
    learner.hears("Saved.")
    learner.page.add_init_script(_WATCH)
    learner.reload()
    learner.page.wait_for_load_state("networkidle")
    shift = learner.page.evaluate("window.shift")
    print(f"\nlayout shift with a kept text: {shift:.4f}")
    assert shift < 0.02


def test_assets_are_kept_for_ever_and_sent_compressed(learner: Learner) -> None:
    answers: list[Response] = []
    learner.page.on("response", lambda answer: answers.append(answer))
    learner.open()
    static = [answer for answer in answers if "/static/" in answer.url]
    assert static
    assert {answer.headers.get("cache-control") for answer in static} == {
        "public, max-age=31536000, immutable"
    }
    scripts = [answer for answer in static if answer.url.endswith((".js", ".css"))]
    assert {answer.headers.get("content-encoding") for answer in scripts} <= {"br", "gzip"}


def test_the_mathematical_font_is_fetched_only_for_formulas(learner: Learner) -> None:
    fetched: list[str] = []
    learner.page.on("request", lambda request: fetched.append(request.url))
    learner.open("/progress")
    learner.page.wait_for_load_state("networkidle")
    assert [url for url in fetched if "math" in url] == []
