"""Diagnosis: which known mistake a submission shows, by what it gives on all six cases.

A misconception fits when its outcome equals the submission's on every case, also on those it gets
right. It is named when every case was run, exactly one misconception (or one group declared the
same) fits, and finite numbers prove it. Where none fits, the same is asked of sets of two,
then of three. Otherwise nothing is said: never a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from app.grading.checker import equal_cells
from app.grading.outcomes import Signature, Vector, all_equal, equal_outcomes, flat
from app.grading.sentences.named import set_evidence, set_headline
from app.grading.sets import MistakeSet, named_set, suspects
from app.model import (
    Diagnosis,
    Expectations,
    Misconception,
    NamedMistake,
    Outcome,
    TestCase,
    Tolerance,
    Value,
)


def fitting(
    expectations: Expectations, seen: Sequence[Outcome], tolerance: Tolerance
) -> tuple[Misconception, ...]:
    """All misconceptions whose outcomes equal `seen` on every case, in the library's order."""
    left = [m for m in expectations.misconceptions if m.slug in expectations.outcomes]
    for index, outcome in enumerate(seen):
        if not left:
            break
        others = [expectations.outcomes[m.slug][index] for m in left]
        equal = equal_outcomes(outcome, others, tolerance)
        left = [m for m, is_equal in zip(left, equal, strict=True) if is_equal]
    return tuple(left)


def proves(tests: Sequence[TestCase], seen: Sequence[Outcome], tolerance: Tolerance) -> bool:
    """Whether outcomes hold enough to name a mistake by: finite numbers that are off.

    `tests` are calls; several of one name are one test. At least two, and in at least two tests
    wherever two or more are off. Where one test is off, they must not be one constant: rows of
    zeros come from anything. Patterns of nan, exceptions and types prove nothing, for unlike
    programs share them.
    """
    if len(seen) != len(tests) or any(o.kind == "other" for o in seen):
        return False
    off = {test.name for outcome, test in zip(seen, tests, strict=True) if outcome.kind != "right"}
    if len(off) == 1:
        return _vary(_all_wrong(tests, seen, tolerance))
    telling: set[str] = set()
    for outcome, test in zip(seen, tests, strict=True):
        if outcome.kind != "right" and test.name not in telling:
            telling |= (
                {test.name} if _wrong_numbers(outcome, test.expected, tolerance).size else set()
            )
            if len(telling) > 1:
                return True
    return False


def proves_set(tests: Sequence[TestCase], seen: Sequence[Outcome], tolerance: Tolerance) -> bool:
    """Whether outcomes that prove enough for one mistake do so for several at once.

    Not where all that is off is one number: some two mistakes give zeros wherever one gives them.
    """
    return _vary(_all_wrong(tests, seen, tolerance))


def _vary(wrong: Sequence[Vector]) -> bool:
    numbers = np.concatenate([np.empty(0), *wrong])
    return bool((numbers != numbers[:1]).any())


def _all_wrong(
    tests: Sequence[TestCase], seen: Sequence[Outcome], tolerance: Tolerance
) -> list[Vector]:
    found: dict[str, list[Vector]] = {}
    for outcome, test in zip(seen, tests, strict=True):
        if outcome.kind != "right":
            wrong = _wrong_numbers(outcome, test.expected, tolerance)
            found.setdefault(test.name, []).append(wrong)
    return [np.concatenate(parts) for parts in found.values()]


def _off(expectations: Expectations, seen: Sequence[Outcome]) -> int:
    """How many tests are off."""
    both = zip(seen, expectations.calls, strict=True)
    return len({call.name for outcome, call in both if outcome.kind != "right"})


def _wrong_numbers(outcome: Outcome, expected: Value, tolerance: Tolerance) -> Vector:
    """The finite numbers of an outcome that differ from the expected ones; all in another shape."""
    mine = flat(outcome.value) if outcome.kind in ("array", "dtype") else None
    if mine is None:
        return np.empty(0)
    signature, numbers = mine
    off = np.isfinite(numbers)
    theirs = flat(expected)
    if theirs is not None and _shapes(theirs[0]) == _shapes(signature):
        off &= ~equal_cells(numbers, theirs[1], tolerance)
    return numbers[off]


def _shapes(signature: Signature) -> list[object]:
    return [part[0] for part in signature if isinstance(part, tuple)]


def diagnose(
    expectations: Expectations,
    seen: Sequence[Outcome],
    tolerance: Tolerance,
    drawn: Callable[[], Sequence[Outcome]] = tuple,
) -> Diagnosis | None:
    """The one misconception (or declared group) that fits, else the set of them; None without.

    What fits the tests must give the same on the draws as well, where the code was run on them:
    `drawn` is asked for the outcomes there once something fits.
    """
    if not proves(expectations.calls, seen, tolerance):
        return None
    fits = fitting(expectations, seen, tolerance)
    if not fits:
        if not proves_set(expectations.calls, seen, tolerance):
            return None
        found = named_set(expectations, seen, tolerance, drawn)
        return None if found is None else of_set(found, _off(expectations, seen))
    more = drawn()
    fits = tuple(m for m in fits if _holds(expectations.on_draws.get(m.slug), more, tolerance))
    if len({m.same for m in fits}) != 1:
        return None
    named = next((m for m in fits if m.slug == m.same), fits[0])
    return Diagnosis(
        misconception=named.slug,
        title=named.title,
        message=named.message,
        hint=named.hint,
        evidence=_evidence(named, expectations, seen),
        mistakes=(_named(named),),
    )


def _holds(known: Sequence[Outcome] | None, drawn: Sequence[Outcome], tolerance: Tolerance) -> bool:
    """Whether a mistake gives on the draws what the code gave there."""
    if known is None or len(known) != len(drawn):
        return True
    return all_equal(drawn, known, tolerance)


def suspected(
    expectations: Expectations, seen: Sequence[Outcome], tolerance: Tolerance
) -> tuple[tuple[int, ...], ...]:
    """Sets of three to be proved in the jail, where neither one mistake nor two give this."""
    found = suspects(expectations, seen, tolerance)
    if not found:
        return ()  # as for nearly every submission, at the cost of one look-up
    about = (expectations.calls, seen, tolerance)
    if not proves(*about) or not proves_set(*about) or fitting(expectations, seen, tolerance):
        return ()
    return found


def of_set(found: MistakeSet, off: int) -> Diagnosis:
    """The diagnosis of mistakes that only together give what was seen; `off` tests are."""
    first = found.mistakes[0]
    return Diagnosis(
        misconception=first.slug,
        title=first.title,
        message=set_headline(len(found.mistakes), found.size),
        hint=first.hint,
        evidence=set_evidence(
            [one.slug for one in found.mistakes],
            off,
            found.size,
        ),
        mistakes=tuple(_named(one) for one in found.mistakes),
        complete=len(found.mistakes) == found.size,
        size=found.size,
    )


def _named(one: Misconception) -> NamedMistake:
    return NamedMistake(one.slug, one.title, one.hint, company=one.company)


def _evidence(named: Misconception, expectations: Expectations, seen: Sequence[Outcome]) -> str:
    """What was compared, in words a learner can check."""
    off = _off(expectations, seen)
    group = sum(m.same == named.same for m in expectations.misconceptions)
    others = len(expectations.misconceptions) - group
    where = "the one failing test" if off == 1 else f"all {off} failing tests"
    first = f"Your output matches a known mistake, “{named.title}”, in {where}"
    if others == 0:
        return f"{first}."
    return f"{first}, and none of the other {others}."
