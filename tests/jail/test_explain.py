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
    ("line", "gist", "note", "help_text", "facts"),
    [
        (
            "q + k",
            "the shapes of `q` and `k` don't fit",
            "`q + k`: lined up at the right, (2, 3, 4) and (2, 5, 4) don't fit: 3 and 5 "
            "must be equal, or one of them 1.",
            "",
            [(2, 3, 4), (2, 5, 4)],
        ),
        (
            "s - m",
            "the shapes of `s` and `m` don't fit",
            "`s - m`: lined up at the right, (2, 3, 3) and (2, 3) don't fit: 3 and 2 "
            "must be equal, or one of them 1.",
            "With keepdims=True, a mean, max or sum keeps the last axis as 1.",
            [(2, 3, 3), (2, 3)],
        ),
        (
            "q @ k",
            "the shapes of `q` and `k` don't fit",
            "`q @ k`: (2, 3, 4) can't be multiplied with (2, 5, 4): 4 and 5 must be equal.",
            "`k` would fit with its last two axes swapped.",
            [(2, 3, 4), (2, 5, 4)],
        ),
        (
            "q @ k.transpose(0, 2, 1) @ q[0]",
            "(2, 3, 5) and (3, 4) don't fit",
            "`q @ k.transpose(0, 2, 1) @ q[0]`: (2, 3, 5) can't be multiplied with (3, "
            "4): 5 and 3 must be equal.",
            "",
            [(2, 3, 5), (3, 4)],
        ),
        (
            "np.matmul(np.exp(q), k)",
            "the shapes of `np.exp(q)` and `k` don't fit",
            "`np.matmul(np.exp(q), k)`: (2, 3, 4) can't be multiplied with (2, 5, 4): 4 "
            "and 5 must be equal.",
            "`k` would fit with its last two axes swapped.",
            [(2, 3, 4), (2, 5, 4)],
        ),
        (
            "q @ np.ones((3, 4, 3))",
            "the shapes of `q` and `np.ones((3, 4, 3))` don't fit",
            "`q @ np.ones((3, 4, 3))`: before the last two axes, (2, 3, 4) and (3, 4, "
            "3) don't fit: 2 and 3 must be equal, or one of them 1.",
            "",
            [(2, 3, 4), (3, 4, 3)],
        ),
        (
            "np.dot(q[0], k[1])",
            "the shapes of `q[0]` and `k[1]` don't fit",
            "`np.dot(q[0], k[1])`: (3, 4) can't be multiplied with (5, 4): 4 and 5 must be equal.",
            "`k[1]` would fit with its last two axes swapped.",
            [(3, 4), (5, 4)],
        ),
        (
            "q.reshape(5, -1)",
            "`q` can't take the shape (5, -1)",
            "`q` has 24 values in shape (2, 3, 4); which is not a multiple of 5.",
            "",
            [(2, 3, 4)],
        ),
        (
            "q.reshape(7, 2)",
            "`q` can't take the shape (7, 2)",
            "`q` has 24 values in shape (2, 3, 4); (7, 2) holds 14.",
            "",
            [(2, 3, 4)],
        ),
        (
            "np.concatenate(xs, axis=1)",
            "the arrays can't be joined",
            "`np.concatenate(xs, axis=1)`: (2, 3) and (3, 3) differ in axis 0: 2 and 3.",
            "Only the axis they are joined along may differ.",
            [(2, 3), (3, 3)],
        ),
        (
            "np.concatenate([q, k[0]])",
            "the arrays can't be joined",
            "`np.concatenate([q, k[0]])`: one array has 3 axes, another 2.",
            "",
            [(2, 3, 4), (5, 4)],
        ),
        (
            "np.stack(xs)",
            "the arrays can't be stacked",
            "`np.stack(xs)`: (2, 3) and (3, 3) must be equal.",
            "",
            [(2, 3), (3, 3)],
        ),
        (
            "np.einsum('hqd,hkd->hqk', q, k.transpose(0, 2, 1))",
            "the letter `d` stands for 4 and for 5",
            "In einsum, `d` is 4 in `q` (2, 3, 4) and 5 in `k.transpose(0, 2, 1)` (2, 4, 5).",
            "",
            [(2, 3, 4), (2, 4, 5)],
        ),
        (
            "np.einsum('hq,hkd->hqk', q, k)",
            "einsum needs one letter for each axis of `q`",
            "`hq` has 2 letters; `q` has shape (2, 3, 4).",
            "",
            [(2, 3, 4), (2, 5, 4)],
        ),
        (
            "np.where(q > 0, k, 0)",
            "the shapes of `q > 0` and `k` don't fit",
            "`np.where(q > 0, k, 0)`: (2, 3, 4), (2, 5, 4) and () don't fit together.",
            "",
            [(2, 3, 4), (2, 5, 4), ()],
        ),
        (
            "q.sum(axis=3)",
            "`q` has no axis 3",
            "`q` has shape (2, 3, 4): its axes are 0 to 2, or -3 to -1.",
            "",
            [(2, 3, 4)],
        ),
        (
            "np.swapaxes(q, 0, 3)",
            "`q` has no axis 3",
            "`q` has shape (2, 3, 4): its axes are 0 to 2, or -3 to -1.",
            "",
            [(2, 3, 4)],
        ),
        (
            "q.transpose(0, 1)",
            "transpose needs every axis once",
            "`q` has shape (2, 3, 4): transpose needs each of its 3 axes once.",
            "",
            [(2, 3, 4)],
        ),
        (
            "n, d = q.shape",
            "`q.shape` holds 3 for 2 names",
            "`q.shape` is (2, 3, 4): 3 values for 2 names.",
            "",
            [(2, 3, 4)],
        ),
        (
            "n, d = q[0]",
            "`q[0]` holds 3 for 2 names",
            "`q[0]` has shape (3, 4): 3 rows for 2 names.",
            "",
            [(3, 4)],
        ),
        (
            "q[2]",
            "there is no entry 2",
            "`q[2]`: axis 0 of `q` has entries 0 to 1.",
            "",
            [(2, 3, 4)],
        ),
        (
            "q[0, 0, 0, 0]",
            "`q` has only 3 axes",
            "`q[0, 0, 0, 0]`: 4 indices for 3 axes, shape (2, 3, 4).",
            "",
            [(2, 3, 4)],
        ),
        (
            "q[q[0] > 0]",
            "the mask doesn't fit the array",
            "`q[q[0] > 0]`: axis 0 of the array has 2 entries, the mask 3.",
            "",
            [(2, 3, 4)],
        ),
        (
            "s[0] = q[0]",
            "(3, 4) doesn't fit into (3, 3)",
            "The value has shape (3, 4), but its place has (3, 3).",
            "",
            [(3, 4), (3, 3)],
        ),
        (
            "m[0] += s[0]",
            "(3, 3) doesn't fit into (3,)",
            "The result has shape (3, 3) and doesn't fit in place into (3,).",
            "Write x = x + y instead of x += y.",
            [(3,), (3, 3)],
        ),
        (
            "np.split(q, 2, axis=1)",
            "the axis can't be split into equal parts",
            "`q` has shape (2, 3, 4): the axis can't be split into equal parts.",
            "",
            [(2, 3, 4)],
        ),
        (
            "np.squeeze(q, 0)",
            "only an axis of length 1 can be squeezed out",
            "`q` has shape (2, 3, 4); only an axis of length 1 can go.",
            "",
            [(2, 3, 4)],
        ),
        (
            "if q > 1: pass",
            "an array is neither true nor false as a whole",
            "`q` has shape (2, 3, 4): it is neither true nor false as a whole.",
            "Use .any(), .all(), or compare one value.",
            [(2, 3, 4)],
        ),
    ],
)
def test_shape_errors_name_the_operands(
    line: str, gist: str, note: str, help_text: str, facts: list[Any]
) -> None:
    error = _error(_ARRAYS + line)
    told = [error[key] for key in ("gist", "note", "help", "facts")]
    assert told == [gist, note, help_text, facts]


