"""The formulas in an author's Markdown: how long and how deeply nested they may be."""

from __future__ import annotations

import re

from app.model.bounds import FORMULA_CHARACTERS, FORMULA_DEPTH, MARKDOWN_CHARACTERS

_FORMULA = re.compile(r"(?<!\\)\$\$?([^$]++)\$")


def depth_of(tex: str) -> int:
    """How many braces of a formula are open at once at most, or how many pairs it has of others."""
    deepest = open_now = 0
    for sign in tex:
        open_now += (sign == "{") - (sign == "}")
        deepest = max(deepest, open_now)
    return max(deepest, tex.count(r"\left"), tex.count(r"\begin"))


def complaint(text: str) -> str:
    """What is too much in a text, "" where nothing is."""
    if len(text) > MARKDOWN_CHARACTERS:
        return f"is {len(text):,} characters long; {MARKDOWN_CHARACTERS:,} is the most. Shorten it."
    for formula in _FORMULA.findall(text):
        if len(formula) > FORMULA_CHARACTERS:
            return (
                f"holds a formula of {len(formula):,} characters; {FORMULA_CHARACTERS:,} is the "
                "most. Split it."
            )
        if depth_of(formula) > FORMULA_DEPTH:
            return (
                f"holds a formula that is nested {depth_of(formula)} levels deep; {FORMULA_DEPTH} "
                "is the most. Split it."
            )
    return ""
