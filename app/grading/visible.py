"""What is known of an exercise on some of its cases: a run's visible tests and examples.

With it a run names a mistake by the rules of a submission, on fewer cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.grading.diagnosis import diagnose, fitting
from app.grading.sentences import headline
from app.grading.sets import may_be_pairs
from app.model import Diagnosis, Expectations, Outcome, PairsOnCases, TestCase, Tolerance


def known_on(expectations: Expectations, cases: Sequence[TestCase]) -> Expectations | None:
    """The expectations with these cases for tests; None where one of them is no case of theirs."""
    every = (*expectations.calls, *expectations.examples)
    places = [next((n for n, one in enumerate(every) if one is case), None) for case in cases]
    at = [place for place in places if place is not None]
    if len(at) != len(cases):
        return None
    if at == list(range(len(expectations.calls))):
        return expectations
    outcomes = {}
    for slug, on_tests in expectations.outcomes.items():
        all_ = (*on_tests, *expectations.on_examples.get(slug, ()))
        if len(all_) == len(every):
            outcomes[slug] = tuple(all_[place] for place in at)
    return replace(
        expectations,
        tests=tuple(cases),
        outcomes=outcomes,
        pairs=None,
        shown=_columns(expectations, cases),
    )


def _columns(expectations: Expectations, cases: Sequence[TestCase]) -> PairsOnCases | None:
    """What pairs give on these cases alone; None where they are not all shown ones."""
    whole = expectations.shown
    every = (*(test for test in expectations.tests if test.visible), *expectations.examples)
    at = [n for case in cases for n, one in enumerate(every) if one is case]
    if whole is None or len(at) != len(cases):
        return None
    return PairsOnCases(whole.key[:, at], whole.total[:, at], whole.room[:, at], whole.members)


def known_by_a_run(
    known: Expectations, seen: Sequence[Outcome], tolerance: Tolerance
) -> Diagnosis | None:
    """The one mistake that gives the same on these cases, where no pair without it does as well.

    A run sees too few cases to tell a set by.
    """
    found = diagnose(known, seen, tolerance)
    if found is None or known.shown is None:
        return found
    numbers = {n for n, m in enumerate(known.misconceptions) if m.slug == found.misconception}
    same = {known.misconceptions[n].same for n in numbers}
    for pair in may_be_pairs(known.shown, seen, tolerance):
        if not same & {known.misconceptions[number].same for number in pair}:
            return None
    return found


def may_be_known(known: Expectations, seen: Sequence[Outcome], tolerance: Tolerance) -> str:
    """What to say of a run that no one mistake is proved by, though some give the same so far."""
    fits = {mistake.same for mistake in fitting(known, seen, tolerance)}
    if not fits or any(outcome.kind == "other" for outcome in seen):
        return ""
    if len(fits) == 1:
        return headline.MAY_BE
    return headline.SEVERAL
