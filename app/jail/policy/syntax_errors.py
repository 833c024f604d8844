"""Syntax errors in words: what Python found, where, and what to try."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from app.jail.offer.newer import newer_line
from app.jail.offer.refusals import Refusal
from app.jail.policy.pasted import explain_prime
from app.jail.policy.problems import problem

_Words = Callable[["re.Match[str]", str], Refusal]
_SHOWN = 60


def explain_syntax(source: str, error: SyntaxError | ValueError, typed: str) -> dict[str, Any]:
    """The problem for an exception of Python's parser or compiler.

    The sentence names what is off and shows the line; Python's own words follow where ours do not
    say more. Lines are shown as they stand in `typed`, the text before it was mended.
    """
    lines = source.split("\n")
    if not isinstance(error, SyntaxError):
        return problem("syntax", Refusal(f"Python cannot read the source: {error}."))
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
    stripped, shown = text.strip(), _shown(seen.strip())
    prime = explain_prime(seen, said)
    if prime is not None:
        return prime
    for pattern, words in _BY_LINE:
        match = pattern.match(stripped)
        if match:
            return words(match, shown)
    newer = newer_line(stripped)
    if newer is not None:
        return newer
    for pattern, words in _BY_MESSAGE:
        match = pattern.match(said)
        if match:
            return words(match, shown)
    return Refusal(f"Python does not understand this line: {shown}.", f"It says: {said}.")


def _shown(line: str) -> str:
    cut = line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
    return f"`{''.join(c if c.isprintable() else '·' for c in cut)}`"


def _say(message: str, instead: str = "") -> _Words:
    """Words with {0}, {1} … for the groups of the pattern and {line} for the line."""

    def words(match: re.Match[str], line: str) -> Refusal:
        groups = match.groups(default="")
        return Refusal(message.format(*groups, line=line), instead.format(*groups, line=line))

    return words


def _compiled(table: tuple[tuple[str, _Words], ...]) -> tuple[tuple[re.Pattern[str], _Words], ...]:
    return tuple((re.compile(pattern, re.S), words) for pattern, words in table)


_BY_LINE = _compiled(
    (
        (r"%+\w", _say("Notebook commands do not run here: {line}.", "Leave the line out.")),
        (r"!\s*(pip|conda|apt)\b",
         _say("Nothing can be installed here: {line}.", "Leave the line out: NumPy is there.")),
        (r"!\s*\w", _say("Shell commands do not run here: {line}.", "Leave the line out.")),
        (r"\??\w[\w.]*\?\Z|\?\w[\w.]*\Z",
         _say("Notebook help does not run here: {line}.", "Leave the line out.")),
        (r"(pip|conda) install\b",
         _say("Nothing can be installed here: {line}.", "Leave the line out: NumPy is there.")),
        (r">>>|\.\.\. ",
         _say("The line begins with Python's prompt: {line}.", "Delete >>> and ... at the left.")),
        (r"(In|Out) ?\[\d*\]:",
         _say("The line begins with a notebook's prompt: {line}.", "Delete it.")),
        (r"```", _say("The line is a Markdown fence: {line}.", "Delete it.")),
        (r"print\s+[^\s(=.,\[]",
         _say("print needs parentheses: {line}.", "Python 2 wrote it so; write print(...).")),
        (r"(exec|raise)\s+\w+\s*,\s*['\"]",
         _say("This is Python 2: {line}.", "Write raise ValueError(\"...\").")),
        (r"except\s+[\w.]+\s*,\s*\w+\s*:",
         _say("This is Python 2: {line}.", "Write except ValueError as error:.")),
        (r"else\s+if\b", _say("Python has no `else if`: {line}.", "Write elif.")),
        (r"elseif\b|elsif\b", _say("Python spells it elif: {line}.", "Write elif.")),
        (r".*&&|.*\|\|",
         _say("Python spells && and || as words: {line}.", "Write and, or.")),
        (r".*(\+\+|--)\s*;?\Z",
         _say("Python has no ++ and --: {line}.", "Write += 1 or -= 1.")),
        (r"(def|class|if|elif|else|for|while|try|except|finally|with)\b[^#]*\{{1}\s*\Z",
         _say("Python has no braces around blocks: {line}.", "End the line with : and indent.")),
        (r"\w+\s*:=", _say(":= stands inside an expression only: {line}.", "Write = here.")),
        (r"[^#'\"]*\blambda\b[^:]*:\s*return\b",
         _say("A lambda has no return: {line}.", "Leave the word out, or write a def.")),
        (r"(function|func|fn)\s+\w+\s*\(", _say("Python spells it def: {line}.", "Write def.")),
        (r"(int|float|double|let|var|const)\s+(\w+)\s*=",
         _say("Python names have no declared kind: {line}.", "Write {1} = ...")),
    )
)  # fmt: skip

_BY_MESSAGE = _compiled(
    (
        (r"inconsistent use of tabs",
         _say("This line is indented with tabs, others with spaces: {line}.",
              "Use four spaces everywhere.")),
        (r"unindent does not match",
         _say("This line is indented like no line above it: {line}.",
              "Move it to the indentation of the block it belongs to.")),
        (r"unexpected indent",
         _say("This line is indented further than the one above: {line}.",
              "Move it left, or end the line above with :.")),
        (r"expected an indented block after (.+) on line (\d+)",
         _say("After the {0} on line {1} an indented line must follow.",
              "Indent the next line by four spaces, or write pass.")),
        (r"expected ':'", _say("A colon is missing in this line: {line}.", "Write : at its end.")),
        (r".*[Mm]aybe you meant '==' or ':=' instead of '='",
         _say("= assigns and cannot stand here: {line}.", "To compare, write ==.")),
        (r"cannot assign to (.+?) here\. Maybe you meant '=='",
         _say("= assigns, and {0} cannot be assigned to: {line}.", "To compare, write ==.")),
        (r"cannot (assign to|delete) (.+)",
         _say("{1} cannot stand left of =: {line}.", "Put a name, x[i] or x.name there.")),
        (r"'(.)' was never closed",
         _say("This {0} is never closed: {line}.", "Write its partner where the expression ends.")),
        (r"unmatched '(.)'",
         _say("This {0} closes nothing: {line}.", "Delete it, or open its partner before.")),
        (r"closing parenthesis '(.)' does not match opening parenthesis '(.)'(?: on line (\d+))?",
         _say("{0} cannot close {1}: {line}.", "Close each with its own partner.")),
        (r"unterminated string literal",
         _say("This text has no quote at its end: {line}.",
              "Close it with the quote it began with.")),
        (r"unterminated triple-quoted",
         _say("This text has no three quotes at its end: {line}.",
              "Close it with the three quotes it began with.")),
        (r"[Mm]issing parentheses in call to '(\w+)'",
         _say("{0} needs parentheses: {line}.", "Write {0}(...).")),
        (r"invalid character '(.)'",
         _say("{0} is no character of Python's: {line}.", "Type it again on the keyboard.")),
        (r"invalid non-printable character (U\+\w+)",
         _say("An invisible character ({0}) stands in this line: {line}.", "Type the line again.")),
        (r"invalid syntax\. Perhaps you forgot a comma",
         _say("Between two things here a comma or an operator is missing: {line}.",
              "Write it between them.")),
        (r"'(return|yield)' outside function",
         _say("{0} stands outside of a function: {line}.", "Indent it into the function.")),
        (r"'(break|continue)' (outside loop|not properly in loop)",
         _say("{0} stands outside of a loop: {line}.", "Indent it into the loop.")),
        (r"duplicate argument '(.+?)'",
         _say("The parameter {0} is there twice.", "Give each parameter its own name.")),
        (r"non-default argument follows|parameter without a default follows",
         _say("A parameter without a default follows one with a default: {line}.",
              "Put those without a default first.")),
        (r"positional argument follows keyword",
         _say("A plain argument follows a named one: {line}.", "Put the plain ones first.")),
        (r"keyword argument repeated: (\w+)",
         _say("The argument {0} is given twice.", "Give it once.")),
        (r"invalid decimal literal|invalid (imaginary|hexadecimal|binary|octal) literal",
         _say("A name cannot begin with a digit: {line}.",
              "Begin it with a letter, or write * to multiply.")),
        (r"leading zeros in decimal",
         _say("A number cannot begin with 0: {line}.", "Leave the zeros out.")),
        (r"unexpected character after line continuation",
         _say("After \\ the line must end: {line}.", "Delete \\ or what follows it.")),
        (r"expected 'except' or 'finally'",
         _say("A try block needs except or finally after it.", "Add except, or take try away.")),
        (r"from __future__ imports must occur",
         _say("from __future__ must stand at the very top: {line}.", "Move it to line 1.")),
        (r"import \* only allowed",
         _say("import * is not available here.", "Write `import numpy as np`.")),
        (r"name '(.+?)' is (?:assigned to|used) (?:before|prior to) (\w+) declaration",
         _say("{1} {0} must stand before {0} is used.", "Move it to the function's first line.")),
        (r"name '(.+?)' is parameter and (\w+)",
         _say("{0} is a parameter, so it cannot be {1} too.", "Give one of them another name.")),
        (r"no binding for nonlocal '(.+?)'",
         _say("nonlocal {0} finds no {0} in a function around it.",
              "Assign {0} in the outer function first.")),
        (r"Exceeds the limit",
         _say("A number here has thousands of digits.", "Write it as a power: 10 ** 5000.")),
        (r"too many nested parentheses|too many statically nested|too many levels of",
         _say("This is nested too deeply.", "Split it into several lines.")),
        (r"f-string: (?:empty expression not allowed|valid expression required before '\}')",
         _say("The f-string is off: empty expression not allowed.",
              "Look at what stands between {{ and }}.")),
        (r"f-string: (?:valid )?(expression required before .+)",
         _say("The f-string is off: {0}.", "Look at what stands between {{ and }}.")),
        (r"f-string: (.+)",
         _say("The f-string is off: {0}.", "Look at what stands between {{ and }}.")),
        (r"unexpected EOF",
         _say("The source ends in the middle of something.", "Finish the last line.")),
    )
)  # fmt: skip
