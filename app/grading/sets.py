"""Which mistakes at once a submission shows: outcomes of sets, signed, kept sorted, looked up.

What a set gives was computed by putting wrong helpers together. A submission is signed the same
way; equal signatures are compared number by number at the exercise's tolerance. The smallest sets
that fit decide: one is named, of several their common part, and nothing where they share none.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.grading.checker import equal_cells
from app.grading.outcomes import Vector, flat
from app.model import Expectations, Misconception, Outcome, PairsOnCases, Sets, Tolerance

Rows = npt.NDArray[np.intp] | slice

KEPT_NUMBERS = 4_096
"""Of an output of more numbers than this only the weighted sum is compared."""

KEPT_WEIGHTS = 16_384
"""Weights of longer outputs are made anew: 256 lengths of them would fill a gigabyte."""

MOST_SUSPECTS = 20

_KINDS = ("right", "changed", "array", "dtype", "type", "none")


@dataclass(frozen=True)
class Signed:
    """What one program gives on all tests, cut for a look-up: see `Sets`."""

    key: int
    total: float
    room: float
    numbers: Vector


@dataclass(frozen=True)
class MistakeSet:
    """Mistakes that are certain, in order of computation, of `size` that explain everything."""

    mistakes: tuple[Misconception, ...]
    size: int


def signed(outcomes: Sequence[Outcome], tolerance: Tolerance) -> Signed | None:
    """The signature of outcomes; None where one of them raised or never ended."""
    if any(outcome.kind not in _KINDS for outcome in outcomes):
        return None
    exact: list[object] = []
    kept: list[Vector] = []
    total = room = 0.0
    for outcome in outcomes:
        array = flat(outcome.value) if outcome.kind in ("array", "dtype") else None
        if array is None:
            exact.append((outcome.kind, outcome.text))
            continue
        shapes, numbers = array
        finite = np.isfinite(numbers)
        plain = numbers if finite.all() else np.where(finite, numbers, 0.0)
        exact.append((outcome.kind, outcome.text, shapes, _pattern(numbers, finite)))
        weights, sizes, whole = _weights(len(plain))
        with np.errstate(all="ignore"):
            total += float(weights @ plain)
            room += tolerance.atol * whole + tolerance.rtol * float(sizes @ np.abs(plain))
        if len(numbers) <= KEPT_NUMBERS:
            kept.append(numbers)
    return Signed(_hash(tuple(exact)), total, room, np.concatenate([np.empty(0), *kept]))


def _pattern(numbers: Vector, finite: npt.NDArray[np.bool_]) -> bytes:
    """Which numbers are NaN, inf and -inf; b"" where none is."""
    if finite.all():
        return b""
    odd = np.where(np.isnan(numbers), 1, np.where(numbers > 0, 2, 3))
    return np.where(finite, 0, odd).astype(np.int8).tobytes()


def _weights(length: int) -> tuple[Vector, Vector, float]:
    """Fixed weights of both signs, so that moved numbers change the sum; their sizes, and all.

    Kept for usual lengths: a program may return any length it likes.
    """
    return _kept_weights(length) if length <= KEPT_WEIGHTS else _made_weights(length)


def _made_weights(length: int) -> tuple[Vector, Vector, float]:
    chance = np.random.Generator(np.random.PCG64(7))
    sizes = chance.uniform(0.5, 1.5, length)
    return sizes * np.where(chance.random(length) < 0.5, -1.0, 1.0), sizes, float(sizes.sum())


_kept_weights = functools.lru_cache(maxsize=256)(_made_weights)


@functools.lru_cache(maxsize=4_096)
def _hash(exact: tuple[object, ...]) -> int:
    digest = hashlib.blake2b(repr(exact).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


def named_set(
    expectations: Expectations,
    seen: Sequence[Outcome],
    tolerance: Tolerance,
    drawn: Callable[[], Sequence[Outcome]] = tuple,
) -> MistakeSet | None:
    """The one smallest set of kept mistakes that gives all outcomes, or what all such share.

    `drawn` gives the outcomes on the confirming draws, where the submission was run on them.
    """
    pairs, proved = expectations.pairs, expectations.proved
    fits = () if pairs is None else fitting_sets(pairs, seen, tolerance)
    if fits:
        return settle(expectations, _confirmed(expectations, fits, drawn(), tolerance))
    if proved is None:
        return None
    everywhere = (*seen, *drawn())
    if len(proved.tests) != len(everywhere):
        return None
    return settle(expectations, fitting_sets(proved, everywhere, tolerance))


def _confirmed(
    expectations: Expectations,
    fits: Sequence[tuple[int, ...]],
    drawn: Sequence[Outcome],
    tolerance: Tolerance,
) -> Sequence[tuple[int, ...]]:
    """Those of the pairs that give the same on the draws; where one raises, so must the other."""
    known = expectations.pairs_on_draws
    if known is None or not drawn:
        return fits
    rows = np.array([_row(known, pair) for pair in fits], np.intp)
    for column, outcome in enumerate(drawn):
        if len(rows):
            rows = rows[_near(known, column, signed((outcome,), tolerance), rows)]
    return [tuple(int(number) for number in known.members[row]) for row in rows]


def _row(known: PairsOnCases, pair: tuple[int, ...]) -> int:
    first, second = known.members.T
    return int(np.flatnonzero((first == pair[0]) & (second == pair[1]))[0])


def _near(
    known: PairsOnCases, column: int, sign: Signed | None, rows: Rows = slice(None)
) -> npt.NDArray[np.bool_]:
    """Which of these pairs give this on the case of a column, by kind and sums."""
    room = known.room[rows, column]
    gives = room >= 0
    if sign is None:
        return np.asarray(~gives, np.bool_)
    near = np.abs(known.total[rows, column] - sign.total) <= np.maximum(sign.room, room)
    return np.asarray(near & gives & (known.key[rows, column] == sign.key), np.bool_)


def suspects(
    expectations: Expectations, seen: Sequence[Outcome], tolerance: Tolerance
) -> tuple[tuple[int, ...], ...]:
    """Three mistakes that may give all outcomes, where no two do; to be proved on all tests.

    () where there are none, or too many to be any evidence.
    """
    pairs, triples = expectations.pairs, expectations.triples
    if pairs is None or triples is None or not len(triples):
        return ()
    if fitting_sets(pairs, seen, tolerance):
        return ()
    found = fitting_sets(triples, seen, tolerance)
    return found if len(found) <= MOST_SUSPECTS else ()


def fitting_sets(
    sets: Sets, seen: Sequence[Outcome], tolerance: Tolerance
) -> tuple[tuple[int, ...], ...]:
    """The members of all kept sets whose outcomes equal `seen` on the tests they keep."""
    mine = signed([seen[at] for at in sets.tests], tolerance)
    if mine is None:
        return ()
    first, last = (int(np.searchsorted(sets.key, mine.key, side)) for side in ("left", "right"))
    near = np.abs(sets.total[first:last] - mine.total) <= np.maximum(
        mine.room, sets.room[first:last]
    )
    rows = np.flatnonzero(near) + first
    return tuple(
        _members(sets, int(row)) for row in rows if _equal(sets, int(row), mine, tolerance)
    )


def _members(sets: Sets, row: int) -> tuple[int, ...]:
    return tuple(int(number) for number in sets.members[row])


def _equal(sets: Sets, row: int, mine: Signed, tolerance: Tolerance) -> bool:
    if not len(sets.at):
        return True
    theirs = np.asarray(sets.values[sets.at[row] : sets.at[row + 1]])
    if theirs.shape != mine.numbers.shape:
        return False
    return bool(equal_cells(mine.numbers, theirs, tolerance).all())


def may_be_pairs(
    shown: PairsOnCases, seen: Sequence[Outcome], tolerance: Tolerance
) -> tuple[tuple[int, ...], ...]:
    """The kept pairs that may give what a run gave, by sums alone; a column of `shown` a case."""
    fits = np.ones(len(shown.members), np.bool_)
    for column, outcome in enumerate(seen):
        fits &= _near(shown, column, signed((outcome,), tolerance))
    return tuple(tuple(int(n) for n in shown.members[row]) for row in np.flatnonzero(fits))


def settle(expectations: Expectations, fits: Sequence[tuple[int, ...]]) -> MistakeSet | None:
    """What is certain where these sets fit: the one, or the common part of several, or nothing."""
    known = expectations.misconceptions
    groups = {frozenset(known[number].same for number in members) for members in fits}
    if not groups:
        return None
    common = frozenset.intersection(*groups)
    if not common:
        return None
    placed = [m for members in fits for m in (known[n] for n in members) if m.same in common]
    stands = {m.slug: m for m in known}
    first = {m.same: m.place for m in sorted(placed, key=lambda m: -m.place)}
    order = sorted(common, key=lambda slug: (first[slug], known.index(stands[slug])))
    return MistakeSet(tuple(stands[slug] for slug in order), max(map(len, groups)))
