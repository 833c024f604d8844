"""Words for several mistakes at once: the headline, the list, and what proves them."""

from __future__ import annotations

from collections.abc import Sequence

from app.grading.sentences.phrases import listed, small
from app.model import Diagnosis, NamedMistake

MORE = "We can't tell yet what the other one is. Fix this one first and submit again."
MORE_OF_THREE = "We can't tell yet what the others are. Fix this one first and submit again."


def is_set(diagnosis: Diagnosis) -> bool:
    """Whether more than one mistake is told of."""
    return len(diagnosis.mistakes) > 1 or not diagnosis.complete


def set_headline(certain: int, size: int) -> str:
    """ "Two things are wrong.", or how many of them are certain."""
    things = f"{small(size).capitalize()} things are wrong"
    if certain == size:
        return f"{things}."
    return f"{things}, and {small(certain)} {'is' if certain == 1 else 'are'} certain."


def set_list(diagnosis: Diagnosis) -> str:
    """ "1. Line 9: Scaled by the full width. 2. Softmax over the queries." """
    entries = [f"{n}. {entry(one)}" for n, one in enumerate(diagnosis.mistakes, 1)]
    more = MORE_OF_THREE if diagnosis.size - len(diagnosis.mistakes) > 1 else MORE
    return " ".join([*entries, *([] if diagnosis.complete else [more])])


def entry(one: NamedMistake) -> str:
    """One mistake of a list: its line where it is known, its title, what is said in company."""
    title = f"{one.title.rstrip('.')}."
    if one.line is not None:
        where = "Line" if one.line_kind == "own" else "Seen from line"
        on = "" if one.line_kind == "own" else " on"
        title = f"{where} {one.line}{on}: {title}"
    return " ".join(filter(None, [title, one.company]))


def set_evidence(slugs: Sequence[str], off: int, size: int) -> str:
    """What was compared, in words a learner can check."""
    names = listed(slugs)
    where = "the one failing test" if off == 1 else f"all {small(off)} failing tests"
    if len(slugs) < size:
        every = f"Every {small(size)} known mistakes that give exactly your numbers in {where}"
        return f"{every} have {names}."
    fewer = "one or two" if size == 2 else "one, two or three"
    return (
        f"Together, {names} give exactly your numbers in {where}. No other {fewer} known "
        "mistakes do."
    )
