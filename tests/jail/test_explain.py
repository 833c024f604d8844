"""Exceptions told with the learner's lines, the sub-expression, and a sentence that helps."""

from __future__ import annotations

from typing import Any

import pytest

from app.jail.explain.exceptions import FRAMES, MESSAGE_CHARACTERS, raised
from tests.jail.programs import FILE, run

_HEAD = "import numpy as np\n"
_ARRAYS = (
    _HEAD + "q, k = np.ones((2, 3, 4)), np.ones((2, 5, 4))\ns = np.ones((2, 3, 3))\n"
    "m = s.max(axis=-1)\nxs = [np.ones((2, 3)), np.ones((3, 3))]\n"
)


def _error(source: str) -> dict[str, Any]:
    error = run(source).error
    assert error is not None, "it ran"
    return error


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("x = 1 + (q @ k) * 2", "q @ k"),
        ("x = np.exp(s - m)", "s - m"),
        ("x = [1, q.shpe, 2]", "q.shpe"),
        ("x = q.sum() + q.left + 1", "q.left"),
        ("x = s + xs[3]", "xs[3]"),
        ("größe = 1 / 0 + 2", "1 / 0"),
        ("x = [a / 0 for a in [1]]", "a / 0"),
        ("f = lambda z: z + sofmax(z); f(1)", "sofmax"),
        ("x = np.reshape(q, (7, 2)) + 1", "np.reshape(q, (7, 2))"),
        ("q[0, 0, 0, 0] = 1", "q[0, 0, 0, 0]"),
    ],
)
def test_the_failing_sub_expression_is_marked(line: str, part: str) -> None:
    frame = _error(_ARRAYS + line)["frames"][-1]
    assert frame["line"] == 6
    assert line[frame["column"] - 1 : frame["end_column"] - 1] == part


@pytest.mark.parametrize(
    ("line", "help_text", "facts"),
    [
        ("q + k", "`q` has shape (2, 3, 4), `k` has shape (2, 5, 4). From the right, sizes must be "
         "equal or 1; here 3 meets 5.", [(2, 3, 4), (2, 5, 4)]),
        ("s - m", "`s` has shape (2, 3, 3), `m` has shape (2, 3). From the right, sizes must be "
         "equal "
         "or 1; here 3 meets 2. A mean, max or sum with keepdims=True would keep the last axis "
         "as 1.",
         [(2, 3, 3), (2, 3)]),
        ("q @ k", "`q` has shape (2, 3, 4), `k` has shape (2, 5, 4). The last axis of the left "
         "(4) must "
         "equal the second to last of the right (5).", [(2, 3, 4), (2, 5, 4)]),
        ("q @ k.transpose(0, 2, 1) @ q[0]", "`q @ k.transpose(0, 2, 1)` has shape (2, 3, 5), "
         "`q[0]` has "
         "shape (3, 4). The last axis of the left (5) must equal the second to last of the "
         "right (3).",
         [(2, 3, 5), (3, 4)]),
        ("np.matmul(np.exp(q), k)", "`np.exp(q)` has shape (2, 3, 4), `k` has shape (2, 5, 4). "
         "The last "
         "axis of the left (4) must equal the second to last of the right (5).",
         [(2, 3, 4), (2, 5, 4)]),
        ("np.dot(q[0], k[1])", "`q[0]` has shape (3, 4), `k[1]` has shape (5, 4). 4 must equal 5.",
         [(3, 4), (5, 4)]),
        ("q.reshape(5, -1)", "`q` has shape (2, 3, 4). Its 24 values do not divide by 5.",
         [(2, 3, 4)]),
        ("q.reshape(7, 2)", "`q` has shape (2, 3, 4). It has 24 values; (7, 2) holds 14.",
         [(2, 3, 4)]),
        ("np.concatenate(xs, axis=1)", "`xs[0]` has shape (2, 3), `xs[1]` has shape (3, 3). All "
         "axes but "
         "the one they are joined along must be equal.", [(2, 3), (3, 3)]),
        ("np.concatenate([q, k[0]])", "`q` has shape (2, 3, 4), `k[0]` has shape (5, 4). All "
         "axes but "
         "the one they are joined along must be equal.", [(2, 3, 4), (5, 4)]),
        ("q.sum(axis=3)", "`q` has shape (2, 3, 4). Its axes are 0 to 2, or -3 to "
         "-1.", [(2, 3, 4)]),
        ("q.transpose(0, 1)", "`q` has shape (2, 3, 4). transpose needs each of its 3 axes once.",
         [(2, 3, 4)]),
        ("n, d = q.shape", "`q.shape` is (2, 3, 4): 3 values for 2 names.", [(2, 3, 4)]),
        ("q[2]", "`q` has shape (2, 3, 4).", [(2, 3, 4)]),
        ("s[0] = q[0]", "The value has shape (3, 4), the place it goes to (3, "
         "3).", [(3, 4), (3, 3)]),
        ("m[0] += s[0]", "The result has shape (3, 3) and does not fit in place into (3,). Write "
         "x = x + y instead of x += y.", [(3,), (3, 3)]),
        ("np.split(q, 2, axis=1)", "`q` has shape (2, 3, 4). The axis does not divide into "
         "equal parts.",
         [(2, 3, 4)]),
        ("if q > 1: pass", "`q` has shape (2, 3, 4). Use .any(), .all(), or compare one value.",
         [(2, 3, 4)]),
    ],
)  # fmt: skip
def test_shape_errors_name_the_operands(line: str, help_text: str, facts: list[Any]) -> None:
    error = _error(_ARRAYS + line)
    assert (error["help"], error["facts"]) == (help_text, facts)


