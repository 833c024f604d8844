"""What the automatic mutants of a reference change, each one thing at a time."""

from __future__ import annotations

import ast

import pytest

from app.jail.mutate.mutants import MAX_MUTANTS, mutants
from app.model import Source
from app.ports import AuthorSandbox

HEAD = "import numpy as np\n\n\ndef f(x, y, n, k=None):\n    return "


def changes(expression: str) -> set[str]:
    """The changes to one expression, on line 5."""
    return {change for line, change, _ in mutants(HEAD + expression) if line == 5}


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("x + y", {"x + y -> x - y", "x + y -> x", "x + y -> y"}),
        ("x - y", {"x - y -> x + y", "x - y -> y - x", "x - y -> x", "x - y -> y"}),
        ("x // y", {"x // y -> x / y", "x // y -> y // x", "x // y -> x", "x // y -> y"}),
        ("x @ y", {"x @ y -> x * y", "x @ y -> y @ x", "x @ y -> x", "x @ y -> y"}),
        ("x <= y", {"x <= y -> x < y", "x <= y -> x > y"}),
        ("x == y", {"x == y -> x != y"}),
        ("x is y", {"x is y -> x is not y"}),
        ("x and y", {"x and y -> x or y"}),
        ("-x", {"-x -> x"}),
        ("x if y else n", {"x if y else n -> x", "x if y else n -> n"}),
        ("x[0]", {"x[0] -> x[1]", "x[0] -> x[-1]"}),
        ("x[:, 0]", {"[:, 0] -> [:, 1]", "[:, 0] -> [:, -1]"}),
        ("x[..., -1]", {"(..., -1) -> (..., 0)", "(..., -1) -> (..., -2)"}),
        ("np.exp(x)", {"np.exp(x) -> x"}),
        ("x.ravel()", {"x.ravel() -> x"}),
        ("np.maximum(x, y)", {"np.maximum(x, y) -> x", "np.maximum(x, y) -> y"}),
        (
            "x.reshape(n, y)",
            {"x.reshape(n, y) -> x", "x.reshape(n, y) -> x.reshape(y, n)"},
        ),
        (
            "np.zeros((n, y))",
            {"np.zeros((n, y)) -> (n, y)", "(n, y) -> (y, n)"},
        ),
    ],
)
def test_an_expression_is_changed_in_these_ways(expression: str, expected: set[str]) -> None:
    assert changes(expression) == expected


def test_an_axis_is_changed_to_every_other_from_either_end() -> None:
    found = changes("x.sum(axis=-1, keepdims=True)")
    axes = {c for c in found if c.startswith("axis=")}
    assert axes == {f"axis=-1 -> axis={axis}" for axis in (-3, -2, 0, 1, 2)}
    assert "x.sum(axis=-1, keepdims=True) -> x.sum(axis=-1)" in found
    assert "x.sum(axis=-1, keepdims=True) -> x.sum(keepdims=True)" in found


def test_constants_are_moved() -> None:
    assert changes("0.5") == {"0.5 -> 1.0", "0.5 -> 1.5"}
    assert changes("np.inf") == {"np.inf -> 10000.0"}
    assert changes("'rms'") == {"'rms' -> 'mutated'"}
    assert changes("True") == {"True -> False"}


def test_defaults_are_changed_under_their_names() -> None:
    assert (4, "k=None -> k=0") in {(line, change) for line, change, _ in mutants(HEAD + "x")}


def test_docstrings_and_annotations_are_left_alone() -> None:
    text = '"""Words."""\ndef f(x: "a") -> "b":\n    """More words, 1 + 1."""\n    return x\n'
    assert mutants(text) == ()


def test_every_mutant_is_python_and_another_text() -> None:
    text = HEAD + "np.exp(x - x.max(axis=-1, keepdims=True)) / n ** 0.5"
    found = mutants(text)
    sources = [source for _, _, source in found]
    assert len(set(sources)) == len(sources) > 20
    assert all(ast.dump(ast.parse(s)) != ast.dump(ast.parse(text)) for s in sources)


def test_the_same_change_twice_on_a_line_is_counted() -> None:
    found = [change for _, change, _ in mutants("def f(x):\n    return [x + 1, x + 1]\n")]
    assert "x + 1 -> x - 1" in found and "x + 1 -> x - 1 (2)" in found


def test_their_number_is_bounded() -> None:
    text = "def f(x):\n" + "    x += 1\n" * 700
    assert len(mutants(text)) == MAX_MUTANTS


def test_the_jail_makes_them(jailed: AuthorSandbox) -> None:
    """A locked child opens no file, so all that making them needs must be there before."""
    text = (HEAD + "x + y\n").encode()
    found = jailed.mutants(Source("reference.py", text))
    assert [(m.line, m.change) for m in found] == [
        (4, "k=None -> k=0"),
        (5, "x + y -> x - y"),
        (5, "x + y -> x"),
        (5, "x + y -> y"),
    ]


@pytest.mark.parametrize("text", ["def f(:", "x = " + "-" * 900 + "1", "import numpy as np"])
def test_where_none_can_be_made_there_are_none(text: str, jailed: AuthorSandbox) -> None:
    assert jailed.mutants(Source("reference.py", text.encode())) == ()
