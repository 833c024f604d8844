"""What is true of wrong arrays where no misconception fits, the most telling first.

Every finding is computed and checked on all cases whose values are off; one that fails on any of
them where it could show is not said.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app.grading import copies, places, proportions
from app.grading.look import Look, look
from app.model import Exercise, Expectations, Finding, Mismatch, TestCase, Value

FINDINGS = 3

Check = Callable[[list[Look]], Finding | None]

_GROUPS: tuple[tuple[Check, ...], ...] = (
    (proportions.not_finite,),
    (copies.constant, copies.argument),
    (proportions.factor, proportions.offset),
    (
        places.transposed,
        places.heads_moved,
        places.columns_moved,
        places.rows_moved,
        places.same_numbers,
    ),
    (proportions.rounded, proportions.half_precision, proportions.nearly),
    (proportions.single_head,),
    (places.some_heads, places.some_columns, places.some_rows),
)
"""Of each group, the first finding that holds says what the later ones would say less well."""


def findings(
    exercise: Exercise,
    expectations: Expectations,
    seen: Sequence[tuple[TestCase, Value, Mismatch | None]],
) -> tuple[Finding, ...]:
    """Up to three findings over the cases that are off, sorted by how much they tell.

    None where a case differs in anything but values (a shape, a type), for then that is the news.
    """
    off = [(case, value, mismatch) for case, value, mismatch in seen if mismatch is not None]
    looks = [look(exercise, expectations, case, value, mismatch) for case, value, mismatch in off]
    usable = [one for one in looks if one is not None and one.wrong.any()]
    if not usable or len({one.part for one in usable}) > 1:
        return ()
    said = [found for group in _GROUPS if (found := _first(group, usable)) is not None]
    if not said and (right := proportions.sums(usable)) is not None:
        said.append(right)
    return tuple(said[:FINDINGS])


def _first(group: tuple[Check, ...], looks: list[Look]) -> Finding | None:
    return next((found for check in group if (found := check(looks)) is not None), None)
