"""Diagnosis: which known mistake a submission shows, by what it gives on all six cases.

A misconception fits when its outcome equals the submission's on every case, also on those it gets
right. It is named when every case was run, at least one is off, and exactly one misconception (or
one group declared the same) fits. Otherwise nothing is said: never a guess.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.grading.outcomes import equal_outcomes
from app.grading.words import count
from app.model import Diagnosis, Expectations, Misconception, Outcome, Tolerance


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


def diagnose(
    expectations: Expectations, seen: Sequence[Outcome], tolerance: Tolerance
) -> Diagnosis | None:
    """The one misconception (or declared group) that fits, with the evidence; None without one."""
    if any(o.kind == "other" for o in seen) or all(o.kind == "right" for o in seen):
        return None
    fits = fitting(expectations, seen, tolerance)
    if len({m.same for m in fits}) != 1:
        return None
    named = next((m for m in fits if m.slug == m.same), fits[0])
    return Diagnosis(
        misconception=named.slug,
        title=named.title,
        message=named.message,
        hint=named.hint,
        evidence=_evidence(named, expectations, seen),
    )


def _evidence(named: Misconception, expectations: Expectations, seen: Sequence[Outcome]) -> str:
    """What was compared, in words a learner can check."""
    off = sum(o.kind != "right" for o in seen)
    group = sum(m.same == named.same for m in expectations.misconceptions)
    others = len(expectations.misconceptions) - group
    what = "your numbers" if any(o.kind == "array" for o in seen) else "what your code gives"
    where = "the one test that is off" if off == 1 else f"all {off} tests that are off"
    first = f"A known mistake, {named.slug}, gives exactly {what} in {where}."
    if others == 0:
        return first
    return f"{first} None of the other {count(others, 'known mistake')} does."
