"""Unusual styles of code: right ones get no diagnosis, and two mistakes in them are both named."""

from __future__ import annotations

import pytest

from app.catalog import load
from app.ports import Sandbox
from tests.grading.conftest import ROOT
from tests.grading.graded_exercise import Graded
from tests.known import expected

HEAD = "def scaled_dot_product_attention(Q, K, V):\n"
STYLES = {
    "einsum": f"""\
{HEAD}    s = np.einsum('id,jd->ij', Q, K) / (SCALE)
    w = np.exp(s - s.max(-1, keepdims=True))
    return np.einsum('ij,jd->id', w / w.sum(-1, keepdims=True), VALUES)
""",
    "loops": f"""\
{HEAD}    out = np.zeros((len(Q), VALUES.shape[1]))
    for i in range(len(Q)):
        dots = [sum(Q[i, d] * K[j, d] for d in range(Q.shape[1])) for j in range(len(K))]
        w = np.exp(np.array(dots) / (SCALE) - max(dots) / (SCALE))
        for j in range(len(K)):
            out[i] += w[j] / w.sum() * VALUES[j]
    return out
""",
    "recursion": f"""\
def rows(Q, K, V):
    if len(Q) == 0:
        return []
    s = K @ Q[0] / (SCALE)
    w = np.exp(s - s.max())
    return [w @ VALUES / w.sum()] + rows(Q[1:], K, V)

{HEAD}    return np.array(rows(Q, K, V))
""",
    "class": f"""\
class Head:
    def __init__(self, K, V):
        self.K = K
        self.V = V

    def attend(self, Q):
        K, V = self.K, self.V
        s = Q @ K.T / (SCALE)
        w = np.exp(s - s.max(-1, keepdims=True))
        return w / w.sum(-1, keepdims=True) @ VALUES

{HEAD}    return Head(K, V).attend(Q)
""",
    "generator": f"""\
def rows(Q, K, V):
    for q in Q:
        s = K @ q / (SCALE)
        w = np.exp(s - s.max())
        yield w / w.sum() @ VALUES

{HEAD}    return np.stack(list(rows(Q, K, V)))
""",
    "vectorize": f"""\
{HEAD}    dot = np.vectorize(lambda q, k: q @ k, signature='(d),(d)->()')
    s = dot(Q[:, None, :], K[None, :, :]) / (SCALE)
    w = np.exp(s - s.max(-1, keepdims=True))
    return w / w.sum(-1, keepdims=True) @ VALUES
""",
    "in place": f"""\
{HEAD}    s = Q @ K.T
    s /= SCALE
    s -= s.max(-1, keepdims=True)
    np.exp(s, out=s)
    s /= s.sum(-1, keepdims=True)
    return s @ VALUES
""",
}


@pytest.fixture(scope="module")
def work(jail: Sandbox) -> Graded:
    exercise = load(ROOT / "exercises" / "scaled-dot-product-attention")
    return Graded(exercise, expected(exercise, jail), jail)


def program(style: str, scale: str, values: str) -> str:
    return "import numpy as np\n\n" + STYLES[style].replace("SCALE", scale).replace(
        "VALUES", values
    )


@pytest.mark.parametrize("style", STYLES)
def test_a_right_program_gets_no_diagnosis(work: Graded, style: str) -> None:
    report = work.grade(program(style, "np.sqrt(K.shape[1])", "V"))
    assert (report.passed, report.diagnosis, report.findings) == (6, None, ())


@pytest.mark.parametrize("style", STYLES)
def test_two_mistakes_are_both_named(work: Graded, style: str) -> None:
    report = work.grade(program(style, "K.shape[1]", "K"))
    assert report.diagnosis is not None
    named = [mistake.misconception for mistake in report.diagnosis.mistakes]
    assert named == ["scale-dk", "averages-keys"]
