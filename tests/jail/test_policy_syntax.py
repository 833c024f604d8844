"""Syntax errors in words, with the line's text; pasted text mended without moving anything."""

from __future__ import annotations

import pytest

from app.jail.policy.compile import compile_source
from tests.jail.programs import FILE, problems, run


@pytest.mark.parametrize(
    ("source", "line", "message", "instead"),
    [
        ("def f(x)\n    return x", 1, "A colon is missing in this line: `def f(x)`.",
         "Write : at its end."),
        ("if x = 3:\n    pass", 1, "= assigns and cannot stand here: `if x = 3:`.",
         "To compare, write ==."),
        ("if f(x) = 3:\n    pass", 1,
         "= assigns, and function call cannot be assigned to: `if f(x) = 3:`.",
         "To compare, write ==."),
        ("f(x) = 3", 1, "= assigns, and function call cannot be assigned to: `f(x) = 3`.",
         "To compare, write ==."),
        ("x = [1, 2\ny = 3", 1, "This [ is never closed: `x = [1, 2`.",
         "Write its partner where the expression ends."),
        ("x = 1)", 1, "This ) closes nothing: `x = 1)`.", "Delete it, or open its partner before."),
        ("x = (1]", 1, "] cannot close (: `x = (1]`.", "Close each with its own partner."),
        ("x = 'a", 1, "This text has no quote at its end: `x = 'a`.",
         "Close it with the quote it began with."),
        ('x = """a', 1, 'This text has no three quotes at its end: `x = """a`.',
         "Close it with the three quotes it began with."),
        ("for i in x:\n\ty = 1\n        z = 2", 3,
         "This line is indented with tabs, others with spaces: `z = 2`.", "Use four spaces "
         "everywhere."),
        ("def f():\n        x = 1\n    y = 2", 3,
         "This line is indented like no line above it: `y = 2`.",
         "Move it to the indentation of the block it belongs to."),
        ("x = 1\n    y = 2", 2, "This line is indented further than the one above: `y = 2`.",
         "Move it left, or end the line above with :."),
        ("if x:\ny = 2", 2, "After the 'if' statement on line 1 an indented line must follow.",
         "Indent the next line by four spaces, or write pass."),
        ("%matplotlib inline", 1, "Notebook commands do not run here: `%matplotlib inline`.",
         "Leave the line out."),
        ("%%time\nx = 1", 1, "Notebook commands do not run here: `%%time`.", "Leave the line out."),
        ("!pip install numpy", 1, "Nothing can be installed here: `!pip install numpy`.",
         "Leave the line out: NumPy is there."),
        ("pip install numpy", 1, "Nothing can be installed here: `pip install numpy`.",
         "Leave the line out: NumPy is there."),
        ("!ls", 1, "Shell commands do not run here: `!ls`.", "Leave the line out."),
        ("np.dot?", 1, "Notebook help does not run here: `np.dot?`.", "Leave the line out."),
        (">>> x = 1", 1, "The line begins with Python's prompt: `>>> x = 1`.",
         "Delete >>> and ... at the left."),
        ("```python\nx = 1\n```", 1, "The line is a Markdown fence: `\u0060``python`.", "Delete "
         "it."),
        ("print 'hello'", 1, "print needs parentheses: `print 'hello'`.",
         "Python 2 wrote it so; write print(...)."),
        ("x := 3", 1, ":= stands inside an expression only: `x := 3`.", "Write = here."),
        ("f = lambda x: return x", 1, "A lambda has no return: `f = lambda x: return x`.",
         "Leave the word out, or write a def."),
        ("\n".join(" " * n + "if x:" for n in range(101)), 101, "This is nested too deeply.",
         "Split it into several lines."),
        ("print x", 1, "print needs parentheses: `print x`.",
         "Python 2 wrote it so; write print(...)."),
        ("if a:\n    pass\nelse if b:\n    pass", 3, "Python has no `else if`: `else if b:`.",
         "Write elif."),
        ("x++", 1, "Python has no ++ and --: `x++`.", "Write += 1 or -= 1."),
        ("if a && b:\n    pass", 1, "Python spells && and || as words: `if a && b:`.",
         "Write and, or."),
        ("x = 2 y", 1, "Python does not understand this line: `x = 2 y`.", "It says: invalid "
         "syntax."),
        ("x = [1 2]", 1, "Between two things here a comma or an operator is missing: `x = [1 2]`.",
         "Write it between them."),
        ("x = 2d", 1, "A name cannot begin with a digit: `x = 2d`.",
         "Begin it with a letter, or write * to multiply."),
        ("def f(a, a):\n    pass", 1, "The parameter a is there twice.",
         "Give each parameter its own name."),
        ("def f(a=1, b):\n    pass", 1,
         "A parameter without a default follows one with a default: `def f(a=1, b):`.",
         "Put those without a default first."),
        ("f(a=1, 2)", 1, "A plain argument follows a named one: `f(a=1, 2)`.",
         "Put the plain ones first."),
        ("x = f'{}'", 1, "The f-string is off: empty expression not allowed.",
         "Look at what stands between { and }."),
        ("x = 3，", 1, "， is no character of Python's: `x = 3，`.",
         "Type it again on the keyboard."),
    ],
)  # fmt: skip
def test_a_syntax_error_is_told_in_words(
    source: str, line: int, message: str, instead: str
) -> None:
    problem = problems(source)[0]
    assert (problem["kind"], problem["line"]) == ("syntax", line)
    assert (problem["message"], problem["instead"]) == (message, instead)


