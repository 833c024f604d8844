"""What is true of wrong arrays where no misconception fits, the most telling first.

Every finding is computed and checked on all cases whose values are off; one that fails on any of
them where it could show is not said. One that the passing tests contradict is said of the failing
tests alone, never of the program.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import replace

from app.grading.findings import (
    layout,
    overflow,
    proportions,
    single_numbers,
    uncomputed,
)
from app.grading.findings.comparison import CaseComparison, compare
from app.grading.sentences.phrases import headline
from app.model import Exercise, Expectations, Finding, Mismatch, TestCase, Value

FINDINGS = 3

Check = Callable[[list[CaseComparison]], Finding | None]

_GROUPS: tuple[tuple[Check, ...], ...] = (
    (proportions.not_finite,),
    (uncomputed.constant, uncomputed.argument),
    (proportions.factor, proportions.offset),
    (
        layout.transposed,
        layout.heads_moved,
        layout.columns_moved,
        layout.rows_moved,
        layout.same_numbers,
    ),
    (proportions.rounded, proportions.half_precision, proportions.nearly),
    (proportions.single_head,),
    (layout.some_heads, layout.some_columns, layout.some_rows),
)
"""Of each group, the first finding that holds says what the later ones would say less well."""
_NUMBERS: tuple[tuple[Check, ...], ...] = (
    (
        single_numbers.constant,
        single_numbers.factor,
        single_numbers.offset,
        single_numbers.rounded,
        single_numbers.half_precision,
    ),
)
"""The same where each output is one number, in which nothing can be moved."""

_OF_ONE_TEST = ("not_finite",)
_OF_FAILING: tuple[Check, ...] = (layout.some_heads, layout.some_columns, layout.some_rows)
_OF_THE_PROGRAM = ("rounded", "half_precision")
"""A program computes so everywhere or nowhere: a test that passes without it refutes it."""
_CONFIRMED: tuple[Check, ...] = (
    uncomputed.constant,
    uncomputed.argument,
    proportions.factor,
    proportions.offset,
    layout.transposed,
    layout.heads_moved,
    layout.columns_moved,
    layout.rows_moved,
    layout.same_numbers,
    single_numbers.constant,
    single_numbers.factor,
    single_numbers.offset,
    proportions.single_head,
    layout.some_heads,
    layout.some_columns,
    layout.some_rows,
    proportions.sums,
)
"""Findings of the program as a whole: random legal inputs must show them too."""
_OF_HEADS: tuple[Check, ...] = (layout.heads_moved, proportions.single_head, layout.some_heads)
"""Findings that one head alone can't show."""
_CAUSES = ("constant", "argument")
"""Findings whose second sentence is a cause, which a test that passes refutes."""


def may_say_it_all(
    exercise: Exercise,
    expectations: Expectations,
    seen: Sequence[tuple[TestCase, Value, Mismatch | None]],
) -> bool:
    """Whether the output is an argument wherever it is off: then no two mistakes explain it better.

    `findings` says whether it is said.
    """
    off = [one for one in seen if one[2] is not None]
    looks = _wrong(exercise, expectations, off)
    usable = [one for one in looks if one.got.size > 1]
    return bool(usable) and uncomputed.argument(usable) is not None


def findings(
    exercise: Exercise,
    expectations: Expectations,
    seen: Sequence[tuple[TestCase, Value, Mismatch | None]],
    drawn: Callable[[], Sequence[tuple[TestCase, Value, Mismatch | None]]] = tuple,
) -> tuple[Finding, ...]:
    """Up to three findings over the cases that are off, sorted by how much they tell.

    What is said of the program must hold on the draws that are off as well, if there are any. None
    where a case differs in anything but values (a shape, a type), for then that is the news.
    """
    off = [(case, value, mismatch) for case, value, mismatch in seen if mismatch is not None]
    looks = _wrong(exercise, expectations, off)
    usable = [one for one in looks if one.got.size > 1] or looks
    if not usable or len({one.part for one in usable}) > 1:
        return ()
    single, part = usable[0].got.size == 1, usable[0].part
    right = _alike(_passing(exercise, expectations, seen, part), single)

    @functools.cache
    def more() -> list[CaseComparison]:
        return _alike(_off(exercise, expectations, drawn(), part), single)

    groups = _NUMBERS if single else _GROUPS
    said = [f for group in groups if (f := _first(group, usable, right, more)) is not None]
    if single:
        return tuple(said)
    if len(usable) == len(off) and (large := overflow.large_numbers(usable, right)) is not None:
        said[:1] = [large]
    if not said and (sums := _first((proportions.sums,), usable, [], more)) is not None:
        said.append(sums)
    return tuple(said[:FINDINGS])


