"""The same words whichever Python runs; and what a newer one would know, with the version."""

from __future__ import annotations

import sys

import pytest

from app.jail.offer.newer import came_with, newer_line, newer_name
from app.jail.policy.compile import compile_source
from tests.jail.programs import problems, run

RUNS = f"Python {sys.version_info[0]}.{sys.version_info[1]} runs here."
OLD = (3, 11)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("type Vector = list[float]", "The `type` statement came with Python 3.12; "),
        ("type Pair[T] = tuple[T, T]", "The `type` statement came with Python 3.12; "),
        ("def first[T](x: list[T]) -> T:", "A list of type parameters came with Python 3.12; "),
        ("class Stack[T]:", "A list of type parameters came with Python 3.12; "),
        ("class Stack[T = int]:", "A default of a type parameter came with Python 3.13; "),
        ("x = f\"{d[\"k\"]}\"", "An f-string's own quote inside its { } came with Python 3.12; "),
        ("x = f'{\"\\n\".join(a)}'",
         "A backslash inside the { } of an f-string came with Python 3.12; "),
        ("x = t'{name}'", "A t-string came with Python 3.14; "),
    ],
)  # fmt: skip
def test_newer_syntax_is_told_with_the_version_that_runs(line: str, message: str) -> None:
    refusal = newer_line(line, OLD)
    assert refusal is not None and refusal.message == message + RUNS
    assert refusal.instead


@pytest.mark.parametrize(
    "line",
    ["type = 3 +", "def f(x, y", "x = f'{a' + 'b'", "class A:", "print(f'{x}' 'y' z)", "it's t"],
)  # fmt: skip
def test_a_slip_is_not_taken_for_newer_syntax(line: str) -> None:
    assert newer_line(line, OLD) is None


def test_syntax_that_runs_here_is_not_called_newer() -> None:
    assert newer_line("type X = int", (3, 12)) is None
    assert newer_name("itertools", "batched", (3, 12)) is None


@pytest.mark.parametrize(
    ("source", "what"),
    [("type X = int", "The `type` statement"), ("def f[T](x): pass", "A list of type parameters")],
)
def test_types_of_their_own_are_refused_with_or_without_a_version(source: str, what: str) -> None:
    (problem,) = problems(source)
    is_older = sys.version_info < (3, 12)
    why = f"came with Python 3.12; {RUNS}" if is_older else "isn't available here."
    assert problem["message"] == f"{what} {why}"


@pytest.mark.parametrize(
    ("module", "name", "version"),
    [("itertools", "batched", (3, 12)), ("math", "sumprod", (3, 12)), ("typing", "TypeIs", (3, 13)),
     ("functools", "Placeholder", (3, 14))],
)  # fmt: skip
def test_a_newer_name_is_offered_or_told_with_the_version(
    module: str, name: str, version: tuple[int, int]
) -> None:
    spelled = ".".join(map(str, version))
    assert newer_name(module, name, OLD) == came_with(f"{module}.{name}", version)
    compiled = compile_source(f"from {module} import {name}\n".encode(), "solution.py")
    if sys.version_info[:2] < version:
        (problem,) = compiled.problems
        assert problem["message"] == f"{module}.{name} came with Python {spelled}; {RUNS}"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def f(a=1, b):\n    pass", "A parameter without a default comes after one with a "
         "default."),
        ("f = lambda x=1, y: 0", "A parameter without a default comes after one with a default."),
        ("x = f'{}'", "There is a problem in this f-string: empty expression not allowed."),
        ("x = f'{!r}'", "There is a problem in this f-string: expression required before '!'."),
        ("x = f'{=}'", "There is a problem in this f-string: expression required before '='."),
    ],
)  # fmt: skip
def test_the_words_are_the_same_in_every_version(source: str, message: str) -> None:
    assert problems(source)[0]["message"] == message


@pytest.mark.parametrize("unseen", ["\u200c", "\u200d", "\ufe0f"])
def test_names_that_look_the_same_are_the_same(unseen: str) -> None:
    assert run(f"num_{unseen}heads = 1\nR = num_heads{unseen}").names["R"] == 1


def test_large_integers_divide_as_in_plain_python() -> None:
    """Since 3.12 Python's own C code imports a module for it, by the program's `__import__`."""
    outcome = run("a, b = 10 ** 9000, 7 ** 4000\nq, r = divmod(a, b)\nR = q * b + r == a")
    assert (outcome.error, outcome.names["R"]) == (None, True)


def test_pythons_own_module_for_it_is_not_offered() -> None:
    (problem,) = problems("import _pylong")
    assert problem["message"] == "The module _pylong isn't available here."


def test_an_assertion_is_marked_at_its_condition() -> None:
    one = run("x = 1\nassert x == 2, 'no'").error
    two = run("def f(x):\n    assert (x ==\n            2)\nf(1)").error
    assert one is not None and two is not None
    assert (one["frames"][-1]["column"], one["frames"][-1]["end_column"]) == (8, 14)
    assert two["frames"][-1]["line"] == 2
