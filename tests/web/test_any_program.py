"""Whatever a learner submits, no page or answer of ours fails over it, and no fault is mistaken.

Programs are the right one with random edits: two or three at once, so that sets of mistakes, draws,
second looks and small inputs are reached; and others that end in every way there is. Each goes
through the real jail, and all that may be asked about it afterwards is asked.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import httpx2 as httpx
import pytest

from app import metrics
from tests.web.server import Server
from tests.web.test_small_inputs import RIGHT

API = "/api/exercises/multi-head-attention"
SEEDS = range(10)
EDITS = (
    ("/ np.sqrt(d // num_heads)", "* np.sqrt(d // num_heads)"),
    ("/ np.sqrt(d // num_heads)", "/ np.sqrt(d)"),
    ("/ np.sqrt(d // num_heads)", "/ d"),
    ("/ np.sqrt(d // num_heads)", ""),
    ("scores.max(-1, keepdims=True)", "scores.max()"),
    ("scores.max(-1, keepdims=True)", "scores.max(1, keepdims=True)"),
    ("scores.max(-1, keepdims=True)", "scores.mean(-1, keepdims=True)"),
    ("weights.sum(-1, keepdims=True)", "weights.sum(1, keepdims=True)"),
    ("weights.sum(-1, keepdims=True)", "weights.sum()"),
    ("weights.sum(-1, keepdims=True)", "weights.sum(-1)"),
    (".reshape(n, num_heads, -1)", ".reshape(n, -1, num_heads)"),
    (".reshape(n, num_heads, -1).transpose(1, 0, 2)", ".reshape(num_heads, n, -1)"),
    ("(weights @ v).transpose(1, 0, 2)", "(weights @ v)"),
    ("(weights @ v).transpose(1, 0, 2)", "(weights @ v).transpose(2, 0, 1)"),
    ("q @ k.transpose(0, 2, 1)", "k @ q.transpose(0, 2, 1)"),
    ("q @ k.transpose(0, 2, 1)", "np.einsum('hid,hjd->hji', q, k)"),
    ("split(Q), split(K), split(V)", "split(Q), split(K), split(K)"),
    ("split(Q), split(K), split(V)", "split(Q), split(Q), split(V)"),
    ("np.exp(scores", "np.exp2(scores"),
    ("weights = np.exp", "weights = -np.exp"),
    (".reshape(n, d)\n", ".reshape(n, d)[::-1]\n"),
    (".reshape(n, d)\n", ".reshape(n, d) + (n > 4)\n"),
    (".reshape(n, d)\n", ".reshape(n, d).astype(np.float16)\n"),
    (".reshape(n, d)\n", ".reshape(d, n)\n"),
    (".reshape(n, d)\n", ".reshape(n, d) if num_heads > 1 else {'a': [10 ** 5000]}\n"),
    ("    n, d = Q.shape\n", "    n, d = Q.shape\n    print('\\x00\\ud800' * n)\n"),
    ("    n, d = Q.shape\n", "    n, d = Q.shape\n    Q *= np.nan if n == 1 else 1\n"),
)
"""Those of published code, and some that nobody writes."""

ENDS = (
    "    raise type('E\\ud800', (ValueError,), {})(Q)\n",
    "    class Odd(Exception):\n        __str__ = lambda self: self\n    raise Odd\n",
    "    class Deep:\n        __repr__ = lambda self: repr(self)\n    return Deep()\n",
    "    a = []\n    a.append(a)\n    return a\n",
    "    return multi_head_attention(Q, K, V, num_heads + 1)\n",
    "    import warnings\n    warnings.warn('\\u202e' * 999)\n    return Q\n",
    "    return np.full((1,) * 64, 1j)\n",
    "    return np.array([Q, 'a', None], dtype=object)\n",
    "    return np.zeros(3, dtype=[('a', 'f4'), ('b', 'O')])\n",
    "    return np.ma.masked_array(Q, Q > 0)\n",
    "    return (x for x in Q)\n",
    "    return eval('Q')\n",
    "    return f'{Q!r:>{10**9}}'\n",
    "    return '(' * 10**6\n",
    "    return np.datetime64('NaT') + np.arange(3)\n",
    "    return {(): Q, 1.5: K, None: V, 'a' * 10**5: 1}\n",
    "    return -(-(10 ** 4300)), 0.1 + 0.2j, b'\\xff', range(10**9), slice(1, 2), ...\n",
    "    while True:\n        Q = Q @ Q.T @ Q\n",
    "    raise BaseExceptionGroup('g', [KeyboardInterrupt(), SystemExit(0)])\n",
    "    Q.setflags(write=False)\n    Q[0] = 1\n",
)
"""Functions that end in some other way than with an array."""


def _programs() -> Iterator[str]:
    for seed in SEEDS:
        chance = random.Random(seed)
        source = RIGHT
        for old, new in chance.sample(EDITS, 1 + seed % 3):
            source = source.replace(old, new, 1)
        yield source
    head = "import numpy as np\n\ndef multi_head_attention(Q, K, V, num_heads):\n"
    yield from (head + end for end in ENDS)


PROGRAMS = tuple(_programs())


@pytest.fixture(scope="module")
def client(jailed: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=jailed.url, timeout=300, follow_redirects=True) as made:
        made.get("/exercises/multi-head-attention")
        yield made


def _asked(client: httpx.Client, source: str, report: dict[str, object], before: str) -> list[str]:
    """The addresses that failed, of all that may be asked about a judged submission."""
    one = report["submission"]
    runs: list[dict[str, object]] = (
        [{"smallest": True}, {"draw": 3}] if report["verdict"] == "wrong_answer" else [{}]
    )
    answers = [
        client.get(f"/submissions/{one}"),
        client.get(f"/api/submissions/{one}?html=true"),
        client.get(f"/api/submissions/{one}/second-look?html=true"),
        client.get(f"/exercises/multi-head-attention/changes/{before or one}/{one}"),
        client.get("/exercises/multi-head-attention"),
        client.post(f"/submissions/{one}/look"),
        client.get(client.post(f"/api/submissions/{one}/share").json()["url"]),
        *(client.post(f"{API}/runs", json={"source": source, "html": True} | run) for run in runs),
    ]
    return [
        f"{answer.status_code} {answer.request.method} {answer.request.url}"
        for answer in answers
        if answer.status_code >= 500 or "This one is on us" in answer.text
    ]


def test_no_answer_of_ours_fails_over_a_program(client: httpx.Client) -> None:
    lost = metrics.DECORATIONS_LOST._value.get()
    verdicts, off, before = set(), [], ""
    for number, source in enumerate(PROGRAMS):
        report = client.post(f"{API}/submissions", json={"source": source, "html": True}).json()
        while "verdict" not in report:
            report = client.get(f"/api/submissions/{report['submission']}?wait=20").json()
        verdicts.add(report["verdict"])
        failed = _asked(client, source, report, before)
        before = str(report["submission"])
        if failed or report["verdict"] == "grader_error":
            off.append((number, report["verdict"], failed))
    assert off == []
    assert metrics.DECORATIONS_LOST._value.get() == lost, "something beside a verdict failed"
    assert {"wrong_answer", "runtime_error", "policy_error", "time_limit"} <= verdicts