def test_operands_are_read_from_the_frame_that_failed() -> None:
    source = """
import numpy as np
class Layer:
    def __init__(self):
        self.weights = np.ones((4, 2))
    def __call__(self, x):
        return x @ self.weights
Layer()(np.ones((5, 3)))
"""
    assert _error(source)["help"] == (
        "`x` has shape (5, 3), `self.weights` has shape (4, 2). The last axis of the left (3) must "
        "equal the second to last of the right (4)."
    )


def test_nothing_runs_again_to_find_the_operands() -> None:
    source = """
import numpy as np
class Sly:
    calls = 0
    @property
    def weights(self):
        Sly.calls += 1
        return np.ones((4, 2))
def make():
    Sly.calls += 1
    return np.ones((5, 3))
R = Sly
make() @ Sly().weights
"""
    outcome = run(source)
    assert outcome.error is not None
    assert outcome.names["R"].calls == 2
    assert outcome.error["help"].endswith("second to last of the right: 3 and 4.")


def test_values_of_a_tuple_are_not_told() -> None:
    """They could be those of a hidden test case."""
    assert _error("t = (17, 23, 42)\na, b = t")["help"] == ""


@pytest.mark.parametrize(
    ("line", "help_text"),
    [
        ("q.shpe", "Did you mean shape?"),
        ("np.zeroes(2)", "Did you mean zeros?"),
        ("np.linalg.nrm(q)", "Did you mean norm?"),
        ("np.norm(q)", "Did you mean np.linalg.norm?"),
        ("np.softmax(q)", "NumPy has no softmax: write it with np.exp, max and sum."),
        ("np.cat([q, k])", "NumPy calls it np.concatenate."),
        ("prnt(1)", "Did you mean print?"),
        ("npp.ones(2)", "Did you mean np?"),
        ("sqrt(2)", "Did you mean np.sqrt?"),
        ("math.sqrt(2)", "Write `import math` at the top."),
        ("defaultdict(int)", "Write `from collections import defaultdict` at the top."),
        ("def f():\n    y = xs\n    xs = 1\nf()",
         "The function assigns or deletes it, so it is a local name; here it holds nothing."),
        ("def f(x):\n    del x\n    x\nf(1)",
         "The function assigns or deletes it, so it is a local name; here it holds nothing."),
        ("for h in 3: pass", "A number has nothing to loop over: range(n) counts to it."),
        ("for h in q[0, 0, 0]: pass", "A number has nothing to loop over: range(n) counts to it."),
        ("[][0] = 1",
         "The list has no such place yet: append, or make an array of its full size first."),
        ("'n = ' + 3", "Put a value into text with an f-string."),
        ("import math\nmath.exp(1000)",
         "The result is too large for a float, which ends at about 1.8e308."),
        ("import math\nmath.sqrt(-1)",
         "No real number is the root of a negative one, or the log of 0."),
        ("np.transpose(q, perm=(1, 0, 2))", "NumPy calls it axes."),
        ("np.transpose(q, 1, 0, 2)", "The axes are one tuple: np.transpose(x, (1, 0))."),
        ("q.view(2, -1, 4)", "view changes the dtype here; reshape changes the shape."),
        ("np.hstack(q, k)", "The arrays go into one list: np.hstack([a, b])."),
        ("np.concatenate(q, k)",
         "One whole number is needed; arrays to join go into one list: np.concatenate([a, b])."),
        ("np.concatenate([])", "The list is empty: nothing was appended to it."),
        ("np.zeros(2, 3)",
         "A shape is one tuple, np.zeros((2, 3)); view takes a dtype, reshape a shape."),
        ("np.reshape(q, 2, 3)", "The shape is one tuple: np.reshape(x, (2, 3))."),
        ("np.random.rand((2, 3))", "The sizes stand one by one here: np.random.randn(2, 3)."),
        ("np.random.default_rng(0).randn(2)", "A Generator calls it standard_normal."),
        ("def f(np):\n    return np.exp(1)\nf(3)",
         "The name np holds a value here (int): give that another name."),
        ("w = None\nw @ m", "`w` has no axes: it is a single number, or None from a function "
         "without return."),
        ("w = 3\nm @ w", "`w` is a single number: * multiplies by it."),
        ("[1, 2].shape", "A list has no shape: make it an array with np.array(x)."),
        ("q.exp()", "Write np.exp(x)."),
        ("None.shape", "A value here is None: an argument left out, or a function without return."),
        ("None + 1.0", "A value here is None: an argument left out, or a function without return."),
        ("d = {'W_Q': 1}\nd.W_Q", 'A dict is read with brackets: ["W_Q"].'),
        ("q.unsqueeze(0)", "Write x[..., None] or np.expand_dims(x, axis)."),
        ("range(4 / 2)", "A whole number is needed: // divides without a fraction."),
        ("[1, 2] * 2.0", "A list does not calculate: make it an array with np.array(x)."),
        ("q(0)", "Parentheses call: x[i] indexes, x.shape and x.T take none. Or a name hides a "
         "function."),
        ("q.shape()", "Parentheses call: x[i] indexes, x.shape and x.T take none. Or a name hides "
         "a function."),
        ("q.sum()(2)", "Parentheses call: x[i] indexes, x.shape and x.T take none. Or a name hides "
         "a function."),
        ("np.sum(q, dim=0)", "NumPy calls them axis and keepdims."),
        ("x = np.ones(2, int)\nx /= 2",
         "An array of whole numbers cannot take fractions in place. Write it out: x = x / y."),
        ("def f(n):\n    return f(n)\nf(1)", "A function calls itself without an end."),
    ],
)  # fmt: skip
def test_a_well_known_slip_gets_a_sentence(line: str, help_text: str) -> None:
    assert _error(_ARRAYS + line)["help"] == help_text


