"""What a sentence about shapes is made of, and small words for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from app.jail.explain.plain_words import PlainWords, Shape

SHORT = 24
"""A longer expression is not repeated in a sentence."""


class Operand(NamedTuple):
    """One operand as it is written, and its shape where that is known."""

    text: str
    shape: Shape | None


class Clash(NamedTuple):
    """What a sentence is made of: the match in NumPy's message, the operands, the expression.

    `text` is the failing expression in backticks, "" where Python does not tell its place.
    """

    match: re.Match[str]
    operands: list[Operand]
    text: str = ""

    @property
    def start(self) -> str:
        """ "`q @ k`: ", or "" where the expression is not known."""
        return f"{self.text}: " if self.text else ""


Words = Callable[[Clash], PlainWords]


def shape_in(text: str) -> Shape:
    """The shape that a message prints: "(2,3)" is (2, 3)."""
    return tuple(int(n) for n in re.findall(r"\d+", text))


def known(operands: Sequence[Operand]) -> list[Operand]:
    """Those whose shape could be read."""
    return [one for one in operands if one.shape is not None]


def shapes_of(operands: Sequence[Operand]) -> tuple[Shape, ...]:
    """The shapes that could be read, in order."""
    return tuple(one.shape for one in operands if one.shape is not None)


def capital(text: str) -> str:
    """A sentence's first letter made large."""
    return text[:1].upper() + text[1:]
