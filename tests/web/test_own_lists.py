"""Plain nested lists are arrays in one's own input, on the page without a script and by the API."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote_plus

import pytest

from tests.web.browser import Page
from tests.web.server import Server
from tests.web.test_pages import WRONG

MHA = "multi-head-attention"
SOFTMAX = "stable-softmax"
ROWS = "[[1, 2, 3, 4], [0, 1, 0, 1], [2, 0, 0.5, 1]]"
ONE = f"np.array({ROWS}, dtype=float)"
PROGRAMS = {
    MHA: WRONG,
    SOFTMAX: "import numpy as np\ndef softmax(x, axis=-1):\n    return np.ones(x.shape)\n",
}
SAME = {
    "lists for three arrays": (MHA, f"{ROWS}, {ROWS}, {ROWS}, 2", f"{ONE}, {ONE}, {ONE}, 2"),
    "a list beside arrays": (MHA, f"{ONE}, {ROWS}, {ONE}, 2", f"{ONE}, {ONE}, {ONE}, 2"),
    "by name": (
        MHA,
        f"Q={ROWS}, K={ROWS}, V={ROWS}, num_heads=2",
        f"{ONE}, {ONE}, {ONE}, 2",
    ),
    "one assignment a line": (
        MHA,
        f"Q = {ROWS}\nK = {ROWS}\nV = {ROWS}\nnum_heads = 2",
        f"{ONE}, {ONE}, {ONE}, 2",
    ),
    "the whole call": (
        MHA,
        f"multi_head_attention({ROWS}, {ROWS}, {ROWS}, num_heads=2)",
        f"{ONE}, {ONE}, {ONE}, 2",
    ),
    "three levels": (SOFTMAX, "[[[1, 2], [3, 4]]], 1", "np.array([[[1, 2], [3, 4]]]), 1"),
    "no rows": (SOFTMAX, "[[]], 0", "np.zeros((1, 0)), 0"),
}
OFF = {
    "rows of unlike lengths": ("[[1, 2], [3]], 0", "same length"),
    "words": ("['a', 'b'], 0", "dtype"),
    "a list in itself": ("[x := [1.0], x.append(x)], 0", ""),
    "deeper than arrays go": ("[" * 70 + "1" + "]" * 70 + ", 0", ""),
    "a million": ("[[1.0] * 1000] * 1000, 0", "too large"),
    "long numbers": ("[1" + "0" * 400 + "], 0", ""),
}


def run(server: Server, slug: str, own: str) -> Any:
    """What the API answers for a wrong program and these arguments."""
    body = {"source": PROGRAMS[slug], "arguments": own}
    return server.post(f"/api/exercises/{slug}/runs", body)


def shown(server: Server, slug: str, own: str) -> Page:
    """The page that answers the form."""
    fields = {"source": PROGRAMS[slug], "arguments": own, "custom": ""}
    body = "&".join(f"{name}={quote_plus(value)}" for name, value in fields.items())
    answer = server.ask(
        "POST",
        f"/exercises/{slug}/run",
        body.encode(),
        {"content-type": "application/x-www-form-urlencoded"},
    )
    assert answer.status == 200
    return Page(answer.body.decode(), "")


def told(report: Any) -> Any:
    """What a report says of its one test, but for what differs from run to run."""
    (test,) = report["tests"]
    return report["verdict"], {k: v for k, v in test.items() if not k.endswith("_ms")}


@pytest.mark.parametrize("name", SAME)
def test_lists_do_as_well_as_arrays(jailed: Server, name: str) -> None:
    slug, lists, arrays = SAME[name]
    by_lists, by_arrays = run(jailed, slug, lists), run(jailed, slug, arrays)
    assert by_lists.status == 200, by_lists.json
    assert told(by_lists.json) == told(by_arrays.json)
    page = shown(jailed, slug, lists)
    assert "Your own input was not run" not in page.text
    assert page.value("arguments") == lists


@pytest.mark.parametrize("name", OFF)
def test_a_list_that_is_no_array_gets_a_sentence(jailed: Server, name: str) -> None:
    own, said = OFF[name]
    answer = run(jailed, SOFTMAX, own)
    assert answer.status == 422 and said in answer.json["title"]
    page = shown(jailed, SOFTMAX, own)
    assert "Your own input was not run" in page.text
    assert page.value("arguments") == own and page.value("source") == PROGRAMS[SOFTMAX]