@pytest.mark.parametrize(
    ("source", "own"),
    [
        ("raise ValueError('words')", True),
        ("assert 1 == 2, 'words'", True),
        ("class E(Exception): pass\ndef f(): raise E\nf()", True),
        ("1 / 0", False),
        ("int('words')", False),
        ("import numpy as np\nnp.testing.assert_allclose(1, 2)", False),
    ],
)
def test_it_is_told_whether_the_words_are_the_learners(source: str, own: bool) -> None:
    assert _error(source)["own"] is own


def test_frames_are_the_learners_own() -> None:
    source = "def key(x):\n    return x / 0\ndef f():\n    return sorted([1], key=key)\nf()"
    frames = _error(source)["frames"]
    assert [(f["line"], f["function"], f["file"]) for f in frames] == [
        (5, "<module>", FILE),
        (4, "f", FILE),
        (2, "key", FILE),
    ]


def test_of_a_runaway_recursion_the_ends_are_kept() -> None:
    error = _error("def f(n):\n    return f(n)\nf(1)")
    assert len(error["frames"]) == FRAMES
    assert (error["frames"][0]["line"], error["frames"][-1]["line"]) == (3, 2)


def test_everything_is_bounded_and_encodable() -> None:
    source = "class " + "E" * 300 + "(Exception): pass\nraise " + "E" * 300 + "('\\ud800' * 100000)"
    error = _error(source)
    assert len(error["type"]) <= 100
    assert len(error["message"].encode("utf-8")) <= 6 * MESSAGE_CHARACTERS


@pytest.mark.parametrize("text", ["1 / 0", "raise ValueError", "return 3", "yield 1"])
def test_an_exception_whose_text_fails_is_told_all_the_same(text: str) -> None:
    source = f"class E(Exception):\n    def __str__(self):\n        {text}\nraise E()"
    error = _error(source)
    assert (error["type"], error["message"]) == ("E", "(its text cannot be shown)")


def test_an_exception_from_nowhere_has_no_frames() -> None:
    error = raised(ValueError("x"), {})
    assert (error["type"], error["message"], error["frames"]) == ("ValueError", "x", [])


def test_a_call_that_fails_before_the_first_line_has_help_too() -> None:
    """A cache in C raises without a line of the learner's."""
    names = run("from functools import lru_cache\n@lru_cache\ndef f(x):\n    return x").names
    with pytest.raises(TypeError) as caught:
        names["f"]([1])
    told = raised(caught.value, {FILE: ""})
    assert told["frames"] == []
    assert told["help"].startswith("A key must not change")