@pytest.mark.parametrize(
    ("line", "gist"),
    [
        (
            "np.einsum('hqd,hkd->hqz', q, k)",
            "`z` stands after `->` in einsum, but in no input before it",
        ),
        ("np.einsum('hqd->hqk', q, k)", "einsum has letters for one array and is given 2"),
        ("np.broadcast_to(q, (5, 3, 4))", "(2, 3, 4) can't be broadcast to (5, 3, 4)"),
        ("q.reshape(-1, -1)", "a shape may hold -1 only once"),
        ("xs[3]", "the list has no such entry"),
        ("t = (1, 2, 3); a, b = t", "there are more values than 2 names"),
        ("def f(a): return a\nf()", "`f` is called without `a`"),
        ("def f(a): return a\nf(1, 2)", "`f` takes 1 argument and is given 2"),
        ("def f(a): return a\nf(b=1)", "`f` has no argument `b`"),
        ("def f(a): return a\nf(1, a=2)", "`f` is given `a` twice"),
        ("q.mean(dim=1)", "`mean` has no argument `dim`"),
        ("q.shpe", "an array has no `shpe`"),
        ("np.softmax(q)", "NumPy has no `softmax`"),
        ("foo + 1", "there is no name `foo`"),
        ("w = None\nw.shape", "`w` is None"),
        ("w = None\nw * q", "`w` is None"),
        ("w = None\nnp.exp(w)", "`w` is None"),
        ("w = None\nw[0]", "`w` is None"),
        ("w = None\nw(3)", "`w` is None"),
        ("w = None\nlen(w)", "`w` is None"),
        ("w = None\nw > 3", "`w` is None"),
        ("w = None\nfor h in w: pass", "`w` is None"),
        ("w = None\na, b = w", "`(a, b)` is None"),
        ("[1, 2] / 2", "a list can't be divided by a whole number"),
        ("n = 0\n4 % n", "`n` is 0, and nothing can be divided by 0"),
        ("range(4 / 2)", "a float stands where a whole number must"),
        ("q[1.0]", "an index must be a whole number, a slice or an array"),
        ("q(3)", "`q` is an array: it can't be called"),
        ("int(q)", "an array stands where a single number must"),
        ("'n' + 1", "a whole number can't be added to a string"),
        ("{}['a']", "the dict has no key 'a'"),
        ("np.float64(3)[0]", "`np.float64(3)` is a single number: it has no entries"),
        ("np.linalg.inv(q[0])", "the matrix is not square"),
        ("np.max(np.zeros(0))", "an empty array has no maximum"),
        ("x = np.ones(2, int)\nx /= 2", "float64 values don't fit in place into an array of int64"),
        ("np.array([[1, 2], [3]])", "these rows don't form an array"),
        ("-[1]", "`unary -` doesn't work on a list"),
        ("def f(n):\n    return f(n)\nf(1)", "a function calls itself forever"),
        ("def f():\n    y = xs\n    xs = 1\nf()", "`xs` has no value yet"),
    ],
)
def test_an_exception_is_told_in_plain_words(line: str, gist: str) -> None:
    """Without type or traceback, as it follows "Line 3 stops: "."""
    assert _error(_ARRAYS + line)["gist"] == gist


