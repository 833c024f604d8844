"""Code that was pasted: mended where it can be, and a sentence of its own where it can't."""

from __future__ import annotations

import json

import pytest

from app.jail.policy.compile import compile_source
from app.jail.policy.mending import mend
from tests.jail.programs import FILE, problems, run

_UNSEEN = {
    "zero width space": "\u200b",
    "zero width joiner": "\u200d",
    "byte-order mark": "\ufeff",
    "word joiner": "\u2060",
    "soft hyphen": "\u00ad",
    "left-to-right mark": "\u200e",
    "right-to-left override": "\u202e",
    "isolate": "\u2066",
    "Arabic letter mark": "\u061c",
}


@pytest.mark.parametrize("unseen", _UNSEEN.values(), ids=_UNSEEN.keys())
@pytest.mark.parametrize(
    "pasted",
    [
        "X\u200bdef f():\n    return 1\nR = f()",
        "def f():\n    X\u200breturn 1\nR = f()",
        "def f():\nX\u200b    return 1\nR = f()",
        "def f():\n    if True:\n    X\u200b    return 1\nR = f()",
        "num_X\u200bheads = 1\nR = num_headsX\u200b",
        "R =X\u200b 1X\u200b",
    ],
    ids=["margin", "indented", "before indentation", "in it", "inside a name", "line's end"],
)
def test_what_nobody_sees_vanishes(pasted: str, unseen: str) -> None:
    source = pasted.replace("X\u200b", unseen)
    if source.startswith("\ufeff"):
        source = "\n" + source
    assert compile_source(source.encode(), FILE).problems == []
    assert run(source).names["R"] == 1


def test_control_characters_are_no_paste() -> None:
    assert problems(b"\x7fELF\x02\x01")[0]["kind"] == "syntax"
    assert problems("x = 1\b")[0]["kind"] == "syntax"


def test_what_stands_in_a_string_stays_where_the_code_is_right() -> None:
    assert run("R = 'a\u200bb'").names["R"] == "a\u200bb"


@pytest.mark.parametrize(
    ("plain", "value"),
    [
        ("w = 2\nR = f'width {w + 0} of {w}'", "width 2 of 2"),
        ("w = 2\nR = f'{w + 1:>4} {dict(a=w)[\"a\"]}'", "   3 2"),
        ("w = 2\nR = f'''{ w }\n{ {1: w}[1] }'''", "2\n2"),
        ("w = 2\nR = rf'\\d {{ {w - 1}'", "\\d { 1"),
        ("import numpy as np\nR = np.einsum('ij, jk -> ik', np.eye(2), np.eye(2)).sum()", 2.0),
        ("def f(a, b):\n    # a comment, too\n    return a + b\nR = f(1, 2)", 3),
        ("R = 'a b'  # it's a 'quote'\nS = 1", "a b"),
    ],
)
@pytest.mark.parametrize("space", ["\u00a0", "\u2009", "\u3000"])
def test_mending_spaces_stops_at_no_quote(plain: str, value: object, space: str) -> None:
    pasted = plain.replace(" ", space)
    assert compile_source(pasted.encode(), FILE).problems == []
    assert run(pasted).names["R"] == value


def test_the_code_in_an_f_string_is_mended_as_code_is() -> None:
    assert run("w = 3\nR = f“{w − 1}”").names["R"] == "2"
    assert run("d = {'a': 1}\nR = f“{d[‘a’]}”").names["R"] == "1"


def test_columns_are_those_of_the_text_as_it_was_typed() -> None:
    source = "if\u200b True:\n    \u200b\u200bx\u200b = np.load('a')"
    (found,) = problems(source)
    assert (found["line"], found["column"], found["end_column"]) == (2, 12, 19)
    error = run("def f():\n    \u200breturn\u200b 1 / 0\nf()").error
    assert error is not None
    frame = error["frames"][-1]
    assert (frame["line"], frame["column"], frame["end_column"]) == (2, 14, 19)


def test_a_source_without_anything_odd_is_not_looked_into() -> None:
    assert mend("x = 'a'\n\ty\n").notes == []


