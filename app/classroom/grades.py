"""Points from stored tries: which one counts and what it is worth.

    points × share of tests × (1 − hints × their cost) × (1 − days late × its cost)

Fractions all the way, one rounding at the end, half up. Nothing links a try to an assignment but
learner, exercise and time, so work is never lost by having been sent from the wrong page.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import lru_cache
from typing import Literal, TypeAlias
from zoneinfo import ZoneInfo

from app.classroom.dates import days_late
from app.classroom.policy import Terms, terms
from app.model.classes import NO_ATTEMPT, WHOLE, Assignment, Extension, Override, Policy, Try

ACCEPTED = "accepted"
NEVER_COUNTS = frozenset({"grader_error"})
"""Verdicts that are our fault: such a try was none."""

Kind: TypeAlias = Literal["none", "computed", "excused", "override"]


@dataclass(frozen=True)
class Worth:
    """What one try is worth, step by step, as the receipt in the gradebook shows it.

    `points` are hundredths after rounding; `after_tests` and `after_hints` are exact.
    """

    tried: Try
    share: Fraction
    days_late: int
    after_tests: Fraction
    after_hints: Fraction
    exact: Fraction
    points: int


@dataclass(frozen=True)
class Grade:
    """A learner's grade in one assignment. `points` are hundredths, None where there are none.

    `kind` says where they come from. `computed` is what the tries give, also under an override.
    `tries` counts those that used one up, in line ones too; `waiting` those in line.
    """

    kind: Kind
    points: int | None
    terms: Terms
    computed: Worth | None = None
    tries: int = 0
    waiting: int = 0
    held: bool = False
    note: str = ""

    @property
    def attempts_left(self) -> int | None:
        """Tries left, or None where there is no limit."""
        limit = self.terms.attempts
        return None if limit is None else max(0, limit - self.tries)


def in_window(tries: Iterable[Try], held: Terms) -> list[Try]:
    """The tries that fall into the assignment's time, oldest first."""
    return sorted((t for t in tries if held.open_at(t.at)), key=lambda t: (t.at, t.id))


def attempts_used(tries: Iterable[Try], held: Terms) -> int:
    """How many tries are used up: judged ones that ran, and those still in line."""
    return _used(in_window(tries, held))


def _used(found: Iterable[Try]) -> int:
    return sum(t.verdict not in NO_ATTEMPT for t in found)


def late_cost(policy: Policy, days: int) -> int:
    """What so many days late cost, in ten-thousandths of the points; it may be more than all."""
    return policy.late_share * days if policy.late == "per_day" else 0


def worth(tried: Try, policy: Policy, held: Terms, where: ZoneInfo) -> Worth:
    """What a judged try is worth under a policy."""
    late = days_late(tried.at, held.due_at, where)
    passed, total = tried.passed, tried.total
    if policy.scoring == "all":
        passed, total = int(tried.verdict == ACCEPTED), 1
    hints = policy.hint_share * tried.hints
    days = late_cost(policy, late)
    share, tests, after_hints, exact, points = _steps(policy.points, passed, total, hints, days)
    return Worth(tried, share, late, tests, after_hints, exact, points)


@lru_cache(maxsize=10_000)
def _steps(
    points: int, passed: int, total: int, hints: int, days: int
) -> tuple[Fraction, Fraction, Fraction, Fraction, int]:
    """The share, and the points after tests, hints and days; `hints` and `days` cost so much.

    Remembered, for a class has thousands of tries and few of them differ here.
    """
    share = Fraction(passed, total) if total else Fraction(0)
    after_hints = points * share * _left(hints)
    exact = after_hints * _left(days)
    return share, points * share, after_hints, exact, half_up(exact)


def _left(cost: int) -> Fraction:
    """What is left of a whole after paying so many ten-thousandths, never below nothing."""
    return max(Fraction(0), 1 - Fraction(cost, WHOLE))


def half_up(exact: Fraction) -> int:
    """The nearest whole number, halves up; `exact` is never negative here."""
    return (2 * exact.numerator + exact.denominator) // (2 * exact.denominator)


def counted(tries: Iterable[Try], policy: Policy, held: Terms, where: ZoneInfo) -> Worth | None:
    """The try that counts: the best (the earliest of equals), or the last; None without one.

    Tries beyond the allowed number don't count: where two learners were merged, or the number was
    lowered later, the first ones do.
    """
    return _counted(in_window(tries, held), policy, held, where)


def _counted(found: list[Try], policy: Policy, held: Terms, where: ZoneInfo) -> Worth | None:
    judged = [
        worth(t, policy, held, where)
        for t in _allowed(found, held.attempts)
        if t.verdict is not None and t.verdict not in NEVER_COUNTS
    ]
    if not judged:
        return None
    if policy.counts == "last":
        return judged[-1]
    return max(
        judged, key=lambda w: w.exact
    )  # max keeps the first of equals, which is the earliest


def _allowed(tries: list[Try], attempts: int | None) -> list[Try]:
    if attempts is None:
        return tries
    allowed, used = [], 0
    for tried in tries:
        used += tried.verdict not in NO_ATTEMPT
        if used > attempts:
            break
        allowed.append(tried)
    return allowed


def grade(
    assignment: Assignment,
    tries: Iterable[Try],
    where: ZoneInfo,
    extension: Extension | None = None,
    override: Override | None = None,
) -> Grade:
    """A learner's grade in an assignment: an override, else excused, else what the tries give."""
    held = terms(assignment.policy, extension)
    found = in_window(tries, held)
    computed = _counted(found, assignment.policy, held, where)
    kind: Kind = "none" if computed is None else "computed"
    points = None if computed is None else computed.points
    if held.excused:
        kind, points = "excused", None
    if override is not None and override.points is not None:
        kind, points = "override", override.points
    return Grade(
        kind,
        points,
        held,
        computed,
        tries=_used(found),
        waiting=sum(t.verdict is None for t in found),
        held=override is not None and override.held,
        note="" if override is None else override.note,
    )


def scores_held(assignment: Assignment, now: datetime, held: Terms) -> bool:
    """Whether scores are still held back: an exam's, before its reveal.

    For who has more time they are until their own closing: points tell how many tests pass.
    """
    policy = assignment.policy
    until = max(revealed_at(policy), held.closes_at)
    return policy.feedback in ("count", "none") and now < until


def revealed_at(policy: Policy) -> datetime:
    """When whole reports are shown: the time set for it, else the closing."""
    return policy.reveal_at or policy.closes_at
