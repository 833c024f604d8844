"""Syntax errors in words: what Python found, where, and what to try."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from app.jail.offer.newer import newer_line
from app.jail.offer.refusals import Refusal
from app.jail.policy.pasted import explain_prime
from app.jail.policy.problems import problem

_Words = Callable[["re.Match[str]"], Refusal]
_PARTNERS = {"(": ")", "[": "]", "{": "}", ")": "(", "]": "[", "}": "{"}


def explain_syntax(source: str, error: SyntaxError | ValueError, typed: str) -> dict[str, Any]:
    """The problem for an exception of Python's parser or compiler.

    The sentence says what is wrong, in Python's own words where we have none. A prime that stands
    for a transpose is looked for in `typed`, the text before it was mended.
    """
    lines = source.split("\n")
    if not isinstance(error, SyntaxError):
        return problem("syntax", Refusal(f"Python can't read the code: {error}."))
    number = error.lineno if error.lineno and error.lineno <= len(lines) else None
    text = lines[number - 1] if number else ""
    column, end = _columns(error, text)
    seen = typed.split("\n")[number - 1] if number else ""
    found = problem("syntax", _words(error, text, seen), number, column, end)
    return {**found, "about": "indentation" if isinstance(error, IndentationError) else ""}


def _columns(error: SyntaxError, text: str) -> tuple[int | None, int | None]:
    if not error.offset or error.offset < 1 or error.lineno is None:
        return None, None
    column = min(error.offset, len(text) + 1)
    end = error.end_offset or 0
    if error.end_lineno not in (None, error.lineno) or end <= column:
        end = column + 1
    return column, end


def _words(error: SyntaxError, text: str, seen: str) -> Refusal:
    said = error.msg or "invalid syntax"
    stripped = text.strip()
    prime = explain_prime(seen, said)
    if prime is not None:
        return prime
    for pattern, words in _BY_LINE:
        match = pattern.match(stripped)
        if match:
            return words(match)
    newer = newer_line(stripped)
    if newer is not None:
        return newer
    for pattern, words in _BY_MESSAGE:
        match = pattern.match(said)
        if match:
            return words(match)
    return Refusal(f"Python can't parse this line ({said}).")


def _say(message: str, instead: str = "") -> _Words:
    """Words with {0}, {1} … for the groups of the pattern."""

    def words(match: re.Match[str]) -> Refusal:
        groups = match.groups(default="")
        return Refusal(message.format(*groups), instead.format(*groups))

    return words


def _partnered(message: str, instead: str) -> _Words:
    """Words with {0} for a bracket and {1} for the one that belongs to it."""

    def words(match: re.Match[str]) -> Refusal:
        both = match[1], _PARTNERS.get(match[1], "bracket")
        return Refusal(message.format(*both), instead.format(*both))

    return words


def _compiled(table: tuple[tuple[str, _Words], ...]) -> tuple[tuple[re.Pattern[str], _Words], ...]:
    return tuple((re.compile(pattern, re.S), words) for pattern, words in table)


_BY_LINE = _compiled(
    (
        (r"%+\w", _say("Notebook commands don't run here.", "Delete the line.")),
        (r"!\s*(pip|conda|apt)\b",
         _say("Nothing can be installed here.", "Delete the line: NumPy is already here.")),
        (r"!\s*\w", _say("Shell commands don't run here.", "Delete the line.")),
        (r"\??\w[\w.]*\?\Z|\?\w[\w.]*\Z",
         _say("Notebook help doesn't run here.", "Delete the line.")),
        (r"(pip|conda) install\b",
         _say("Nothing can be installed here.", "Delete the line: NumPy is already here.")),
        (r">>>|\.\.\. ",
         _say("This line begins with Python's prompt.", "Delete the >>> and ... at the left.")),
        (r"(In|Out) ?\[\d*\]:",
         _say("This line begins with a notebook's prompt.", "Delete it.")),
        (r"```", _say("This line is a Markdown fence, not Python.", "Delete it.")),
        (r"print\s+[^\s(=.,\[]",
         _say("`print` needs parentheses.", "Write print(...): without them it's Python 2.")),
        (r"(exec|raise)\s+\w+\s*,\s*['\"]",
         _say("This is Python 2.", "Write raise ValueError(\"...\").")),
        (r"except\s+[\w.]+\s*,\s*\w+\s*:",
         _say("This is Python 2.", "Write except ValueError as error:.")),
        (r"else\s+if\b", _say("Python has no `else if`.", "Write elif.")),
        (r"elseif\b|elsif\b", _say("Python spells it `elif`.", "Write elif.")),
        (r".*&&|.*\|\|",
         _say("Python writes && and || as words.", "Write `and` or `or`.")),
        (r".*(\+\+|--)\s*;?\Z",
         _say("Python has no ++ or --.", "Write += 1 or -= 1.")),
        (r"(def|class|if|elif|else|for|while|try|except|finally|with)\b[^#]*\{{1}\s*\Z",
         _say("Python puts no braces around blocks.", "End the line with a colon and indent the "
         "next ones.")),
        (r"\w+\s*:=", _say(":= only works inside an expression.", "Write = here.")),
        (r"[^#'\"]*\blambda\b[^:]*:\s*return\b",
         _say("A lambda has no `return`.", "Delete the word, or write a def.")),
        (r"(function|func|fn)\s+\w+\s*\(", _say("Python spells it `def`.", "Write def.")),
        (r"(int|float|double|let|var|const)\s+(\w+)\s*=",
         _say("Python variables need no declaration.", "Write {1} = ...")),
    )
)  # fmt: skip

_BY_MESSAGE = _compiled(
    (
        (r"inconsistent use of tabs",
         _say("This line is indented with tabs, others with spaces.",
              "Use four spaces everywhere.")),
        (r"unindent does not match",
         _say("This line's indentation matches no line above it.",
              "Line it up with the block it belongs to.")),
        (r"unexpected indent",
         _say("This line is indented more than the one above.",
              "Move it left, or end the line above with a colon.")),
        (r"expected an indented block after (.+) on line (\d+)",
         _say("The {0} on line {1} needs an indented line after it.",
              "Indent the next line by four spaces, or write pass.")),
        (r"expected ':'", _say("A colon is missing.", "Add a colon at the end of the line.")),
        (r".*[Mm]aybe you meant '==' or ':=' instead of '='",
         _say("= assigns a value and can't be used here.", "To compare, write ==.")),
        (r"cannot assign to (.+?) here\. Maybe you meant '=='",
         _say("You can't assign to this {0}.", "To compare, write ==.")),
        (r"cannot (assign to|delete) (.+)",
         _say("You can't {0} {1}.", "Use a name, x[i] or x.name there.")),
        (r"'(.)' was never closed",
         _partnered("This {0} is never closed.", "Add the missing {1}.")),
        (r"unmatched '(.)'",
         _partnered("This {0} has no {1} before it.", "Delete it, or add the missing {1}.")),
        (r"closing parenthesis '(.)' does not match opening parenthesis '(.)'(?: on line (\d+))?",
         _say("{0} can't close {1}.", "Close each bracket with its own kind.")),
        (r"unterminated string literal",
         _say("This string is never closed.",
              "Add the missing quote.")),
        (r"unterminated triple-quoted",
         _say("This triple-quoted string is never closed.",
              "Add the three missing quotes.")),
        (r"[Mm]issing parentheses in call to '(\w+)'",
         _say("`{0}` needs parentheses.", "Write {0}(...).")),
        (r"invalid character '(.)'",
         _say("Python doesn't know the character {0}.", "Type it again on your keyboard.")),
        (r"invalid non-printable character (U\+\w+)",
         _say("There is an invisible character ({0}) in this line.", "Type the line again.")),
        (r"invalid syntax\. Perhaps you forgot a comma",
         _say("A comma or an operator is missing here.",
              "Add it between the two.")),
        (r"'(return|yield)' outside function",
         _say("`{0}` is outside a function.", "Indent it into the function.")),
        (r"'(break|continue)' (outside loop|not properly in loop)",
         _say("`{0}` is outside a loop.", "Indent it into the loop.")),
        (r"duplicate argument '(.+?)'",
         _say("The parameter {0} appears twice.", "Give each parameter its own name.")),
        (r"non-default argument follows|parameter without a default follows",
         _say("A parameter without a default comes after one with a default.",
              "Put those without a default first.")),
        (r"positional argument follows keyword",
         _say("A positional argument comes after a named one.", "Put the positional ones first.")),
        (r"keyword argument repeated: (\w+)",
         _say("The argument {0} is given twice.", "Give it once.")),
        (r"invalid decimal literal|invalid (imaginary|hexadecimal|binary|octal) literal",
         _say("A name can't begin with a digit.",
              "Start it with a letter, or write * to multiply.")),
        (r"leading zeros in decimal",
         _say("A number can't begin with 0.", "Drop the leading zeros.")),
        (r"unexpected character after line continuation",
         _say("Nothing may follow \\ on a line.", "Delete the \\ or what follows it.")),
        (r"expected 'except' or 'finally'",
         _say("A `try` block needs `except` or `finally`.", "Add except, or remove try.")),
        (r"from __future__ imports must occur",
         _say("`from __future__` must come first in the file.", "Move it to line 1.")),
        (r"import \* only allowed",
         _say("import * isn't available here.", "Write `import numpy as np`.")),
        (r"name '(.+?)' is (?:assigned to|used) (?:before|prior to) (\w+) declaration",
         _say("`{1} {0}` must come before {0} is used.", "Move it to the function's first line.")),
        (r"name '(.+?)' is parameter and (\w+)",
         _say("{0} is a parameter, so it can't be {1} as well.", "Rename one of them.")),
        (r"no binding for nonlocal '(.+?)'",
         _say("`nonlocal {0}`: no enclosing function has a {0}.",
              "Assign {0} in the outer function first.")),
        (r"Exceeds the limit",
         _say("A number here has thousands of digits.", "Write it as a power: 10 ** 5000.")),
        (r"too many nested parentheses|too many statically nested|too many levels of",
         _say("This is nested too deeply.", "Split it into several lines.")),
        (r"f-string: (?:empty expression not allowed|valid expression required before '\}')",
         _say("There is a problem in this f-string: empty expression not allowed.",
              "Look at what is between {{ and }}.")),
        (r"f-string: (?:valid )?(expression required before .+)",
         _say("There is a problem in this f-string: {0}.", "Look at what is between {{ and }}.")),
        (r"f-string: (.+)",
         _say("There is a problem in this f-string: {0}.", "Look at what is between {{ and }}.")),
        (r"unexpected EOF",
         _say("The code ends in the middle of a statement.", "Finish the last line.")),
    )
)  # fmt: skip
