"""What came along when code was pasted, and is no code: told in a sentence of its own.

A page's line numbers, `&gt;` for >, a whole notebook file, a prime for a transpose.
"""

from __future__ import annotations

import html
import json
import re
from itertools import pairwise

from app.jail.offer.refusals import Refusal

_NUMBER = re.compile(r"[ \t]*(\d{1,5})(?=[ \t.:|)\u2502]|\Z)")
_ENTITY = re.compile(r"&(?:gt|lt|amp|quot|apos|nbsp|#\d{1,4}|#x[0-9a-fA-F]{1,4});")
_PRIME = re.compile(r"[^'\"#\u2032]*[\w)\]]\s?\u2032")
_APOSTROPHE = re.compile(
    r"[^'\"#]*(?<![\w.])(?![rbuf]{1,2}')[a-z_][\w.\[\]():, ]*'(?![a-z])[^'\"]*\Z", re.I
)
_COMMENT = re.compile(r"(?<!&)#.*")
_FEWEST, _SHARE, _GAP = 3, 0.45, 30

NOTEBOOK = Refusal(
    "This is a notebook file, not Python.",
    "Open it in Jupyter, and copy the code of the cell with your function.",
)


def is_notebook(source: str) -> bool:
    """Whether a source is a notebook, as Jupyter stores it, and not a program."""
    if not source.lstrip().startswith("{") or '"cells"' not in source:
        return False
    try:
        read = json.loads(source)
    except (ValueError, RecursionError):
        return '"cell_type"' in source and '"nbformat"' in source
    return isinstance(read, dict) and isinstance(read.get("cells"), list)


def explain_paste(source: str) -> tuple[Refusal, int] | None:
    """The sentence for a source that does not parse, and its line; None where no paste shows."""
    lines = source.split("\n")
    numbered = _numbered(lines)
    if numbered is not None:
        return numbered
    for number, line in enumerate(lines, 1):
        entity = _ENTITY.search(_COMMENT.sub("", line))
        if entity is not None:
            sign = html.unescape(entity[0])
            what = "a space" if sign.isspace() else sign
            why = f"{entity[0]} is HTML for {what}."
            return Refusal(why, f"Write {what} here, and everywhere else."), number
    return None


def explain_prime(line: str, message: str) -> Refusal | None:
    """The sentence for a prime that stands for a transpose, from Python's message for the line."""
    is_prime = "\u2032" in message and _PRIME.match(line)
    is_apostrophe = message.startswith("unterminated string") and _APOSTROPHE.match(line)
    if not is_prime and not is_apostrophe:
        return None
    sign = "\u2032" if is_prime else "'"
    return Refusal(
        f"Python has no {sign} for a transpose.",
        "Write K.T, or for an array of several matrices np.swapaxes(K, -1, -2).",
    )


def _numbered(lines: list[str]) -> tuple[Refusal, int] | None:
    filled = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    found = [(at, m) for at, line in filled if (m := _NUMBER.match(line)) is not None]
    values = [int(match[1]) for _, match in found]
    if len(found) < max(_FEWEST, _SHARE * len(filled)):
        return None
    steps = (later - earlier for earlier, later in pairwise(values))
    if not all(0 < step < _GAP for step in steps):
        return None
    why = Refusal("The lines start with line numbers.", "Copy the code without them.")
    return why, found[0][0]
