"""The pages one reads."""

from __future__ import annotations

import platform
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.catalog import Catalog, ExerciseError, ExerciseErrors
from app.config import Settings
from app.model import Exercise, Expectations, Slug
from app.web.html.text import lasting
from app.web.pages.home import home_sections
from tests.service.world import EXERCISES, World
from tests.web.browser import Browser
from tests.web.server import opened

MHA = "/exercises/multi-head-attention"
FOLDER = EXERCISES / "multi-head-attention"
TRACED = Path(__file__).parents[1] / "tracing" / "mistakes"
REFERENCE = (FOLDER / "reference.py").read_text()
WRONG = "import numpy as np\n\ndef multi_head_attention(Q, K, V, num_heads):\n    return Q + 1\n"


def test_the_page_holds_all_the_exercise_says_in_order(browser: Browser) -> None:
    text = browser.go(MHA).text
    parts = [
        "Transformer Architecture",
        "hard",
        "What you’ll build",
        "Background",
        "Formula",
        "Inputs",
        "Expected return format",
        "Edge cases and conventions",
        "Constraints",
        "Examples",
        "Hints",
        "Follow-up",
        "Vaswani et al.",
    ]
    at = 0
    for part in parts:
        at = text.index(part, at)


def test_the_examples_are_printed_from_the_reference(browser: Browser) -> None:
    text = browser.go(MHA).text
    assert ">>> Q = K = np.array([[ 1.0 , 0.0 , 0.0 , 1.0 ]" in text
    assert ">>> multi_head_attention(Q, K, V, num_heads= 2 )" in text
    assert "array([[ 2.321 , 3.321 , 4.321 , 5.321 ], [ 3.679 , 4.679 , 5.679 , 6.679 ]])" in text
    assert "multi_head_attention(Q, K, V, num_heads= 8 ).shape ( 4 , 64 )" in text


def test_the_page_says_which_python_runs(browser: Browser) -> None:
    version = ".".join(platform.python_version_tuple()[:2])
    assert f"Python {version}, NumPy only" in " ".join(browser.go(MHA).text.split())


def test_formulas_are_mathml_and_no_tex_is_left(browser: Browser) -> None:
    html = browser.go(MHA).html
    assert html.count("<math") > 8
    assert "\\frac" not in html and "$" not in browser.page.text


def test_the_starter_stands_in_the_editor_word_for_word(browser: Browser) -> None:
    starter = (FOLDER / "starter.py").read_text()
    assert browser.go(MHA).value("source") == starter


def test_code_that_begins_with_empty_lines_keeps_them(browser: Browser) -> None:
    browser.go(MHA)
    browser.type("source", "\n\n" + WRONG)
    assert browser.press("Submit").value("source") == "\n\n" + WRONG


def test_the_six_tests_are_named_before_anything_is_run(browser: Browser) -> None:
    page = browser.go(MHA)
    tags = [a.get("class") for tag, a in page.tags if tag == "span"]
    assert tags.count("mark wait") == 6
    assert page.text.count("Not run hidden") + page.text.count(" hidden ") == 4
    assert "The statement's first example: two tokens, two heads" in page.text


def test_home_leads_to_every_exercise_and_says_what_it_builds_on(browser: Browser) -> None:
    page = browser.go("/")
    for slug in ("stable-softmax", "multi-head-attention", "weighted-mean"):
        assert f"/exercises/{slug}" in page.links
    assert "Start: Weighted Mean" in page.text
    assert "after scaled-dot-product-attention" in page.text


def test_home_offers_to_go_on_where_one_was(browser: Browser) -> None:
    browser.go(MHA)
    browser.type("source", WRONG)
    browser.press("Submit")
    page = browser.go("/")
    assert "Continue: Multi-Head Attention" in page.text and "0 of 6" in page.text


def test_an_address_nearly_right_names_the_exercise_meant(browser: Browser) -> None:
    page = browser.go("/exercises/multihead-attention")
    assert browser.status == 404
    assert "Perhaps you were looking for Multi-Head Attention" in page.text
    assert MHA in page.links and "/" in page.links


def test_another_learners_submission_is_a_404(visit: Callable[..., TestClient]) -> None:
    owner = Browser(visit(follow_redirects=True))
    owner.go(MHA)
    owner.type("source", WRONG)
    address = owner.press("Submit").url.split("#")[0].split("?")[0]
    stranger = Browser(visit(follow_redirects=True))
    stranger.go(MHA)
    assert (
        "There is no such submission, or it belongs to somebody else." in stranger.go(address).text
    )
    assert stranger.status == 404


