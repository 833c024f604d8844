"""An author's formulas in the jail: the order, and which of its answers a page may hold.

The parser is native code. What comes back is HTML for pages, so each tag and attribute of it is
looked at here: a parser that was taken over can make an odd formula, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from app.model import Call, Cause, Execution, Formula, Lane, Limits, Order, Ran, Typeset
from app.model.bounds import (
    FORMULA_BYTES,
    FORMULA_S,
    FORMULAS,
    FORMULAS_S,
    MATHML_CHARACTERS,
)
from app.ports import SandboxFault

LIMITS = Limits(
    cpu_s=FORMULA_S,
    budget_cpu_s=FORMULAS_S,
    memory_bytes=FORMULA_BYTES,
    stdout_bytes=1024,
    result_bytes=512 * 1024,
)

_ELEMENTS = "|".join(
    "math menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot"
    " mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover"
    " b code em i s span u".split()
)
_ATTRIBUTES = "|".join(
    "accent accentunder columnspan depth display displaystyle form height linethickness lspace"
    " mathvariant maxsize minsize movablelimits notation rowspan rspace scriptlevel stretchy"
    " symmetric voffset width".split()
)
_STYLES = (
    r"(?:(?:border|color|font|justify|margin|math|padding|text|width)[a-z-]*:"
    r"[\w\s#%.+-]*(?:;|(?=\")))*"
)
_TAG = re.compile(
    rf"</?(?:{_ELEMENTS})"
    rf'(?: (?:{_ATTRIBUTES})="[\w\s%.+-]*"| style="{_STYLES}"| class="m[a-z]+-[a-z-]+")*/?>'
)
_SIGN = re.compile("[<>]")

BREAKS = (
    f"Takes more than {FORMULA_S:g} s or {FORMULA_BYTES >> 20} MiB, or breaks the parser of "
    "formulas. Make it simpler."
)
TOO_MANY = f"Comes after {FORMULAS} others; a text may hold no more. Write fewer."
TOGETHER = (
    f"Makes over {MATHML_CHARACTERS:,} characters of MathML, with those before it. Write fewer."
)
BEHIND = "Stands behind others that broke the parser of formulas. Fix those first."
ODD = "Makes something that a formula on a page must not hold, such as a link. Write it otherwise."


def order(formulas: Sequence[Formula]) -> Order:
    """One call a formula: the jail goes on behind one that broke it."""
    calls = tuple(Call("mathml", (f.tex, f.display)) for f in formulas[:FORMULAS])
    return Order((), calls, LIMITS, Lane.AUTHOR)


def typeset(formulas: Sequence[Formula], ran: Ran) -> tuple[Typeset, ...]:
    """What became of each. Raises SandboxFault where there was no parser."""
    return tuple(_within(_read(formulas, ran)))


def _read(formulas: Sequence[Formula], ran: Ran) -> Iterator[Typeset]:
    for at in range(len(formulas)):
        yield _one(ran.executions[at]) if at < FORMULAS else Typeset("", TOO_MANY)


def _within(made: Iterator[Typeset]) -> Iterator[Typeset]:
    total = 0
    for one in made:
        total += len(one.mathml)
        yield one if total <= MATHML_CHARACTERS else Typeset("", TOGETHER)


def _one(said: Execution) -> Typeset:
    if said.cause is Cause.NO_FUNCTION:
        raise SandboxFault("the jail has no parser of formulas")
    if said.ended == "not_run":
        return Typeset("", BEHIND)
    match said.value:
        case (str() as mathml, str() as complaint) if said.ended == "returned":
            return _checked(mathml, complaint)
    return Typeset("", BREAKS)


def _checked(mathml: str, complaint: str) -> Typeset:
    if complaint:
        return Typeset("", complaint[:200])
    return Typeset(mathml) if is_mathml(mathml) else Typeset("", ODD)


def is_mathml(text: str) -> bool:
    """Whether a text is one formula and holds only what formulas are made of."""
    whole = text.startswith("<math") and text.endswith("</math>") and text.count("<math") == 1
    return whole and _SIGN.search(_TAG.sub("", text)) is None
