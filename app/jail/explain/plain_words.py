"""What an exception comes to, in the parts that a report puts in different places."""

from __future__ import annotations

from typing import NamedTuple

Shape = tuple[int, ...]


class PlainWords(NamedTuple):
    """An exception in plain words.

    `gist` follows "Line 3 stops: " and has no full stop: "the shapes of `q` and `k` don't fit".
    `note` stands under the line, with shapes and numbers; where it is "", the gist says all.
    `help` says what to try, and `facts` are the shapes of the operands. All may be empty.
    """

    gist: str = ""
    note: str = ""
    help: str = ""
    facts: tuple[Shape, ...] = ()


NOTHING = PlainWords()
