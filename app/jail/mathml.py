"""Formulas as MathML, by a parser in native code: what breaks it ends this child alone.

Loaded before the child is locked, and in no child that runs what a learner wrote.
"""

from __future__ import annotations

from math_core import LatexError, LatexToMathML

MATHML_CHARACTERS = 64_000
"""A formula may define macros, so a short one may become long."""

_PARSER = LatexToMathML(annotation=False, fancy_error=False)


def mathml(tex: str, display: bool) -> tuple[str, str]:
    """The MathML of a formula and "", or "" and what is wrong with the formula."""
    try:
        made = _PARSER.convert_with_local_state(tex.strip(), displaystyle=display)
    except LatexError as error:
        return "", str(error).partition(": ")[2]
    if len(made) > MATHML_CHARACTERS:
        return "", f"Becomes {len(made):,} characters of MathML; {MATHML_CHARACTERS:,} is the most."
    return made, ""
