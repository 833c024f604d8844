"""Syntax errors in words; pasted text mended without moving anything."""

from __future__ import annotations

import pytest

from app.jail.policy.compile import compile_source
from tests.jail.programs import FILE, problems, run


@pytest.mark.parametrize(
    ("source", "line", "message", "instead"),
    [
        ("def f(x)\n    return x", 1, "A colon is missing.",
         "Add a colon at the end of the line."),
        ("if x = 3:\n    pass", 1, "= assigns a value and can't be used here.",
         "To compare, write ==."),
        ("if f(x) = 3:\n    pass", 1,
         "You can't assign to this function call.",
         "To compare, write ==."),
        ("f(x) = 3", 1, "You can't assign to this function call.",
         "To compare, write ==."),
        ("x = [1, 2\ny = 3", 1, "This [ is never closed.",
         "Add the missing ]."),
        ("x = 1)", 1, "This ) has no ( before it.", "Delete it, or add the missing (."),
        ("x = (1]", 1, "] can't close (.", "Close each bracket with its own kind."),
        ("x = 'a", 1, "This string is never closed.",
         "Add the missing quote."),
        ('x = """a', 1, 'This triple-quoted string is never closed.',
         "Add the three missing quotes."),
        ("for i in x:\n\ty = 1\n        z = 2", 3,
         "This line is indented with tabs, others with spaces.", "Use four spaces "
         "everywhere."),
        ("def f():\n        x = 1\n    y = 2", 3,
         "This line's indentation matches no line above it.",
         "Line it up with the block it belongs to."),
        ("x = 1\n    y = 2", 2, "This line is indented more than the one above.",
         "Move it left, or end the line above with a colon."),
        ("if x:\ny = 2", 2, "The 'if' statement on line 1 needs an indented line after it.",
         "Indent the next line by four spaces, or write pass."),
        ("%matplotlib inline", 1, "Notebook commands don't run here.",
         "Delete the line."),
        ("%%time\nx = 1", 1, "Notebook commands don't run here.", "Delete the line."),
        ("!pip install numpy", 1, "Nothing can be installed here.",
         "Delete the line: NumPy is already here."),
        ("pip install numpy", 1, "Nothing can be installed here.",
         "Delete the line: NumPy is already here."),
        ("!ls", 1, "Shell commands don't run here.", "Delete the line."),
        ("np.dot?", 1, "Notebook help doesn't run here.", "Delete the line."),
        (">>> x = 1", 1, "This line begins with Python's prompt.",
         "Delete the >>> and ... at the left."),
        ("```python\nx = 1\n```", 1, "This line is a Markdown fence, not Python.", "Delete "
         "it."),
        ("print 'hello'", 1, "`print` needs parentheses.",
         "Write print(...): without them it's Python 2."),
        ("x := 3", 1, ":= only works inside an expression.", "Write = here."),
        ("f = lambda x: return x", 1, "A lambda has no `return`.",
         "Delete the word, or write a def."),
        ("\n".join(" " * n + "if x:" for n in range(101)), 101, "This is nested too deeply.",
         "Split it into several lines."),
        ("print x", 1, "`print` needs parentheses.",
         "Write print(...): without them it's Python 2."),
        ("if a:\n    pass\nelse if b:\n    pass", 3, "Python has no `else if`.",
         "Write elif."),
        ("x++", 1, "Python has no ++ or --.", "Write += 1 or -= 1."),
        ("if a && b:\n    pass", 1, "Python writes && and || as words.",
         "Write `and` or `or`."),
        ("x = 2 y", 1, "Python can't parse this line (invalid syntax).", ""),
        ("x = [1 2]", 1, "A comma or an operator is missing here.",
         "Add it between the two."),
        ("x = 2d", 1, "A name can't begin with a digit.",
         "Start it with a letter, or write * to multiply."),
        ("def f(a, a):\n    pass", 1, "The parameter a appears twice.",
         "Give each parameter its own name."),
        ("def f(a=1, b):\n    pass", 1,
         "A parameter without a default comes after one with a default.",
         "Put those without a default first."),
        ("f(a=1, 2)", 1, "A positional argument comes after a named one.",
         "Put the positional ones first."),
        ("x = f'{}'", 1, "There is a problem in this f-string: empty expression not allowed.",
         "Look at what is between { and }."),
        ("x = 3，", 1, "Python doesn't know the character ，.",
         "Type it again on your keyboard."),
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
