"""What the policy refuses, and the sentence, line and column it does so with."""

from __future__ import annotations

import ast
import time
import warnings
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.jail.policy.compile import SOURCE_BYTES, compile_source
from app.jail.policy.transformer import LearnerPolicy
from tests.jail.programs import FILE, problems, run

_FEW = "numpy, math, itertools, functools, collections, dataclasses, typing and operator"


def _one(source: str | bytes) -> tuple[Any, ...]:
    (problem,) = problems(source)
    return tuple(problem.values())


@pytest.mark.parametrize(
    ("source", "line", "columns", "message", "instead"),
    [
        ("import os", 1, (8, 10), "os isn't available here.",
         "Your function only needs its arguments."),
        ("x = 1\nimport scipy.special", 2, (8, 21),
         "This exercise is NumPy only, so scipy isn't available here.",
         "Write it yourself: np.exp, max and sum are all a softmax takes."),
        ("from numpy import *", 1, (1, 20), "from numpy import * isn't available here.",
         "Write `import numpy as np`."),
        ("import nump as np", 1, (8, 18), "There is no module nump here.", "Did you mean numpy?"),
        ("import mymodule", 1, (8, 16), "The module mymodule isn't available here.",
         f"You can import {_FEW}."),
        ("from . import x", 1, (1, 16), "A relative import isn't available here: there is one "
         "file.",
         "Put everything in one file."),
        ("from numpy import zeroes", 1, (19, 25), "numpy has no zeroes.", "Did you mean zeros?"),
        ("from numpy import f2py", 1, (19, 23),
         "np.f2py isn't available here: it reaches outside the sandbox.",
         "Leave it out: no exercise needs it."),
        ("x = open('a')", 1, (5, 9), "Files are not available here.",
         "Your function only needs its arguments."),
        ("n = input()", 1, (5, 10), "There is no keyboard here.",
         "Your function only needs its arguments."),
        ("é = 1; x = é.__class__", 1, (12, 23), "The attribute __class__ isn't available here.",
         "Write type(x)."),
        ("import numpy as np\nnp.load('x')", 2, (1, 8),
         "np.load isn't available here: there are no files.",
         "Your function only needs its arguments."),
        ("import numpy as np\nnp.exp = len", 2, (1, 7), "np.exp can't be changed here: it is "
         "shared.",
         "Give your function a name of its own."),
        ("class A(metaclass=type): pass", 1, (9, 23), "A metaclass isn't available here.",
         "Write a plain class."),
        ("k = {}\nclass A(**k): pass", 2, (9, 12),
         "** isn't available in a class statement here: it can hide a metaclass.",
         "Write the keywords out."),
        ("class A:\n    def __del__(self):\n        pass", 2, (5, 23),
         "The name __del__ isn't available here: Python reserves it.",
         "Leave it out: nothing has to be closed here."),
        ("async def f():\n    pass", 1, (1, 15), "async def isn't available here.", "Use def."),
        ("", None, (None, None), "There is nothing to run yet.",
         "Write the function the statement asks for."),
        ("# only a comment\n", None, (None, None), "There is nothing to run yet.",
         "Write the function the statement asks for."),
    ],
)  # fmt: skip
def test_a_refusal_says_what_why_and_what_to_write(
    source: str, line: int | None, columns: tuple[int, int], message: str, instead: str
) -> None:
    assert _one(source) == ("policy", line, *columns, message, instead)


def test_all_problems_come_at_once_in_order_and_each_once() -> None:
    source = (
        "import sys, os\nfrom numpy import *\nx = open('a') + eval('1') + open('b')\n"
        "class A(metaclass=type):\n    y = x.__class__.__bases__\n"
    )
    assert [(p["line"], p["column"], p["message"].split(" ")[0]) for p in problems(source)] == [
        (1, 8, "sys"),
        (1, 13, "os"),
        (2, 1, "from"),
        (3, 5, "Files"),
        (3, 17, "eval()"),
        (4, 9, "A"),
        (5, 9, "The"),
        (5, 9, "The"),
    ]


def test_a_name_the_learner_binds_is_the_learners() -> None:
    outcome = run("input = 3; open = 1\ndef f(eval, max): return eval + max\nR = f(input, open)")
    assert (outcome.error, outcome.names["R"]) == (None, 4)


def test_what_stands_under_a_main_guard_does_not_run_and_is_not_looked_at() -> None:
    source = (
        "R = 1\nif __name__ == '__main__':\n    import matplotlib\n    R = open('x')\n"
        "else:\n    S = 2"
    )
    outcome = run(source)
    assert (outcome.names["R"], outcome.names["S"]) == (1, 2)