def test_a_name_that_is_nearly_right_is_told_in_the_note() -> None:
    assert _error(_ARRAYS + "q.transposed(0, 1)")["note"] == (
        "an array has no `transposed`. Did you mean transpose?"
    )


@pytest.mark.parametrize("source", ["raise ValueError('shapes (2,) (3,)')", "assert 0, 'words'"])
def test_the_learners_own_words_are_not_put_in_others(source: str) -> None:
    error = _error(source)
    assert (error["gist"], error["note"], error["help"]) == ("", "", "")


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
    assert _error(source)["note"] == (
        "`x @ self.weights`: (5, 3) can't be multiplied with (4, 2): 3 and 4 must be equal."
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
    assert outcome.error["note"] == (
        "`make() @ Sly().weights`: the left one's last axis has 3 entries, the right one's second "
        "to last 4; they must be equal."
    )


def test_values_of_a_tuple_are_not_told() -> None:
    """They could be those of a hidden test case."""
    error = _error("t = (17, 23, 42)\na, b = t")
    assert (error["gist"], error["note"], error["help"]) == (
        "there are more values than 2 names",
        "",
        "",
    )


@pytest.mark.parametrize(
    ("line", "help_text"),
    [
        ("q.shpe", "Did you mean shape?"),
        ("np.zeroes(2)", "Did you mean zeros?"),
        ("np.linalg.nrm(q)", "Did you mean norm?"),
        ("np.norm(q)", "Did you mean np.linalg.norm?"),
        ("np.softmax(q)", "Write it with np.exp, max and sum."),
        ("np.cat([q, k])", "NumPy calls it np.concatenate."),
        ("prnt(1)", "Did you mean print?"),
        ("npp.ones(2)", "Did you mean np?"),
        ("sqrt(2)", "Did you mean np.sqrt?"),
        ("math.sqrt(2)", "Write `import math` at the top."),
        ("defaultdict(int)", "Write `from collections import defaultdict` at the top."),
        ("def f():\n    y = xs\n    xs = 1\nf()",
         "The function assigns or deletes it, so it is a local name, and it has no value here."),
        ("def f(x):\n    del x\n    x\nf(1)",
         "The function assigns or deletes it, so it is a local name, and it has no value here."),
        ("for h in 3: pass", "You can't loop over a number. Did you mean range(n)?"),
        ("for h in q[0, 0, 0]: pass", "You can't loop over a number. Did you mean range(n)?"),
        ("[][0] = 1",
         "The list isn't that long yet: append to it, or start with an array of the full size."),
        ("'n = ' + 3", "To put a value into a string, use an f-string."),
        ("import math\nmath.exp(1000)",
         "The result is too large for a float, which ends at about 1.8e308."),
        ("import math\nmath.sqrt(-1)",
         "A negative number has no real square root, and 0 has no logarithm."),
        ("np.transpose(q, perm=(1, 0, 2))", "NumPy calls it axes."),
        ("np.transpose(q, 1, 0, 2)", "Give the axes as one tuple: np.transpose(x, (1, 0))."),
        ("q.view(2, -1, 4)", "In NumPy, view changes the dtype; reshape changes the shape."),
        ("np.hstack(q, k)", "Put the arrays in one list: np.hstack([a, b])."),
        ("np.concatenate(q, k)",
         "This needs one integer. To join arrays, put them in a list: np.concatenate([a, b])."),
        ("np.concatenate([])", "The list is empty: nothing was appended to it."),
        ("np.zeros(2, 3)",
         "Give the shape as one tuple: np.zeros((2, 3)). view takes a dtype, reshape a shape."),
        ("np.reshape(q, 2, 3)", "Give the shape as one tuple: np.reshape(x, (2, 3))."),
        ("np.random.rand((2, 3))", "Give the sizes one by one here: np.random.randn(2, 3)."),
        ("np.random.default_rng(0).randn(2)", "A Generator calls it standard_normal."),
        ("def f(np):\n    return np.exp(1)\nf(3)",
         "Here np is a value (int), not NumPy. Give that value another name."),
        ("w = None\nw @ m", "It is a single number, or None from a function without return."),
        ("w = 3\nm @ w", "To multiply by it, write *."),
        ("[1, 2].shape", "Make it an array with np.array(x)."),
        ("q.exp()", "Write np.exp(x)."),
        ("None.shape", "Something here is None: is an argument missing, or does a function return "
         "nothing?"),
        ("None + 1.0", "Something here is None: is an argument missing, or does a function return "
         "nothing?"),
        ("d = {'W_Q': 1}\nd.W_Q", 'Read a dict with brackets: ["W_Q"].'),
        ("q.unsqueeze(0)", "Write x[..., None] or np.expand_dims(x, axis)."),
        ("range(4 / 2)", "This needs an integer: // divides without a fraction."),
        ("[1, 2] * 2.0", "You can't calculate with a list: make it an array with np.array(x)."),
        ("q(0)", "This isn't a function: x[i] takes brackets, x.shape and x.T no parentheses. Or "
         "did you reuse a function's name?"),
        ("q.shape()", "This isn't a function: x[i] takes brackets, x.shape and x.T no "
         "parentheses. Or did you reuse a function's name?"),
        ("q.sum()(2)", "This isn't a function: x[i] takes brackets, x.shape and x.T no "
         "parentheses. Or did you reuse a function's name?"),
        ("np.sum(q, dim=0)", "NumPy calls them axis and keepdims."),
        ("x = np.ones(2, int)\nx /= 2",
         "An integer array can't hold fractions. Write x = x / y instead of x /= y."),
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
    assert told["help"].startswith("A list can't be a key")
