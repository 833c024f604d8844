"""The text of a submission: decoded, and mended where pasting from a page broke it.

A mark at the very start of the file is taken away; no editor counts it.
"""

from __future__ import annotations

import re

from app.jail.offer.refusals import Refusal
from app.jail.policy.mending import Mended, is_odd, mend, parse


class Undecodable(Exception):
    """The bytes are no text that Python reads; where and why."""

    def __init__(self, line: int, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.line, self.refusal = line, refusal


def decode(text: bytes) -> tuple[str, list[str]]:
    """The source as text with "\\n" at its line ends, and what was changed.

    Raises Undecodable for bytes that are not UTF-8, NUL, and half a surrogate pair.
    """
    try:
        source = text.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        why = Refusal("This file isn't UTF-8 text.", "Save it as UTF-8 and send it again.")
        raise Undecodable(line, why) from None
    source, notes = _plain(source)
    bad = re.search("[\0\ud800-\udfff]", source)
    if bad:
        what = "a NUL character" if bad[0] == "\0" else "half a character (a lone surrogate)"
        line = source.count("\n", 0, bad.start()) + 1
        why = Refusal(f"There is {what} in the code.", "Delete it, or type the line again.")
        raise Undecodable(line, why)
    return source, notes


def _plain(source: str) -> tuple[str, list[str]]:
    notes = []
    if source.startswith("\ufeff"):
        source = source[1:]
        notes.append("1 byte-order mark")
    if "\r" in source:
        source = source.replace("\r\n", "\n").replace("\r", "\n")
        notes.append("Windows line ends")
    return source, notes


def as_compiled(source: str) -> Mended:
    """The text that was compiled for a source that was, to which its lines and columns belong."""
    source, _ = _plain(source)
    if not is_odd(source):
        return Mended(source, [])
    try:
        parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return mend(source)
    return Mended(source, [])
