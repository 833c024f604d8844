"""A small input where code goes wrong, and random ones to try: page, plain form and API."""

from __future__ import annotations

from collections.abc import Iterator

import httpx2 as httpx
import pytest

from tests.web.server import Server

SHIFT_BY_LAST = """\
import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    split = lambda x: x.reshape(n, num_heads, -1).transpose(1, 0, 2)
    q, k, v = split(Q), split(K), split(V)
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(d // num_heads)
    weights = np.exp(scores - scores[:, :, -1:])
    weights = weights / weights.sum(-1, keepdims=True)
    return (weights @ v).transpose(1, 0, 2).reshape(n, d)
"""
RIGHT = SHIFT_BY_LAST.replace("scores[:, :, -1:]", "scores.max(-1, keepdims=True)")
OFFER = "Show me a small input where it goes wrong"


@pytest.fixture
def client(jailed: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=jailed.url, timeout=60) as made:
        yield made


def test_a_hidden_failure_is_offered_a_small_input(client: httpx.Client) -> None:
    body = {"source": SHIFT_BY_LAST, "html": True}
    report = client.post("/api/exercises/multi-head-attention/submissions", json=body).json()
    assert [test["verdict"] for test in report["tests"]] == ["accepted"] * 5 + ["wrong_answer"]
    assert OFFER in report["html"]
    body = {"source": SHIFT_BY_LAST, "smallest": True, "html": True}
    small = client.post("/api/exercises/multi-head-attention/runs", json=body).json()
    (test,) = small["tests"]
    assert test["visible"]
    assert test["name"].startswith("draw_")
    assert test["verdict"] == "wrong_answer"
    assert len(test["expected"]["data"]) <= 40
    assert test["arguments"] is not None
    assert small["trace"] is not None
    assert "Not equal to the reference" in small["html"]
    assert "Random input" in test["purpose"]


def test_a_right_program_is_told_that_no_small_input_fails(client: httpx.Client) -> None:
    body = {"source": RIGHT, "smallest": True}
    report = client.post("/api/exercises/multi-head-attention/runs", json=body).json()
    assert report["verdict"] == "accepted"
    assert report["message"] == "Your code is right on all 256 small inputs."


def test_a_random_input_is_the_same_for_the_same_number(client: httpx.Client) -> None:
    def run(number: int) -> object:
        body = {"source": RIGHT, "draw": number}
        report = client.post("/api/exercises/multi-head-attention/runs", json=body).json()
        return report["tests"][0]["arguments"]

    assert run(3) == run(3) != run(4)
    assert run(123_456) == run(123_456) != run(123_457)


def test_a_number_out_of_bounds_is_refused_in_words(client: httpx.Client) -> None:
    for number in (-1, 10**9):
        body = {"source": RIGHT, "draw": number}
        answer = client.post("/api/exercises/stable-softmax/runs", json=body)
        assert answer.status_code == 422


def test_without_draws_there_is_none_to_try(client: httpx.Client) -> None:
    for wanted in ({"draw": 1}, {"smallest": True}):
        body = {"source": "def weighted_mean(x, w):\n    return x\n", **wanted}
        answer = client.post("/api/exercises/weighted-mean/runs", json=body)
        assert answer.status_code == 404
        assert "no random inputs" in answer.text


def test_the_same_without_a_script(client: httpx.Client, jailed: Server) -> None:
    headers = {"Origin": jailed.url}
    for button in ({"smallest": "1"}, {"draw": "random"}):
        form = {"source": SHIFT_BY_LAST, **button}
        page = client.post("/exercises/multi-head-attention/run", data=form, headers=headers)
        assert page.status_code == 200
        assert "Random input" in page.text