def test_a_syntax_error_further_down_does_not_hide_import_lines() -> None:
    found = problems("import os\nfrom numpy import zeroes\ndef f(:\n    import torch\n")
    assert [(p["kind"], p["line"], p["column"]) for p in found] == [
        ("policy", 1, 8),
        ("policy", 2, 19),
        ("syntax", 3, 7),
        ("policy", 4, 12),
    ]


def test_a_long_line_is_shown_cut() -> None:
    message = problems("x = (" + "1, " * 100)[0]["message"]
    assert len(message) < 100
    assert message.endswith("…`.")


@pytest.mark.parametrize(
    ("pasted", "value", "notes"),
    [
        ("\ufeffR = 1", 1, ["1 byte-order mark"]),
        ("R = 1\r\nS = 2\r\n", 1, ["Windows line ends"]),
        ("R\u00a0= 1\nif R:\n\u00a0\u00a0\u00a0\u00a0R = 2", 2, ["5 non-breaking spaces"]),
        ("R = “hello”", "hello", ["2 curly quotes"]),
        ("R = ‘it’", "it", ["2 curly quotes"]),
        ("R = “““doc”””", "doc", ["6 curly quotes"]),
        ("R = 3 − 1 – 1", 1, ["2 typographic minus signs"]),
        ("R = 'a “quoted” word' # “fine”\nS\u00a0= 1", "a “quoted” word", ["1 non-breaking space"]),
        ("R = \u200b1", 1, ["1 invisible character"]),
    ],
)
def test_pasted_text_is_mended_and_said_so(pasted: str, value: object, notes: list[str]) -> None:
    compiled = compile_source(pasted.encode(), FILE)
    assert compiled.problems == []
    assert compiled.normalised == notes
    assert run(pasted).names["R"] == value


def test_text_that_python_reads_is_left_alone() -> None:
    """A quote or a wide space in a string is what the learner means."""
    source = "R = 'it’s “so”\u00a0– ok'  # – “\u00a0”"
    assert compile_source(source.encode(), FILE).normalised == []
    assert run(source).names["R"] == "it’s “so”\u00a0– ok"


def test_mending_moves_neither_lines_nor_columns() -> None:
    source = "x\u00a0= “a”\ny =\u00a01 / 0\n"
    error = run(source).error
    assert error is not None
    assert error["frames"] == [
        {"line": 2, "function": "<module>", "column": 5, "end_column": 10, "file": FILE}
    ]


def test_columns_count_characters_not_bytes() -> None:
    (problem,) = problems("größe = 1; x = größe.__class__")
    assert (problem["column"], problem["end_column"]) == (16, 31)
