"""What lists of submissions show is what their reports show: the same six cells in one order."""

from __future__ import annotations

import re
from pathlib import Path

import httpx2 as httpx
from starlette.testclient import TestClient

from app.web.html.standing_alone import imports_numpy
from tests.web.browser import Browser
from tests.web.server import Server

SLUG = "multi-head-attention"
MHA = f"/exercises/{SLUG}"
CASES = Path(__file__).parents[1] / "cases"
RESHAPED = (CASES / "wrong/31_split_direct_reshape.py").read_text()
RIGHT = (CASES / "ok/01_reshape_transpose.py").read_text()
_SIX = re.compile(
    r'<span class="six(?: sm)?" role="img" aria-label="2 of 6[^"]*">(.*?)</span>', re.S
)


def _cells(html: str) -> list[str]:
    """Each picture of the cells on a page, "x" or "p" a test."""
    return ["".join(re.findall(r'class="([xp])"', six)) for six in _SIX.findall(html)]


def test_the_cells_stand_in_the_order_of_the_tests_everywhere(
    browser: Browser, client: TestClient
) -> None:
    browser.go(MHA)
    browser.type("source", RESHAPED)
    browser.press("Submit")
    report_and_history = _cells(browser.page.html)
    assert report_and_history == ["xxxppx", "xxxppx"]
    assert _cells(browser.go("/progress").html) == ["xxxppx", "xxxppx"]
    assert _cells(browser.go("/").html) == ["xxxppx", "xxxppx"]


def test_a_list_says_what_came_of_a_submission_in_the_words_of_its_report(
    browser: Browser,
) -> None:
    browser.go(MHA)
    for source in (RESHAPED, "def f(:", RIGHT):
        browser.type("source", source)
        browser.press("Submit")
    words = re.findall(
        r'</span>\s*(?:\d of \d)?\s*<span class="fine soft">([^<]*)<', browser.page.html
    )
    assert words == ["all passed", "not run", "wrong values"]


def test_the_examples_say_which_of_them_run_tries(browser: Browser) -> None:
    text = browser.go(MHA).text
    assert "Run examples tries 4: these 3 and one more." in text
    assert "Submit tries 2 of them again, and 4 that are hidden." in text
    browser.type("source", RIGHT)
    assert "4 of 4 examples equal" in browser.press("Run examples").text


def test_code_without_its_import_is_taken_along_with_it() -> None:
    without = "def f(x):\n    return np.exp(x)\n"
    assert not imports_numpy(without)
    for line in (
        "import numpy as np",
        "from scipy import np",
        "np = 3",
        "import numpy as np, math",
    ):
        assert imports_numpy(f"{line}\n{without}")
    assert imports_numpy("def f(np):\n    return np\n") and imports_numpy("x = 1")
    assert imports_numpy("def f(:")


def test_an_accepted_report_says_that_elsewhere_the_import_is_needed(jailed: Server) -> None:
    words = "Elsewhere, begin this code with <code>import numpy as np</code>"

    def accepted(source: str) -> str:
        body = {"source": source, "html": True}
        report = httpx.post(f"{jailed.url}/api{MHA}/submissions", json=body, timeout=60).json()
        assert report["verdict"] == "accepted"
        return str(report["html"])

    assert words not in accepted(RIGHT)
    assert words in accepted(RIGHT.replace("import numpy as np\n", ""))