def test_progress_tells_what_was_done(browser: Browser) -> None:
    assert "Nothing yet" in browser.go("/progress").text
    browser.go(MHA)
    browser.type("source", REFERENCE)
    browser.press("Submit")
    text = browser.go("/progress").text
    assert "1 of 3" in text and "Submission 1" in text and "all passed" in text


def test_the_table_of_submissions_names_each_mistake_of_a_set(browser: Browser) -> None:
    one = (TRACED / "plain_scale_d_model.py").read_text()
    browser.go(MHA)
    assert "mistakes when" not in browser.page.text
    for source in (one, one.replace("axis=-1", "axis=1"), REFERENCE):
        browser.go(MHA)
        browser.type("source", source)
        browser.press("Submit")
    table = browser.page.text
    table = table[table.index("submission result") : table.index("What changed between")]
    assert table.startswith("submission result mistakes when changed")
    first, second, third = (
        table.index("Submission 3"),
        table.index("Submission 2"),
        table.index("Submission 1"),
    )
    assert "Scaled by" not in table[first:second]
    assert "Scaled by the full width Softmax over the queries" in table[second:third]
    assert "Scaled by the full width" in table[third:]
    assert "Softmax over the queries" not in table[third:]


def test_progress_counts_each_mistake_of_a_set(browser: Browser) -> None:
    """One try with a mistake alone, one with it beside another, then a right one."""
    one = (TRACED / "plain_scale_d_model.py").read_text()
    for source in (one, one.replace("axis=-1", "axis=1")):
        browser.go(MHA)
        browser.type("source", source)
        browser.press("Submit")
    text = browser.go("/progress").text
    met = text[text.index("Mistakes you have met") : text.index("Submission 1")]
    assert "2 tries Scaled by the full width" in met
    assert "1 try Softmax over the queries" in met
    assert "fixed" not in met
    browser.go(MHA)
    browser.type("source", REFERENCE)
    browser.press("Submit")
    text = browser.go("/progress").text
    assert text[text.index("Mistakes you have met") :].count("fixed") == 2


def test_an_accepted_submission_stays_after_a_reload(browser: Browser) -> None:
    browser.go(MHA)
    browser.type("source", (EXERCISES / "multi-head-attention" / "reference.py").read_text())
    assert "Right on all" in browser.press("Submit").text
    again = browser.go(MHA)
    assert "Right on all" in again.text and "submission 1" in again.text
    assert "data-accepted" in again.html


def test_an_accepted_report_shows_ones_time_beside_those_of_other_right_ways(
    browser: Browser, world: World
) -> None:
    browser.go(MHA)
    browser.type("source", (EXERCISES / "multi-head-attention" / "reference.py").read_text())
    browser.press("Submit")
    assert world.opened[-1].timings.get(Slug("multi-head-attention"), 60)
    table = browser.go(MHA).html.split('id="times"')[1].split("</table>")[0]
    rows = re.findall(r'<th scope="row">(?:<b>)?([^<]+)', table)
    assert sorted(rows) == [
        "Einsum", "Loop over heads", "Reference solution", "Split and concatenate", "Yours",
    ]  # fmt: skip
    assert table.count(" ms</td>") == 5


def test_own_input_begins_with_the_first_examples_arguments(browser: Browser) -> None:
    own = browser.go(MHA).value("arguments")
    assert "Q = np.array(" in own and "num_heads = " in own


def test_what_changed_between_two_submissions_is_shown(browser: Browser) -> None:
    browser.go(MHA)
    browser.type("source", WRONG)
    browser.press("Submit")
    browser.type("source", WRONG.replace("Q + 1", "Q + 2"))
    page = browser.press("Submit")
    assert "What changed between 1 and 2" in page.text
    address = next(link for link in page.links if "/changes/" in link)
    html = browser.go(address).html
    assert '<div class="del" data-n="4"><code>    return Q + 1</code></div>' in html
    assert '<div class="add" data-n="4"><code>    return Q + 2</code></div>' in html


def test_a_shared_copy_is_read_only_unindexed_and_ends_with_the_link(
    browser: Browser, visit: Callable[..., TestClient]
) -> None:
    browser.go(MHA)
    browser.type("source", WRONG)
    browser.press("Submit")
    page = browser.press("Share a read-only copy")
    link = next(word for word in page.text.split() if "/shared/" in word)
    stranger = visit()
    answer = stranger.get(link)
    assert answer.status_code == 200 and "Q + " in answer.text
    assert answer.headers["x-robots-tag"] == "noindex"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.text.count("<form") == 1 and 'action="/theme"' in answer.text
    assert "set-cookie" not in answer.headers
    browser.press("Take it back")
    assert stranger.get(link).status_code == 404


