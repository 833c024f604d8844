"""What is known of an exercise on some of its cases: a run's visible tests and examples.

With it a run names a mistake by the rules of a submission, on fewer cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.grading.diagnosis import fitting
from app.grading.sentences import headline
from app.model import Expectations, Outcome, TestCase, Tolerance


def known_on(expectations: Expectations, cases: Sequence[TestCase]) -> Expectations | None:
    """The expectations with these cases for tests; None where one of them is no case of theirs."""
    every = (*expectations.tests, *expectations.examples)
    places = [next((n for n, one in enumerate(every) if one is case), None) for case in cases]
    at = [place for place in places if place is not None]
    if len(at) != len(cases):
        return None
    outcomes = {}
    for slug, on_tests in expectations.outcomes.items():
        all_ = (*on_tests, *expectations.on_examples.get(slug, ()))
        if len(all_) == len(every):
            outcomes[slug] = tuple(all_[place] for place in at)
    return replace(expectations, tests=tuple(cases), outcomes=outcomes)


def may_be_known(known: Expectations, seen: Sequence[Outcome], tolerance: Tolerance) -> str:
    """What to say of a run that no one mistake is proved by, though some give the same so far."""
    fits = {mistake.same for mistake in fitting(known, seen, tolerance)}
    if not fits or any(outcome.kind == "other" for outcome in seen):
        return ""
    if len(fits) == 1:
        return headline.MAY_BE
    return headline.SEVERAL