_CODE = "import numpy as np\n\ndef f(x):\n    return x\n"
_NUMBERS = "The lines start with line numbers."
_TRANSPOSE = "Write K.T, or for an array of several matrices np.swapaxes(K, -1, -2)."


def _numbered(between: str, first: int = 1) -> str:
    return "\n".join(f"{n:3}{between}{line}" for n, line in enumerate(_CODE.split("\n"), first))


@pytest.mark.parametrize(
    ("pasted", "line", "message", "instead"),
    [
        (_numbered("\t"), 1, _NUMBERS, "Copy the code without them."),
        (_numbered(" | ", first=118), 1, _NUMBERS, "Copy the code without them."),
        (_numbered(": "), 1, _NUMBERS, "Copy the code without them."),
        ("1\nimport numpy\n2\ndef f():\n3\n    return 1", 1, _NUMBERS,
         "Copy the code without them."),
        ("# fine\ndef f(x) -&gt; int:\n    return x", 2, "&gt; is HTML for >.",
         "Write > here, and everywhere else."),
        ("if a &amp;&amp; b:\n    pass", 1, "&amp; is HTML for &.",
         "Write & here, and everywhere else."),
        ("x = [&#39;a&#39;]", 1, "&#39; is HTML for '.",
         "Write ' here, and everywhere else."),
        ("s = q @ k\u2032", 1, "Python has no \u2032 for a transpose.", _TRANSPOSE),
        ("s = q @ k\u2032 / np.sqrt(w)", 1, "Python has no \u2032 for a transpose.", _TRANSPOSE),
        ("s = (q @ k)' / 2", 1, "Python has no ' for a transpose.", _TRANSPOSE),
        ("s = q @ k[0]'", 1, "Python has no ' for a transpose.", _TRANSPOSE),
    ],
)  # fmt: skip
def test_what_was_pasted_along_has_a_sentence(
    pasted: str, line: int, message: str, instead: str
) -> None:
    first = problems(pasted)[0]
    assert (first["line"], first["message"], first["instead"]) == (line, message, instead)


@pytest.mark.parametrize("source", ["x = don't", "x = 'a", "x = b'a", "x = rb'a"])
def test_an_open_string_is_no_transpose(source: str) -> None:
    assert "transpose" not in problems(source)[0]["message"]


def test_a_notebook_is_told_from_a_program() -> None:
    cell = {"cell_type": "code", "source": ["def f():\n", "    return 1"], "outputs": []}
    notebook = json.dumps({"nbformat": 4, "cells": [cell], "metadata": {}})
    first = problems(notebook)[0]
    assert first["message"] == "This is a notebook file, not Python."
    assert "cell with your function" in first["instead"]
    assert compile_source(b"{'cells': 1}", FILE).problems == []


@pytest.mark.parametrize(
    ("line", "message", "instead"),
    [
        ("import cmath", "The module cmath isn't available here.",
         "Use np.exp, np.sqrt: they take complex numbers."),
        ("from jaxtyping import Float", "The module jaxtyping isn't available here.",
         "Leave shapes out of the type hints, or write np.ndarray."),
        ("import logging", "The module logging isn't available here.",
         "Use print(x): what it writes is shown in the report."),
        ("from types import SimpleNamespace", "The module types isn't available here.",
         "Write a small class: class Config: ..."),
        ("import maths", "There is no module maths here.", "Did you mean math?"),
    ],
)  # fmt: skip
def test_a_module_that_exists_is_no_misspelling(line: str, message: str, instead: str) -> None:
    first = problems(line)[0]
    assert (first["message"], first["instead"]) == (message, instead)


@pytest.mark.parametrize(("typed", "meant"), [("ezp", "exp"), ("xep", "exp"), ("smu", "sum")])
def test_a_short_name_with_one_letter_off_is_recognised(typed: str, meant: str) -> None:
    error = run(f"import numpy as np\nnp.{typed}(1)").error
    assert error is not None
    assert error["help"] == f"Did you mean {meant}?"
