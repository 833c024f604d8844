"""A formula of an author, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Formula:
    """TeX as it was written; `display`: on lines of its own."""

    tex: str
    display: bool


@dataclass(frozen=True)
class Typeset:
    """A formula as MathML, checked to hold nothing else; where it has none, `complaint` says why.

    A complaint is a sentence for the formula's author.
    """

    mathml: str
    complaint: str = ""