def _alike(looks: Sequence[CaseComparison], single: bool) -> list[CaseComparison]:
    """Those of the looks whose output is one number, or those whose output is more."""
    return [one for one in looks if (one.got.size == 1) == single]


def _wrong(
    exercise: Exercise,
    expectations: Expectations,
    off: Sequence[tuple[TestCase, Value, Mismatch | None]],
) -> list[CaseComparison]:
    """Looks at the cases whose values are off, as far as they can be compared."""
    looks = [
        compare(exercise, expectations, case, value, mismatch)
        for case, value, mismatch in off
        if mismatch is not None
    ]
    return [one for one in looks if one is not None and one.wrong.any()]


def _off(
    exercise: Exercise,
    expectations: Expectations,
    drawn: Sequence[tuple[TestCase, Value, Mismatch | None]],
    part: int | None,
) -> list[CaseComparison]:
    """Looks at the draws whose values are off, in the same part of the output."""
    same = [one for one in drawn if one[2] is not None and one[2].part == part]
    return _wrong(exercise, expectations, same)


def _passing(
    exercise: Exercise,
    expectations: Expectations,
    seen: Sequence[tuple[TestCase, Value, Mismatch | None]],
    part: int | None,
) -> list[CaseComparison]:
    """Looks at the cases that pass, at the part of the output that is off elsewhere."""
    as_if = Mismatch("values", part=part)
    looks = [
        compare(exercise, expectations, case, value, as_if)
        for case, value, mismatch in seen
        if mismatch is None
    ]
    return [one for one in looks if one is not None and not one.wrong.any()]


def _first(
    group: tuple[Check, ...],
    off: list[CaseComparison],
    right: list[CaseComparison],
    drawn: Callable[[], list[CaseComparison]],
) -> Finding | None:
    for check in group:
        found = check(off)
        if found is not None and check in _CONFIRMED:
            found = _confirmed(check, found, off, drawn())
        said = found if found is None or not right else _scoped(check, found, off, right)
        if said is not None:
            return said
    return None


def _confirmed(
    check: Check, found: Finding, off: list[CaseComparison], drawn: list[CaseComparison]
) -> Finding | None:
    """The finding in words that are true of the draws as well, if any is off; None without such."""
    if check in _OF_HEADS:
        drawn = [one for one in drawn if one.n_heads > 1]
    if not drawn:
        return found
    wider = check([*off, *drawn])
    if wider is None or wider.kind != found.kind:
        return None
    return replace(found, message=wider.message)


def _scoped(
    check: Check, found: Finding, off: list[CaseComparison], right: list[CaseComparison]
) -> Finding | None:
    """A finding as it may be said beside tests that pass: of the failing ones, if they differ."""
    if found.kind in _OF_ONE_TEST:
        return found
    if check not in _OF_FAILING:
        every = check([*off, *right])
        if every is not None and every.message == found.message:
            return found
    if found.kind in _OF_THE_PROGRAM:
        return None
    fact, rest = headline(found.message)
    tests = "test" if len(off) == 1 else "tests"
    message = f"In the failing {tests}, {fact[:1].lower()}{fact[1:]}"
    keeps_rest = rest and found.kind not in _CAUSES
    return replace(found, message=f"{message} {rest}" if keeps_rest else message)
