"""Words for several mistakes at once: the headline, the list, and what proves them."""

from __future__ import annotations

from collections.abc import Sequence

from app.grading.sentences.phrases import listed, small
from app.model import Diagnosis, NamedMistake

CERTAIN = "Two things are off, and one is certain."
MORE = "We can't tell yet what the other one is. Fix this one first and submit again."


def is_set(diagnosis: Diagnosis) -> bool:
    """Whether more than one mistake is told of."""
    return len(diagnosis.mistakes) > 1 or not diagnosis.complete


def set_headline(count: int, complete: bool) -> str:
    """ "Two things are off.", or what is certain of them."""
    if complete:
        return f"{small(count).capitalize()} things are off."
    if count == 1:
        return CERTAIN
    return f"At least {small(count + 1)} things are off, and {small(count)} are certain."


def set_list(diagnosis: Diagnosis) -> str:
    """ "1. Line 9: Scaled by the full width. 2. Softmax over the queries." """
    entries = [f"{n}. {entry(one)}" for n, one in enumerate(diagnosis.mistakes, 1)]
    return " ".join([*entries, *([] if diagnosis.complete else [MORE])])


def entry(one: NamedMistake) -> str:
    """One mistake of a list: its line where it is known, its title, what is said in company."""
    title = f"{one.title.rstrip('.')}."
    if one.line is not None:
        where = "Line" if one.line_kind == "own" else "Seen from line"
        on = "" if one.line_kind == "own" else " on"
        title = f"{where} {one.line}{on}: {title}"
    return " ".join(filter(None, [title, one.company]))


def set_evidence(slugs: Sequence[str], off: int, *, complete: bool) -> str:
    """What was compared, in words a learner can check."""
    names = listed(slugs)
    where = "the one failing test" if off == 1 else f"all {small(off)} failing tests"
    if not complete:
        return f"Every two known mistakes that give exactly your numbers in {where} have {names}."
    return (
        f"Together, {names} give exactly your numbers in {where}. No other one or two known "
        "mistakes do."
    )
