"""The outcomes of every three mistakes at once, on the two tests that tell most pairs apart.

Tried are three whose every two are a kept pair, none of which another single mistake gives as well.
They are many, so no values are kept: what a look-up finds is suspected, and proved in the jail on
all tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, islice, permutations

import numpy as np

from app.catalog import ExerciseErrors
from app.expectations.author_files import Author
from app.expectations.composing import Chain, Composer
from app.expectations.metered import Metered
from app.expectations.modes import mode_of
from app.expectations.pairs import sets
from app.grading.outcomes import flat
from app.grading.sets import Signed, fitting_sets, signed
from app.model import Exercise, Expectations, Lane, Misconception, Outcome, Sets
from app.model.bounds import TRIPLES_CPU_S
from app.ports import Sandbox

BATCH = 400
"""Chains an order: some hundredths of a second, after which somebody may be waiting."""

MOST = 80_000
"""More of an exercise are not tried (two and a half megabytes); the last mistakes' go first."""

NEARLY = 0.98
"""Tests that tell nearly as many pairs apart as others, and are smaller, are taken."""

SAMPLE = 300
SEED = 5

Pause = Callable[[], None]
"""Called before every order; it returns when no job is waiting."""


def triples(exercise: Exercise, expectations: Expectations, sandbox: Sandbox, pause: Pause) -> Sets:
    """All triples that may be told apart; none of whole-number outputs. Raises SandboxFault."""
    metered = Metered(exercise, sandbox, TRIPLES_CPU_S)
    composer = _Composed(Author(exercise, metered), expectations, pause)
    every = _chains(expectations, exercise) if _is_float(expectations) else ()
    chains = list(islice(every, MOST))
    if not chains:
        return without_values(sets([], (), 3))
    two: tuple[int, ...] = ()
    rows: list[tuple[Signed, Chain]] = []
    with suppress(ExerciseErrors):  # they take too long: what there is will do
        two = _telling(composer, expectations, exercise)
        for chain, found in composer.on(two, chains):
            sign = None if found is None else signed(found, exercise.tolerance)
            if sign is not None and sign.numbers.size and np.isfinite(sign.numbers).any():
                rows.append((replace(sign, numbers=np.empty(0)), chain))
    return without_values(sets(rows, two, 3))


def without_values(some: Sets) -> Sets:
    """Sets that keep no values: what fits is only suspected."""
    return replace(some, at=np.empty(0, np.int64), values=np.empty(0))


def proved(
    exercise: Exercise, expectations: Expectations, sandbox: Sandbox, suspects: Sequence[Chain]
) -> Sets:
    """The suspects' outcomes on all tests and confirming draws, in one order of the author's files.

    One that raises on any of them has none.
    """
    numbers = sorted({number for chain in suspects for number in chain})
    modes = [mode_of(expectations.misconceptions[number]) for number in numbers]
    about = (expectations.helpers, expectations.parameters)
    cases = (*expectations.calls, *expectations.confirming_draws)
    composer = Composer(Author(exercise, sandbox), *about, modes, cases)
    chains = [tuple(numbers.index(number) for number in chain) for chain in suspects]
    rows = []
    for chain, found in zip(suspects, composer.outcomes(chains), strict=True):
        sign = None if found is None else signed(found, exercise.tolerance)
        if sign is not None:
            rows.append((sign, chain))
    return sets(rows, tuple(range(len(cases))), 3)


class _Composed:
    """Outcomes of chains on some of the tests, in small orders at low priority."""

    def __init__(self, author: Author, expectations: Expectations, pause: Pause) -> None:
        self._author, self._expectations, self._pause = author, expectations, pause

    def on(
        self, tests: tuple[int, ...], chains: Sequence[Chain]
    ) -> Iterator[tuple[Chain, tuple[Outcome, ...] | None]]:
        about = (self._expectations.helpers, self._expectations.parameters)
        modes = [mode_of(one) for one in self._expectations.misconceptions]
        cases = [self._expectations.calls[at] for at in tests]
        composer = Composer(self._author, *about, modes, cases, lane=Lane.SLOW)
        for start in range(0, len(chains), BATCH):
            self._pause()
            some = chains[start : start + BATCH]
            yield from zip(some, composer.outcomes(some), strict=True)


def _is_float(expectations: Expectations) -> bool:
    """Whether all outputs are floats: of whole numbers three mistakes can explain anything."""
    found = [flat(test.expected) for test in expectations.calls]
    return all(
        one is not None and all(isinstance(part, tuple) and part[1] == "f" for part in one[0])
        for one in found
    )


def _chains(expectations: Expectations, exercise: Exercise) -> Iterator[Chain]:
    """Every three whose every two are kept, in each order that two on one helper are kept in."""
    kept = _kept(expectations, exercise)
    known = expectations.misconceptions
    either = {frozenset(pair) for pair in kept}
    near: dict[int, set[int]] = {}
    for one, other in kept:
        near.setdefault(min(one, other), set()).add(max(one, other))
    for one in sorted(near):
        for other, third in combinations(sorted(near[one]), 2):
            if frozenset((other, third)) in either:
                yield from _orders((one, other, third), kept, known)


def _kept(expectations: Expectations, exercise: Exercise) -> set[tuple[int, int]]:
    """The kept pairs that no other single mistake gives as well."""
    pairs = expectations.pairs
    if pairs is None:
        return set()
    kept = {(int(one), int(other)) for one, other in pairs.members}
    for outcomes in expectations.outcomes.values():
        for one, other in fitting_sets(pairs, outcomes, exercise.tolerance):
            kept.discard((one, other))
    return kept


def _orders(
    three: Chain, kept: set[tuple[int, int]], known: Sequence[Misconception]
) -> Iterator[Chain]:
    targets = [known[number].target for number in three]
    if len(set(targets)) == len(three):
        yield three
        return
    seen = set()
    for chain in permutations(three):
        by_target = tuple(sorted(chain, key=lambda number: known[number].target))
        ordered = all(
            (one, other) in kept
            for one, other in combinations(by_target, 2)
            if known[one].target == known[other].target
        )
        if ordered and by_target not in seen:
            seen.add(by_target)
            yield by_target


def _telling(
    composer: _Composed, expectations: Expectations, exercise: Exercise
) -> tuple[int, ...]:
    """The smallest two tests on which nearly as many of a sample of pairs differ as on any."""
    pairs = expectations.pairs
    if pairs is None:
        return (0, 1)
    rows = np.random.default_rng(SEED).permutation(len(pairs))[:SAMPLE]
    chains = [tuple(int(number) for number in pairs.members[row]) for row in rows]
    every = tuple(range(len(expectations.calls)))
    found = [outcomes for _, outcomes in composer.on(every, chains) if outcomes is not None]

    def tells(two: tuple[int, ...]) -> int:
        signs = [signed([outcomes[at] for at in two], exercise.tolerance) for outcomes in found]
        return len({(sign.key, f"{sign.total:.5g}") for sign in signs if sign is not None})

    told = {two: tells(two) for two in combinations(every, 2)}
    enough = [two for two, number in told.items() if number >= NEARLY * max(told.values())]
    return min(enough, key=lambda two: sum(_size(expectations, at) for at in two))


def _size(expectations: Expectations, at: int) -> int:
    found = flat(expectations.calls[at].expected)
    return 0 if found is None else found[1].size
