"""Programs that fail: type, message and lines are plain Python's own."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.jail.programs import run, run_plainly

_HEAD = "import numpy as np\nimport math\n"
_FAILING = {
    "name": "x = sofmax(1)",
    "name in a function": "def f():\n    return unknown + 1\nf()",
    "local before assignment": "x = 1\ndef f():\n    y = x\n    x = 2\n    return y\nf()",
    "attribute of an array": "x = np.ones(2)\ny = x.shpe",
    "guarded attribute of an array": "x = np.ones(2)\ny = (x\n     .reshape(2)\n     .left())",
    "attribute of a module": "def softmax(x):\n    return np.softmax(x)\nsoftmax(1)",
    "attribute of a part": "np.linalg.nrm(1)",
    "attribute NumPy had": "x = np.zeros(2, dtype=np.float)",
    "attribute of an own object": "class A:\n    def __init__(self):\n        self.x = "
    "1\nA().heads",
    "attribute of None": "def f():\n    pass\nf().shape",
    "attribute of a list": "[1, 2].shape",
    "attribute of a class": "class A: pass\nA.left",
    "private attribute": "class A: pass\nA()._left",
    "class-private attribute": "class A:\n    def f(self):\n        return self.__x\nA().f()",
    "attribute of the array class": "np.ndarray.nothing",
    "broadcast": "q, k = np.ones((2, 3)), np.ones((4, 5))\nx = 1\ny = q + k",
    "matmul": "def scores(q, k):\n    return (q\n            @ k)\nscores(np.ones((2, 3)), "
    "np.ones((4, 5)))",
    "reshape": "np.ones((2, 3)).reshape(4, 2)",
    "concatenate": "np.concatenate([np.ones((2, 3)), np.ones((3, 2))])",
    "axis": "np.ones(3).sum(axis=1)",
    "index": "x = np.ones(3)\nx[3]",
    "indices": "x = np.ones(3)\nx[0, 0] = 1",
    "store of a wrong shape": "x = np.ones((3, 2))\nx[0] = np.ones(3)",
    "in place": "x = np.ones(3)\nx += np.ones((2, 3))",
    "in place cast": "x = np.ones(3, dtype=int)\nx /= 2",
    "unpacking": "n, d = np.ones((2, 3, 4)).shape",
    "singular": "np.linalg.inv(np.zeros((2, 2)))",
    "einsum": "np.einsum('ij,jk', np.ones((2, 3)), np.ones((4, 5)))",
    "split": "np.split(np.ones(5), 2)",
    "truth": "if np.ones(2):\n    pass",
    "zero division": "def f(x):\n    return [1 / n for n in x]\nf([1, 0])",
    "key": "d = {'a': 1}\nd['b']",
    "list index": "[1][2]",
    "type": "'a' + 1",
    "call": "x = 3\nx()",
    "module call": "np(3)",
    "missing argument": "def f(a, b):\n    return a\nf(1)",
    "too many arguments": "def f(a):\n    return a\nf(1, 2)",
    "unknown keyword": "np.sum(np.ones(2), dim=0)",
    "own error": "class Mine(ValueError):\n    pass\ndef f():\n    raise Mine('words')\nf()",
    "assertion": "def f(d, h):\n    assert d % h == 0, 'no'\nf(3, 2)",
    "class statement": "x = 1\n\nclass A(undefined):\n    pass",
    "class body": "class A:\n    x = 1\n    y = 1 / 0",
    "decorator": "@undefined\ndef f():\n    pass",
    "default": "def f(x=undefined):\n    pass",
    "annotation": "def f(x: np.arry) -> int:\n    pass",
    "generator": "def g():\n    yield 1\n    yield 1 / 0\nlist(g())",
    "comprehension": "x = [\n    y\n    for y in [1, 2]\n    if y / 0\n]",
    "lambda": "f = lambda x: x / 0\nf(1)",
    "recursion": "def f(n):\n    return n * f(n - 1)\nf(1.0)",
    "chained": "try:\n    1 / 0\nexcept ZeroDivisionError:\n    int('x')",
    "context": "with 3 as x:\n    pass",
    "math": "math.sqrt(-1)",
    "math of an array": "math.exp(np.ones(2))",
    "range": "for i in range(4 / 2):\n    pass",
    "format": "'{} {}'.format(1)",
    "format of an attribute": "'{0.nothing}'.format(1)",
    "constant attribute": "(1).x = 2",
    "tuple store": "x = (1, 2)\nx[0] = 3",
    "setattr": "setattr((1, 2), 'left', 3)",
    "getattr": "getattr(np.ones(2), 'left')",
    "print": "print(1, sep=2)",
    "next": "next(iter([]))",
    "match": "match 1 / 0:\n    case 1:\n        pass",
    "walrus": "[y for x in [0] if (y := 1 / x)]",
    "method chain over lines": "(np.ones((2, 3))\n .reshape(6)\n .reshape(5)\n .sum())",
    "call over lines": "np.add(\n    np.ones(2),\n    np.ones(3),\n)",
    "super": "class A:\n    def __init__(self):\n        super().__init__(1)\nA()",
    "dataclass": "from dataclasses import dataclass\n@dataclass\nclass A:\n    x: int\nA()",
    "frozen": (
        "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass A:\n    x: "
        "int\nA(1).x = 2"
    ),
    "assert_allclose": "np.testing.assert_allclose([1.0], [2.0])",
}


@pytest.mark.parametrize("body", _FAILING.values(), ids=_FAILING.keys())
def test_a_failing_program_fails_as_in_plain_python(body: str) -> None:
    source = _HEAD + body
    _, _, plain = run_plainly(source)
    assert plain is not None, "it does not fail"
    kind, message, lines = plain
    error = run(source).error
    assert error is not None, "it runs under the policy"
    own = [frame["line"] for frame in error["frames"]]
    if len(lines) > 20:  # a runaway recursion: the outermost and the innermost are kept
        lines = lines[:10] + lines[-10:]
    assert (error["type"], error["message"], own) == (kind, message[:2000], lines)


# -------------------------------------------------------------------- programs from a grammar

_NAMES = st.sampled_from(["x", "y", "_z", "größe"])
_NUMBERS = st.sampled_from(["0", "1", "2.5", "-3", "True", "len([1, 2])", "float(f'{x:.3f}')"])
_ARRAYS = st.sampled_from(
    ["np.arange(6.0).reshape(2, 3)", "np.ones((2, 3))", "np.eye(3)[:2]", "np.zeros((2, 3)).copy()"]
)


def _arithmetic(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    two = st.tuples(inner, inner)
    return st.one_of(
        st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        two.map(lambda t: f"({t[0]} if {t[1]} else {t[0]})"),
        two.map(lambda t: f"max({t[0]}, {t[1]})"),
        two.map(lambda t: f"(lambda a, *, b=1: a - b)({t[0]}, b={t[1]})"),
        two.map(lambda t: f"sum([v * {t[0]} for v in ({t[1]}, 2)])"),
        two.map(lambda t: f"(*({t[0]}, 1), *[{t[1]}])[0]"),
        inner.map(lambda e: f"Box({e}).twice()"),
        inner.map(lambda e: f"Box({e})._value"),
        inner.map(lambda e: f"float('{{0:.2f}}'.format({e}))"),
        inner.map(lambda e: f"Pair({e}, 2)._replace(right=0).left"),
        inner.map(lambda e: f"next(up_to({e}))"),
    )


_VALUES = st.recursive(st.one_of(_NAMES, _NUMBERS), _arithmetic, max_leaves=6)


def _indented(lines: list[str]) -> str:
    return "\n".join("    " + line for text in lines for line in text.split("\n"))


def _compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    blocks = st.lists(inner, min_size=1, max_size=3).map(_indented)
    return st.one_of(
        st.tuples(_VALUES, blocks, blocks).map(lambda t: f"if {t[0]} > 1:\n{t[1]}\nelse:\n{t[2]}"),
        st.tuples(_NAMES, blocks).map(lambda t: f"for {t[0]} in range(3):\n{t[1]}"),
        st.tuples(_NAMES, _NAMES, blocks).map(
            lambda t: f"for {t[0]}, {t[1]} in zip((1, 2), (3, 4)):\n{t[2]}"
        ),
        st.tuples(blocks, blocks).map(
            lambda t: f"try:\n{t[0]}\nexcept (ZeroDivisionError, OverflowError):\n{t[1]}"
        ),
        st.tuples(_VALUES, blocks, blocks).map(
            lambda t: (
                f"match ({t[0]}, 1):\n    case (0, _):\n"
                + _indented([t[1]])
                + "\n    case (a, b) if a > b:\n"
                + _indented([t[2]])
                + "\n    case _:\n        pass"
            )
        ),
        blocks.map(lambda b: f"with np.errstate(all='ignore'):\n{b}"),
        st.tuples(blocks, _VALUES).map(
            lambda t: f"def inner(x, y=2, _z=1, größe=0):\n{t[0]}\n    return {t[1]}\nx = inner(x)"
        ),
    )


_STATEMENTS = st.recursive(
    st.one_of(
        st.tuples(_NAMES, _VALUES).map(lambda t: f"{t[0]} = {t[1]}"),
        st.tuples(_NAMES, _VALUES).map(lambda t: f"{t[0]}: float = {t[1]}"),
        st.tuples(_NAMES, _VALUES).map(lambda t: f"{t[0]} += {t[1]}"),
        st.tuples(_NAMES, _NAMES, _VALUES).map(lambda t: f"{t[0]}, {t[1]} = {t[2]}, 1"),
        st.tuples(_ARRAYS, _VALUES).map(lambda t: f"m = {t[0]}; m[:, 0:2] += {t[1]}"),
        st.tuples(_ARRAYS, _VALUES).map(lambda t: f"m = {t[0]}; m[0] *= {t[1]}; m[m > 2] = -1"),
        _ARRAYS.map(lambda a: f"m = {a} @ m.T if m.shape == (2, 3) else {a}"),
        _ARRAYS.map(lambda a: f"x = ({a}).sum(axis=-1, keepdims=True)[0].item()"),
        _VALUES.map(lambda v: f"box.total += {v}; box._value = box.total"),
        _VALUES.map(lambda v: f"print({v}, m.shape, sep='|')"),
        _VALUES.map(lambda v: f"seen[{v}] = seen.get({v}, 0) + 1"),
        _VALUES.map(lambda v: f"assert {v} != 12345"),
    ),
    _compound,
    max_leaves=8,
)

_FRAME = """
import numpy as np
from collections import namedtuple
Pair = namedtuple("Pair", "left right")
class Box:
    total = 0.0
    def __init__(self, value):
        self._value = value
        self.__hidden = value
    def twice(self):
        return self.__hidden + self._value
def up_to(n):
    yield n
    yield from range(2)
x, y, _z, größe = 1, 2, 3.0, 0
m = np.ones((2, 3))
box, seen = Box(1), {}
"""


@settings(max_examples=120)
@given(st.lists(_STATEMENTS, min_size=1, max_size=6))
def test_programs_of_allowed_constructs_behave_as_in_plain_python(statements: list[str]) -> None:
    source = (
        _FRAME + "\n".join(statements) + "\nR = (x, y, _z, größe, m.tolist(), box.total, seen)\n"
    )
    outcome = run(source)
    names, printed, plain = run_plainly(source)
    assert outcome.printed == printed
    if plain is None:
        assert outcome.error is None
        assert repr(outcome.names["R"]) == repr(names["R"])
    else:
        assert outcome.error is not None
        lines = [frame["line"] for frame in outcome.error["frames"]]
        assert (outcome.error["type"], outcome.error["message"], lines) == plain
