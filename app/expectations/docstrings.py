"""What authors write in docstrings: a mistake's title, message, hint, group; a case's purpose."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass

EXAMPLE = "Example:"
_FIELD = re.compile(r"(Hint|Same as|In company):\s*(.+)")
COMPANY_SENTENCES = 2


@dataclass(frozen=True)
class MistakeDocstring:
    """A mistake's docstring taken apart; `problem` says what is off about it, or ""."""

    title: str
    message: str
    hint: int | None
    same: str
    problem: str = ""
    company: str = ""


def purpose(docstring: str) -> str:
    """A case's docstring as one paragraph, without the leading "Example:"."""
    first = inspect.cleandoc(docstring).split("\n\n")[0]
    return " ".join(first.removeprefix(EXAMPLE).split())


def is_example(docstring: str) -> bool:
    """Whether a function of cases.py is an example outside the six."""
    return inspect.cleandoc(docstring).startswith(EXAMPLE)


def parse_docstring(docstring: str, slug: str, n_hints: int) -> MistakeDocstring:
    """Title; blank line; message; blank line; the fields as the last lines, a line each.

    "Hint: N", "Same as: slug", and "In company: ...": what is said where other mistakes are there.
    """
    lines = inspect.cleandoc(docstring).splitlines()
    hint: int | None = None
    same, problem, company = slug, "", ""
    while lines and (not lines[-1].strip() or _FIELD.fullmatch(lines[-1].strip())):
        field = _FIELD.fullmatch(lines.pop().strip())
        if field is None:
            continue
        if field[1] == "Same as":
            same = field[2].strip()
        elif field[1] == "In company":
            company = field[2].strip()
        elif field[2].isdecimal() and 1 <= int(field[2]) <= n_hints:
            hint = int(field[2])
        else:
            problem = f"has the hint {field[2]!r}; it must be a number from 1 to {n_hints}."
    title = lines[0].strip() if lines else ""
    message = " ".join(" ".join(lines[1:]).split())
    if not title or not message or (len(lines) > 1 and lines[1].strip()):
        problem = "needs a docstring: a title, an empty line, what the learner is told."
    if len(re.findall(r"[.?!](?:\s|$)", company)) > COMPANY_SENTENCES:
        problem = f'has more than {COMPANY_SENTENCES} sentences after "In company:".'
    return MistakeDocstring(title, message, hint, same, problem, company)
