"""Whatever a learner, an author or the jail writes is text: escaped, nothing in it invisible."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from app.web.html.code import highlighted
from app.web.html.render import data_block
from app.web.html.text import ticks, verbatim
from tests.web.browser import Browser, Page
from tests.web.server import Server
from tests.web.test_api import API
from tests.web.test_pages import MHA
from tests.web.texts import MARKDOWN

EVIL = "</textarea></script><script>alert(1)</script><img src=x onerror=alert(2)>"
HOSTILE = f'''import numpy as np
print("{EVIL} \\x1b[31m \\u202e \\x00")
def multi_head_attention(Q, K, V, num_heads):
    print("{EVIL}", "\\u2066")
    raise ValueError("{EVIL} `code` \\u202e\\x07 **bold** [link](javascript:alert(1))")
'''


def test_output_and_exceptions_are_text_on_the_page(jailed: Server) -> None:
    answer = jailed.post(f"{API}/submissions", {"source": HOSTILE, "html": True}).json
    page = jailed.ask(
        "GET", f"/submissions/{answer['submission']}?read_token={answer['read_token']}"
    )
    for html in (answer["html"], page.body.decode()):
        assert "<script>alert" not in html and "<img src=x" not in html
        for sign in ("\x1b", "\u202e", "\x00", "\u2066", "\x07"):
            assert sign not in html
        assert "\\x1b[31m" in html and "\\u202e" in html and "\\u2066" in html
        assert "javascript:" not in "".join(Page(html, "").links)


def test_hidden_cases_show_nothing_that_was_printed_or_raised(jailed: Server) -> None:
    answer = jailed.post(f"{API}/submissions", {"source": HOSTILE, "html": True}).json
    hidden = answer["html"].split('<li style="--i:2">')[1]
    assert "alert" not in hidden.split("</ol>")[0]
    assert all(test["stdout"] is None for test in answer["tests"] if not test["visible"])


def test_code_goes_back_into_the_editor_as_it_was(browser: Browser) -> None:
    browser.go(MHA)
    source = f"x = '{EVIL}'\n# \u202e &amp; <b>\n"
    browser.type("source", source)
    page = browser.press("Run examples")
    assert page.value("source") == source and "<script>alert" not in page.html


def test_a_shared_copy_shows_invisible_characters_as_escapes(client: TestClient) -> None:
    source = f"# {EVIL} \u202e\u200b\ndef multi_head_attention(Q, K, V, num_heads):\n    return Q\n"
    report = client.post(f"{API}/submissions", json={"source": source}).json()
    url = client.post(f"/api/submissions/{report['submission']}/share").json()["url"]
    html = client.get(url).text
    assert "\u202e" not in html and "\\u202e\\u200b" in html and "<script>alert" not in html


def test_names_and_codes_are_text(browser: Browser) -> None:
    browser.go("/progress")
    browser.type("name", EVIL[:70])
    page = browser.press("Save")
    assert page.value("name") == EVIL[:70] and "<script>alert" not in page.html
    browser.type("code", EVIL)
    page = browser.press("Check the code")
    assert page.value("code") == EVIL and "<script>alert" not in page.html


def test_an_address_is_text(client: TestClient) -> None:
    html = client.get("/exercises/<script>alert(1)</script>%E2%80%AE").text
    assert "<script>alert" not in html and "\u202e" not in html


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "[a](javascript:alert(1))",
        "![a](javascript:alert(1))",
        "![x](drawing:../../app/main)",
        "$\\href{javascript:alert(1)}{x}$ $\\text{<script>}$",
        "$$\\unknown{<script>}$$",
        "```python\n</code><script>\n```",
        "<details open ontoggle=alert(1)>",
    ],
)
def test_an_authors_markdown_can_do_nothing(text: str) -> None:
    html = str(MARKDOWN.rendered(text))
    assert "<script" not in html and "<details" not in html
    for _tag, attributes in Page(html, "").tags:
        assert not any(name.startswith("on") for name in attributes)
        assert "javascript:" not in "".join(attributes.values())


def test_headings_in_a_fence_are_no_sections() -> None:
    found = MARKDOWN.sections("## One\n\n```\n## not one\n```\n\n## Two & <b>\n\ntext")
    assert [section.title for section in found] == ["One", "Two & <b>"]


def test_ticks_mark_code_and_nothing_else() -> None:
    assert ticks("use `a < b` & <b> `") == "use <code>a &lt; b</code> &amp; &lt;b&gt; `"


def test_a_textarea_keeps_its_first_empty_line() -> None:
    assert verbatim("\n<a>\x00\ud800") == "\n\n&lt;a&gt;\ufffd\ufffd"


def test_a_data_block_cannot_end_its_element() -> None:
    block = data_block({"a": "</script><!-- &amp; \ud800"})
    assert not set("<>&") & set(block) and block.isascii()


def test_code_is_coloured_and_escaped() -> None:
    html = highlighted("def f(x):  # <b>\n    return '&' + str(1.5)\n")
    assert '<span class="k">def</span>' in html and '<span class="f">f</span>' in html
    assert '<span class="c"># &lt;b&gt;</span>' in html and '<span class="m">1.5</span>' in html
