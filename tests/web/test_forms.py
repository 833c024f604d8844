"""Without a script: all a learner does is forms, and no press of a button loses a letter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from starlette.testclient import TestClient

from app.config import Settings
from app.model import LearnerId, Slug
from app.web.session import COOKIE, Sessions
from tests.service.world import World
from tests.web.browser import Browser, Page
from tests.web.conftest import ROOMY
from tests.web.server import SECRET, opened
from tests.web.test_pages import MHA, REFERENCE, WRONG

SLUG = Slug("multi-head-attention")
MERGE = """import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    w = d // num_heads
    q, k, v = (x.reshape(n, num_heads, w).transpose(1, 0, 2) for x in (Q, K, V))
    s = q @ k.transpose(0, 2, 1) / np.sqrt(w)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return (e / e.sum(axis=-1, keepdims=True) @ v).reshape(n, d)
"""


def test_a_learner_fails_reads_takes_a_hint_and_passes(browser: Browser) -> None:
    browser.go(MHA)
    browser.type("source", MERGE)
    page = browser.press("Submit")
    assert page.html.count("2 of 6") and "Every number is right" in page.text
    page = browser.press("Open hint 1")
    assert "run ordinary attention on just those" in page.text
    assert page.value("source") == MERGE
    browser.type("source", REFERENCE)
    page = browser.press("Submit")
    assert "Right on all six." in page.text
    assert "Largest error" in page.text and "on the visible tests" in page.text
    assert "Still to think about" in page.text
    page = browser.press("Compare with the reference")
    assert "Loop over heads" in page.text and page.value("source") == REFERENCE


def test_run_shows_the_examples_and_records_nothing(browser: Browser) -> None:
    browser.go(MHA)
    browser.type("source", WRONG)
    page = browser.press("Run examples")
    assert "examples equal" in page.text and "Submissions 0" in page.text
    assert page.value("source") == WRONG
    assert "yours − expected" in page.text


def test_own_input_runs_both_and_stays_in_its_field(browser: Browser) -> None:
    browser.go(MHA)
    browser.type("source", WRONG)
    own = "np.ones((2, 4)), np.ones((2, 4)), np.ones((2, 4)), 2"
    browser.type("arguments", own)
    page = browser.press("Run both")
    assert "Not equal to the reference" in page.text
    assert page.value("arguments") == own and page.value("source") == WRONG


def test_own_input_that_is_no_python_gets_a_sentence_and_keeps_both_texts(
    browser: Browser,
) -> None:
    browser.go(MHA)
    browser.type("source", WRONG)
    browser.type("arguments", "np.ones((2,")
    page = browser.press("Run both")
    assert page.value("arguments") == "np.ones((2," and page.value("source") == WRONG
    assert "Your own input was not run" in page.text
    assert page.button("Run both").attributes["formaction"].endswith("/run#results")


def test_hints_open_in_order_only(browser: Browser, visit: Callable[..., TestClient]) -> None:
    browser.go(MHA)
    assert "Open hint 2" not in browser.page.text
    early = visit(follow_redirects=True).post(f"{MHA}/hints", data={"number": "3"})
    assert early.status_code == 200 and "Hints 0 of 5" in early.text
    for number in range(1, 6):
        page = browser.press(f"Open hint {number}")
        assert f"Hints {number} of 5" in page.text
    assert "Show me the solution" in page.text


def test_code_typed_since_a_submission_is_kept_by_every_button(browser: Browser) -> None:
    browser.go(MHA)
    browser.type("source", WRONG)
    browser.press("Submit")
    browser.type("source", MERGE)
    assert browser.press("Open hint 1").value("source") == MERGE
    browser.type("source", MERGE + "# more\n")
    browser.type("answer-1", "4 * d_model^2")
    page = browser.press("Check")
    assert page.value("source") == MERGE + "# more\n"
    assert "the count does not depend on num_heads" in page.text


def test_enter_in_a_field_keeps_what_is_typed(browser: Browser) -> None:
    """The first button of a form is what Enter presses: it must not open a hint."""
    page = browser.go(MHA)
    first = next(c for c in page.controls if c.tag == "button" and c.owner == "work")
    assert first.text == "Keep what is typed"
    browser.type("source", MERGE)
    page = browser.press("Keep what is typed")
    assert page.value("source") == MERGE and "Hints 0 of 5" in page.text


def test_own_words_are_kept_before_the_answer_is_shown(browser: Browser) -> None:
    page = browser.go(MHA)
    assert "A reshape keeps the elements in their order" not in page.text
    browser.type("answer-2", "because memory\nhas an order")
    page = browser.press("Save mine and show the answer")
    assert "A reshape keeps the elements in their order" in page.text
    assert page.value("answer-2") == "because memory\nhas an order"


def test_another_draft_is_opened_and_this_one_kept(browser: Browser, world: World) -> None:
    service = world.opened[0]
    browser.go(MHA)
    browser.type("source", WRONG)
    browser.press("Keep what is typed")
    learner = _learner(browser)
    service.drafts.save(learner, SLUG, b"# from another device\n", base=None, device="phone")
    world.wait(minutes=1)
    page = browser.go(MHA)
    assert page.value("source") == "# from another device\n"
    name = service.drafts.all(learner, SLUG).others[0].name
    browser.type("source", "# from another device\n# typed on\n")
    page = browser.press(name)
    assert page.value("source") == WRONG
    texts = {draft.source for draft in service.drafts.all(learner, SLUG).others}
    opened = service.drafts.all(learner, SLUG).opened
    assert opened is not None
    assert b"# from another device\n# typed on\n" in {opened.source, *texts}


def test_a_form_without_its_cookie_is_judged_and_its_page_can_be_read(
    visit: Callable[..., TestClient],
) -> None:
    """A browser that refuses cookies gets the way back in the address."""
    client = visit()
    posted = client.post(f"{MHA}/submissions", data={"source": WRONG}, headers={"cookie": ""})
    assert posted.status_code == 303 and "set-cookie" in posted.headers
    client.cookies.clear()
    page = client.get(posted.headers["location"])
    assert page.status_code == 200 and "0 of 6" in page.text
    assert "This browser sends no cookie of ours" in page.text
    assert client.get(posted.headers["location"].split("?")[0]).status_code == 404


def test_a_browser_that_refuses_cookies_keeps_its_code_at_every_button(
    visit: Callable[..., TestClient],
) -> None:
    client = visit()
    for button, more in (("hints", {"number": "1"}), ("keep", {"answer-1": "7"}), ("solution", {})):
        client.cookies.clear()
        got = client.post(f"{MHA}/{button}", data={"source": MERGE, **more})
        page = Page(got.text, button)
        assert got.status_code == 200 and page.value("source") == MERGE
        assert "This browser sends no cookie of ours" in page.text
    client.cookies.clear()
    opened = client.post(f"{MHA}/hints", data={"source": MERGE, "number": "1"})
    assert "run ordinary attention on just those" in Page(opened.text, "").text


def test_a_cookie_that_went_since_the_page_was_opened_costs_nothing_typed(
    browser: Browser,
) -> None:
    browser.go(MHA)
    browser.type("source", WRONG)
    browser.press("Submit")
    browser.type("source", MERGE)
    browser.client.cookies.clear()
    page = browser.press("Open hint 1")
    assert browser.status == 200 and page.value("source") == MERGE
    assert "Hints 1 of 5" in page.text
    assert browser.go(MHA).value("source") == MERGE


def test_a_refused_form_gives_back_every_field_not_only_the_code(
    tmp_path: Path, shelf: Path
) -> None:
    world = World(tmp_path, folders=(shelf,), allowance=replace(ROOMY, runs=1))
    own = "np.ones((2, 4)), np.ones((2, 4)), np.ones((2, 4)), 2"
    with TestClient(opened(world.service(started=False), Settings(data=tmp_path))) as client:
        browser = Browser(client)
        browser.go(MHA)
        browser.press("Run examples")
        browser.type("source", WRONG)
        browser.type("arguments", own)
        browser.type("answer-2", 'said \u202e so\nand "so"')
        page = browser.press("Run both")
        assert browser.status == 429 and page.value("source") == WRONG
        world.wait(minutes=1)
        page = browser.press("Try now")
        assert browser.status == 200 and page.value("arguments") == own
        assert "Not equal to the reference" in page.text
    world.close()


def test_the_address_of_a_form_leads_back_to_its_page(browser: Browser) -> None:
    browser.go(MHA)
    browser.press("Submit")
    page = browser.page.url.split("#")[0]
    for address, shown in (
        *((f"{MHA}/{form}", MHA) for form in ("run", "submissions", "hints", "solution", "keep")),
        (f"{MHA}/", MHA),
        ("/exercises/Multi_Head-attention", MHA),
        (f"{page}/share", page),
        (f"{page}/look", page),
        ("/progress/code", "/progress"),
        ("/exercises", "/"),
        ("/docs/", "/docs"),
    ):
        assert browser.go(address).url.endswith(shown) and browser.status == 200, address
    for address in ("/exercises/none/", "/submissions/%5Cevil.test/"):
        browser.go(address)
        assert browser.status == 404, address


def test_the_theme_is_kept_without_a_script_and_the_page_stays(client: TestClient) -> None:
    for theme, kept in (("dark", 'data-theme="dark"'), ("light", 'data-theme="light"')):
        chosen = client.post("/theme", data={"theme": theme})
        assert chosen.status_code == 204 and not chosen.content
        assert kept in client.get("/").text
    client.post("/theme", data={"theme": "neon"})
    assert 'data-theme="light"' in client.get("/").text
    client.post("/theme", data={"theme": "system"})
    assert "data-theme" not in client.get("/").text


def test_a_page_that_answers_a_form_is_kept_nowhere(client: TestClient) -> None:
    """It may hold a recovery code."""
    made = client.post("/progress/code", data={})
    assert made.headers["cache-control"] == "no-store" and "etag" not in made.headers
    again = client.post("/progress/code", data={}, headers={"if-none-match": "*"})
    assert again.status_code == 200


def test_a_guest_sees_nothing_else_of_the_owner(
    browser: Browser, visit: Callable[..., TestClient], world: World
) -> None:
    browser.go(MHA)
    for source in (WRONG, MERGE):
        browser.type("source", source)
        address = browser.press("Submit").url.split("#")[0]
    browser.press("Open hint 1")
    token = world.opened[0].submissions.read_token(address.rsplit("/", 1)[-1])  # type: ignore[arg-type]
    page = Browser(visit(follow_redirects=True)).go(f"{address}?read_token={token}")
    assert "Hints 0 of 5" in page.text and "Submissions 0" in page.text
    assert "Share a read-only copy" not in page.text and "submission 2" not in page.text


def test_a_name_that_cannot_be_kept_is_told_why(browser: Browser) -> None:
    browser.go("/progress")
    browser.type("name", "Ada")
    assert "Saved." not in browser.go("/progress").text
    browser.type("name", "Ada")
    kept = browser.press("Save")
    assert kept.value("name") == "Ada" and "Saved." in kept.text
    browser.type("name", "A" * 200)
    assert "up to 80 letters" in browser.press("Save").text


def test_work_is_brought_to_another_device_by_its_code(
    browser: Browser, visit: Callable[..., TestClient]
) -> None:
    browser.go(MHA)
    browser.type("source", WRONG)
    browser.press("Submit")
    browser.go("/progress")
    page = browser.press("Make a code")
    code = next(word for word in page.text.split() if word.count("-") == 3)
    assert code not in browser.go("/progress").text
    other = Browser(visit(follow_redirects=True))
    other.go("/progress")
    other.type("code", f" {code.lower()} ")
    assert "1 submission, 0 exercises passed, 0 hints" in other.press("Check the code").text
    page = other.press("Bring it here")
    assert "it is shown this once" in page.text and "Submission 1" in page.text
    assert "Submission 1" in other.go("/progress").text
    third = Browser(visit(follow_redirects=True))
    third.go("/progress")
    third.type("code", code)
    assert "don't know this code" in third.press("Check the code").text


def test_a_device_with_work_chooses_what_becomes_of_it(
    browser: Browser, visit: Callable[..., TestClient]
) -> None:
    """Without work there is one button; with some, to drop it is never the only one."""
    browser.go("/progress")
    page = browser.press("Make a code")
    code = next(word for word in page.text.split() if word.count("-") == 3)
    other = Browser(visit(follow_redirects=True))
    other.go(MHA)
    other.type("source", WRONG)
    other.press("Submit")
    other.go("/progress")
    other.type("code", code)
    page = other.press("Check the code")
    assert "Merge adds this device’s work. Switch drops it." in page.text
    assert "Bring it here" not in page.text
    assert "Submission 1" in other.press("Merge").text


def test_a_form_of_another_kind_or_without_code_is_refused_in_words(client: TestClient) -> None:
    odd = client.post(
        f"{MHA}/submissions", content=b"{}", headers={"content-type": "application/json"}
    )
    assert odd.status_code == 415 and "A form is sent as" in odd.text
    assert client.post(f"{MHA}/submissions", data={"number": "1"}).status_code == 422
    many = "&".join(f"a{n}=1" for n in range(200))
    assert client.post(f"{MHA}/keep", content=many).status_code in {400, 415}


def _learner(browser: Browser) -> LearnerId:
    """Who the browser's cookie says it is."""
    learner, _ = Sessions(SECRET).read(browser.client.cookies[COOKIE])
    assert learner is not None
    return learner
