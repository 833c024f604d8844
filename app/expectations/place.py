"""The place of each mistake in the order of computation, by what the helpers give in turn.

The first call of a helper that gives something else when this mistake alone is in place; where the
traced example hides it, the first call of its helper; at the end where only the output changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from app.expectations.author_files import Author
from app.expectations.composing import Composer
from app.expectations.modes import mode_of
from app.grading.checker import same
from app.model import Misconception, Parameter, TestCase, Tolerance, Value

Heard = tuple[tuple[Value, Value], ...]


def placed(
    author: Author,
    helpers: Sequence[str],
    parameters: Sequence[Parameter],
    misconceptions: Sequence[Misconception],
    case: TestCase,
) -> tuple[Misconception, ...]:
    """The misconceptions, each with its place on this case."""
    if not misconceptions:
        return ()
    composer = Composer(author, helpers, parameters, [mode_of(m) for m in misconceptions], (case,))
    chains: list[tuple[int, ...]] = [(), *((n,) for n in range(len(misconceptions)))]
    found = [_pairs(row) for row in _heard(composer, chains, case)]
    if len(found) != len(chains):
        return tuple(misconceptions)
    right, tolerance = found[0], author.exercise.tolerance
    entry = author.exercise.entry_point
    return tuple(
        replace(one, place=_place(one, right, wrong, tolerance, entry))
        for one, wrong in zip(misconceptions, found[1:], strict=True)
    )


def _heard(
    composer: Composer, chains: Sequence[tuple[int, ...]], case: TestCase
) -> tuple[Value, ...]:
    together = composer.predicted(chains, case)
    if together:
        return together
    return tuple(row for chain in chains for row in composer.predicted([chain], case) or ((),))


def _pairs(row: Value) -> Heard:
    return tuple(zip(row[::2], row[1::2], strict=False)) if isinstance(row, tuple) else ()


def _place(one: Misconception, right: Heard, wrong: Heard, tolerance: Tolerance, entry: str) -> int:
    for at, ((name, value), (other, given)) in enumerate(zip(right, wrong, strict=False)):
        if name != other or not _alike(given, value, tolerance):
            return at
    if len(right) != len(wrong):
        return min(len(right), len(wrong))
    calls = (at for at, (name, _) in enumerate(right) if name == one.target)
    return len(right) if one.target == entry else next(calls, len(right))


def _alike(given: Value, value: Value, tolerance: Tolerance) -> bool:
    with np.errstate(all="ignore"):
        return same(given, value, tolerance)