def test_a_node_type_nobody_thought_of_stays_refused() -> None:
    assert (
        _one("try:\n    x = 1\nexcept* ValueError:\n    x = 2")[4]
        == "except* isn't available here."
    )
    assert problems("async def f():\n    async with a as b:\n        await b")[1]["line"] == 2


@pytest.mark.parametrize(
    "guard",
    ["_getattr_", "_write_", "_type_", "_plain_", "_getitem_", "_print_", "_tmp1"],
)
@pytest.mark.parametrize(
    "binding",
    [
        "{} = 1",
        "del {}",
        "for {} in []: pass",
        "def {}(): pass",
        "class {}: pass",
        "def f({}, /): pass",
        "def f(*{}): pass",
        "lambda **{}: 1",
        "import numpy as {}",
        "from numpy import pi as {}",
        "try: 1\nexcept Exception as {}: pass",
        "({} := 1)",
        "global {}",
        "[1 for {} in []]",
        "match 1:\n    case {}: pass",
        "match []:\n    case [*{}]: pass",
        "match []:\n    case {{**{}}}: pass",
        "def f():\n    x = 1\n    def g():\n        nonlocal {}",
        "with open as {}: pass",
        "x.{} = 1",
    ],
)
def test_no_binding_hides_a_guard(binding: str, guard: str) -> None:
    messages = {p["message"] for p in problems(binding.format(guard))}
    assert messages & {
        f"The name {guard} is taken here.",
        f"The attribute {guard} isn't available here.",
    }


@pytest.mark.parametrize(
    ("source", "kind", "message"),
    [
        ("x = " + "1 + " * 3000 + "1", "syntax", "An expression is nested too deeply."),
        ("x = " + "-" * 3000 + "1", "syntax", "An expression is nested too deeply."),
        ("x = np" + ".a" * 3000, "syntax", "An expression is nested too deeply."),
        ("x = " + "(" * 500 + "1" + ")" * 500, "syntax", "This is nested too deeply."),
        ("x = " + "7" * 5000, "syntax", "A number here has thousands of digits."),
        ("x = 1\n\0", "syntax", "There is a NUL character in the code."),
        ("x = '\ud800'", "syntax", "There is half a character (a lone surrogate) in the code."),
        ("return 1", "syntax", "`return` is outside a function."),
        ("def f():\n    x = 1\n    global x", "syntax", "`global x` must come before x is used."),
        ("#" * (SOURCE_BYTES + 1), "policy", "The code is longer than 64 KiB, the limit."),
    ],
)  # fmt: skip
def test_whatever_escapes_the_compiler_is_a_problem(source: str, kind: str, message: str) -> None:
    problem = problems(source)[0]
    assert (problem["kind"], problem["message"]) == (kind, message)


def test_bytes_that_are_no_text_are_a_problem_with_a_line() -> None:
    assert _one(b"x = 1\ny = \xff")[:2] == ("syntax", 2)


@given(st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda t: t.encode("utf-8"))))
def test_no_bytes_make_it_raise(text: bytes) -> None:
    compiled = compile_source(text, FILE)
    assert (compiled.code is None) == bool(compiled.problems)
    for problem in compiled.problems:
        assert problem["line"] is None or problem["line"] >= 1
        assert problem["column"] is None or 1 <= problem["column"] < problem["end_column"]


def test_ten_thousand_problems_are_cut_to_the_first() -> None:
    found = problems("import os\n" * 6000)
    assert len(found) == 50
    assert found[-1]["line"] == 50


def test_a_source_of_the_greatest_length_compiles_in_time() -> None:
    line = "x = [q @ k.transpose(0, 2, 1) / np.sqrt(d) for q, k in zip(a, b)]\n"
    source = line * (SOURCE_BYTES // len(line))
    start = time.process_time()
    assert compile_source(source.encode(), FILE).code is not None
    assert time.process_time() - start < 10


def test_warnings_of_the_compiler_are_not_errors() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert run("x = 1 is 1\ny = '\\d'").error is None


@pytest.mark.parametrize(
    "kind", ["TypeAlias", "TypeVar", "ParamSpec", "TypeVarTuple", "TemplateStr", "Interpolation"]
)
def test_a_kind_of_statement_of_a_newer_python_is_refused_until_it_is_tested(kind: str) -> None:
    """Type parameters came with 3.12, template strings with 3.14; here they may be no syntax."""
    node = type(kind, (ast.expr,), {"_fields": ()})()
    node.lineno = node.end_lineno = 1
    node.col_offset = node.end_col_offset = 0
    errors: list[str] = []
    LearnerPolicy(errors, [], {}).visit(ast.Module([ast.Expr(node)], []))
    assert len(errors) == 1
    assert "t available here" in errors[0]