def test_an_exercise_whose_author_erred_can_be_read_and_says_why_it_does_not_judge(
    tmp_path: Path, shelf: Path
) -> None:
    def erring(_exercise: Exercise) -> Expectations:
        raise ExerciseErrors((ExerciseError("cases.py", "one_head", "it raises"),))

    world = World(tmp_path, folders=(shelf,), compute=erring)
    site = opened(world.service(started=False), Settings(data=tmp_path))
    with TestClient(site) as client:
        browser = Browser(client)
        assert "be judged right now" in browser.go(MHA).text and "Background" in browser.page.text
        browser.type("source", WRONG)
        page = browser.press("Submit")
        assert browser.status == 503 and "being repaired" in page.text
        assert "it raises" not in page.text and page.value("source") == WRONG
    world.close()


def test_the_interface_has_a_page_of_its_own(browser: Browser) -> None:
    text = browser.go("/docs").text
    assert "POST /api/exercises/{slug}/submissions" in text
    assert "source string, required" in text


def test_a_page_that_did_not_change_is_not_sent_again(client: TestClient) -> None:
    first = client.get("/")
    again = client.get("/", headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 304 and not again.content
    dark = client.get("/", headers={"if-none-match": first.headers["etag"], "cookie": "theme=dark"})
    assert dark.status_code == 200 and 'data-theme="dark"' in dark.text


def test_the_theme_and_the_divider_are_there_before_the_first_paint(client: TestClient) -> None:
    html = client.get(MHA, headers={"cookie": "theme=light; split=55"}).text
    assert '<html lang="en" data-theme="light">' in html and "--split:55%" in html
    odd = client.get(MHA, headers={"cookie": 'theme="><script>; split=9999999'}).text
    assert "<script>" not in odd and "--split" not in odd


def test_the_bundle_is_kept_for_ever_and_sent_compressed(client: TestClient) -> None:
    page = Browser(client).go("/")
    sheet = next(a["href"] for t, a in page.tags if t == "link" and a["rel"] == "stylesheet")
    for coding in ("br", "gzip"):
        answer = client.get(sheet, headers={"accept-encoding": coding})
        assert answer.headers["content-encoding"] == coding
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    plain = client.get(sheet, headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers and plain.headers["vary"] == "Accept-Encoding"
    for name in ("manifest.json", "..%2fbuild.mjs", "nothing.js", "app.css.br"):
        assert client.get(f"/static/{name}").status_code == 404


def test_head_is_answered_where_get_is(client: TestClient) -> None:
    assert client.head("/").status_code == 200 and client.head("/healthz").status_code == 200


def test_progress_counts_attempts_and_hints_and_dates_the_first_pass(browser: Browser) -> None:
    browser.go(MHA)
    browser.type("source", WRONG)
    browser.press("Submit")
    browser.press("Open hint 1")
    assert "not yet" in browser.go("/progress").text
    browser.go(MHA)
    browser.type("source", REFERENCE)
    browser.press("Submit")
    text = browser.go("/progress").text
    table = text.split("first passed", 1)[1].split("Submission 2")[0]
    assert "Multi-Head Attention 2 1 of 5 29 Nov, 12:00 UTC 1 s after the first try" in table


def test_progress_says_how_long_the_first_pass_took_and_leads_to_ones_data(
    browser: Browser,
) -> None:
    browser.go(MHA)
    browser.type("source", REFERENCE)
    browser.press("Submit")
    page = browser.go("/progress")
    assert "29 Nov, 12:00 UTC at the first try" in page.text
    assert "/me" in page.links
    assert "Download (zip)" in browser.go("/me").text and "Delete it" in browser.page.text


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "1 s"), (29, "29 s"), (720, "12 min"), (7_500, "2 h 5 min"), (260_000, "3 days")],
)
def test_a_stretch_of_time_is_said_in_a_unit_that_fits(seconds: int, words: str) -> None:
    assert lasting(timedelta(seconds=seconds)) == words


def test_a_section_in_which_nothing_builds_on_anything_has_no_map(browser: Browser) -> None:
    page = browser.go("/")
    assert "Weighted Mean" in page.text and 'class="map"' not in page.html
    assert all(section.map.edges for section in home_sections(Catalog([EXERCISES]).all(), {}))
