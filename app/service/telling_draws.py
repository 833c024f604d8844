"""Which draws a second look takes: those that hold between them every corner the draws reach.

A corner is what code may be wrong on alone: a size, two sizes that are 1 or equal or in one order,
an argument left out, a dtype, numbers in the thousands, ties, -inf. Every fourth draw misses some.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from app.grading.axes import named_sizes
from app.model import Exercise, Expectations, TestCase, Value

TAKEN = 64
EVERY_SIZE_TO = 32
"""Sizes above this are told apart by their number of binary digits."""

LARGE = 1_000.0
KEPT = 16

Corner = tuple[object, ...]


def telling_draws(exercise: Exercise, expectations: Expectations) -> tuple[TestCase, ...]:
    """At most 64 draws from small to large, worked out once an exercise."""
    names = tuple(draw.name for draw in expectations.draws)
    places = _places(_Known(expectations.digest, names, exercise, expectations))
    return tuple(expectations.draws[place] for place in places)


@dataclass(frozen=True)
class _Known:
    """What the choice hangs on; two are one where they are draws of one name of one digest."""

    digest: str
    names: tuple[str, ...]
    exercise: Exercise = field(compare=False)
    expectations: Expectations = field(compare=False)


@functools.lru_cache(maxsize=KEPT)
def _places(known: _Known) -> tuple[int, ...]:
    """Each time the smallest draw with most corners that none before has; the rest evenly."""
    corners = [set(_corners(known, draw)) for draw in known.expectations.draws]
    left = set().union(*corners)
    taken: list[int] = []
    while left and len(taken) < TAKEN:
        best = max(range(len(corners)), key=lambda at: (len(corners[at] & left), -at))
        left -= corners[best]
        taken.append(best)
    others = [at for at in range(len(corners)) if at not in taken]
    room = min(TAKEN - len(taken), len(others))
    evenly = [others[at * len(others) // room] for at in range(room)]
    return tuple(sorted([*taken, *evenly]))


def _corners(known: _Known, draw: TestCase) -> Iterator[Corner]:
    parameters = known.expectations.parameters
    sizes = named_sizes(known.exercise, parameters, draw.arguments)
    for name, size in sizes.items():
        yield "size", name, size if size <= EVERY_SIZE_TO else (size.bit_length(),)
    for (one, n), (other, m) in combinations(sorted(sizes.items()), 2):
        yield "order", one, other, (n > m) - (n < m)
        yield "ones", one, other, n == 1, m == 1
    yield "all_ones", all(size == 1 for size in sizes.values())
    for at, parameter in enumerate(parameters):
        if at >= len(draw.arguments):
            yield "left_out", parameter.name
        else:
            yield from ((parameter.name, *one) for one in _of_value(draw.arguments[at]))
    first = draw.arguments[0]
    for at, argument in enumerate(draw.arguments[1:], 1):
        if _are_equal(first, argument):
            yield "equal", at


def _of_value(value: Value) -> Iterator[Corner]:
    if not isinstance(value, np.ndarray):
        yield (type(value).__name__, value if isinstance(value, str | bool) else None)
        return
    yield "array", value.dtype.str, value.ndim
    numbers = np.asarray(value, np.float64).ravel()
    finite = numbers[np.isfinite(numbers)]
    yield "finite", finite.size == numbers.size
    yield "large", bool((finite > LARGE).any()), bool((finite < -LARGE).any())
    yield "zeros", bool((numbers == 0).any()), bool((numbers == 0).all())
    yield "signs", bool((numbers > 0).any()), bool((numbers < 0).any())
    yield "ties", numbers.size > 1, bool((numbers == numbers[:1]).all())
    largest = int(numbers.argmax()) if numbers.size else -1
    yield "ends", largest == 0, largest == numbers.size - 1


def _are_equal(one: Value, other: Value) -> bool:
    if not isinstance(one, np.ndarray) or not isinstance(other, np.ndarray):
        return False
    return bool(np.array_equal(one, other))
