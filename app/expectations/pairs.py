"""The outcomes of every two mistakes at once, as far as they tell more than each alone.

Kept is a pair where no test raises or runs into a limit, finite numbers prove it, and which equals
neither of its two mistakes alone: one that hides the other is no pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from app.expectations.author_files import Author
from app.expectations.composing import Chain, Composer
from app.expectations.modes import mode_of
from app.grading.diagnosis import proves
from app.grading.outcomes import equal_outcomes
from app.grading.sets import Signed, signed
from app.model import (
    LeftOut,
    Misconception,
    Outcome,
    PairsOnCases,
    Parameter,
    Sets,
    TestCase,
    Tolerance,
)

Outcomes = dict[str, tuple[Outcome, ...]]

SPOILT = (
    "gives something else when all of mistakes/ is loaded: is one of its private helpers defined in"
    " two files? It is named alone, and never beside another."
)
ONLY_ALONE = (
    "raises or never ends beside every other mistake. It is named alone, and never beside another."
)


def pairs(
    author: Author,
    helpers: Sequence[str],
    parameters: Sequence[Parameter],
    misconceptions: Sequence[Misconception],
    outcomes: Outcomes,
    tests: Sequence[TestCase],
) -> tuple[Sets, tuple[Chain, ...], tuple[LeftOut, ...]]:
    """All pairs that are kept, those that pass all tests, and the mistakes that are in no pair."""
    composer = Composer(author, helpers, parameters, [mode_of(m) for m in misconceptions], tests)
    tolerance = author.exercise.tolerance
    numbers = [
        n for n, m in enumerate(misconceptions) if not m.alone and _ends(outcomes.get(m.slug, ()))
    ]
    again = list(composer.outcomes([(n,) for n in numbers]))
    fit = [
        _as_alone(outcomes[misconceptions[n].slug], found, tolerance)
        for n, found in zip(numbers, again, strict=True)
    ]
    left_out = tuple(
        LeftOut(misconceptions[n].slug, SPOILT)
        for n, is_fit in zip(numbers, fit, strict=True)
        if not is_fit
    )
    usable = [n for n, is_fit in zip(numbers, fit, strict=True) if is_fit]
    chains = list(_chains(usable, misconceptions))
    rows: list[tuple[Signed, Chain]] = []
    ended: list[Chain] = []
    passing: list[Chain] = []
    for chain, found in zip(chains, composer.outcomes(chains), strict=True):
        if found is None:
            continue
        ended.append(chain)
        if all(outcome.kind == "right" for outcome in found):
            passing.append(chain)
        alone = [outcomes[misconceptions[n].slug] for n in chain]
        if not _tells(found, alone, tests, tolerance):
            continue
        sign = signed(found, tolerance)
        if sign is not None:
            rows.append((sign, chain))
    whole = [n for n in usable if not _raises(outcomes[misconceptions[n].slug])]
    lonely = _only_alone(whole, chains, ended)
    left_out += tuple(LeftOut(misconceptions[n].slug, ONLY_ALONE) for n in lonely)
    return sets(rows, tuple(range(len(tests))), 2), tuple(passing), left_out


def _only_alone(
    whole: Sequence[int], chains: Sequence[Chain], ended: Sequence[Chain]
) -> Iterator[int]:
    """Those that come to no end beside two others or more, where none of these raises alone."""
    beside: dict[int, set[int]] = {n: set() for n in whole}
    for one, other in chains:
        if one in beside and other in beside:
            beside[one].add(other)
            beside[other].add(one)
    in_company = {n for chain in ended for n in chain}
    return (n for n, others in beside.items() if len(others) > 1 and n not in in_company)


def _ends(outcomes: Sequence[Outcome]) -> bool:
    """Whether a mistake comes to its own end, and gives a value somewhere."""
    kinds = {outcome.kind for outcome in outcomes}
    return bool(kinds) and "other" not in kinds and kinds != {"exception"}


def _raises(outcomes: Sequence[Outcome]) -> bool:
    return any(outcome.kind == "exception" for outcome in outcomes)


def _as_alone(
    alone: Sequence[Outcome], found: Sequence[Outcome] | None, tolerance: Tolerance
) -> bool:
    if found is None:
        return _raises(alone)
    return _same(alone, found, tolerance)


def _same(a: Sequence[Outcome], b: Sequence[Outcome], tolerance: Tolerance) -> bool:
    return all(equal_outcomes(x, [y], tolerance)[0] for x, y in zip(a, b, strict=True))


def _chains(usable: Sequence[int], known: Sequence[Misconception]) -> Iterator[Chain]:
    """Every two of different groups; in both orders where they stand in for one function."""
    for one, other in combinations(usable, 2):
        if known[one].same == known[other].same:
            continue
        yield one, other
        if known[one].target == known[other].target:
            yield other, one


def _tells(
    found: tuple[Outcome, ...],
    alone: Sequence[tuple[Outcome, ...]],
    tests: Sequence[TestCase],
    tolerance: Tolerance,
) -> bool:
    if not proves(tests, found, tolerance):
        return False
    return not any(_same(found, one, tolerance) for one in alone)


def on_shown(
    author: Author,
    helpers: Sequence[str],
    parameters: Sequence[Parameter],
    misconceptions: Sequence[Misconception],
    kept: Sets,
    cases: Sequence[TestCase],
) -> PairsOnCases:
    """What the kept pairs give on each of some cases, by itself: it may raise on others."""
    tolerance = author.exercise.tolerance
    modes = [mode_of(m) for m in misconceptions]
    chains = [tuple(int(number) for number in row) for row in kept.members]
    key = np.zeros((len(chains), len(cases)), np.int64)
    total, room = np.zeros(key.shape), np.full(key.shape, -1.0)
    composer = Composer(author, helpers, parameters, modes, cases)
    for row, cells in enumerate(composer.by_case(chains) if cases else ()):
        for column, outcome in enumerate(cells):
            sign = None if outcome is None else signed((outcome,), tolerance)
            if sign is not None:
                key[row, column], total[row, column] = sign.key, sign.total
                room[row, column] = sign.room
    return PairsOnCases(key, total, room, kept.members)


def sets(rows: list[tuple[Signed, Chain]], tests: tuple[int, ...], size: int) -> Sets:
    """Rows as `Sets`, sorted; a set that stands there twice alike stays twice."""
    rows.sort(key=lambda row: (row[0].key, row[0].total))
    at = np.cumsum([0, *(len(sign.numbers) for sign, _ in rows)])
    return Sets(
        key=np.array([sign.key for sign, _ in rows], np.int64),
        total=np.array([sign.total for sign, _ in rows], np.float64),
        room=np.array([sign.room for sign, _ in rows], np.float64),
        members=np.array([chain for _, chain in rows], np.uint16).reshape(-1, size),
        at=at.astype(np.int64),
        values=np.concatenate([np.empty(0), *(sign.numbers for sign, _ in rows)]),
        tests=tests,
    )
