"""Tells which of the reference's named stages an array equals, whatever the layout it is in.

By value, at the exercise's tolerance: as one of the stage's equivalent forms, or with its axes in
another order where exactly one order fits. Axes of length 1 do not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np

from app.grading.checker import equal_cells
from app.model import Array, Tolerance, Value

MOST_AXES = 4
CELLS = 20_000
GIVEN = -1
"""The index of what is no stage: an argument as it was given."""


@dataclass(frozen=True)
class Match:
    """The stage an array equals: its place in order of computation, and its name.

    `turned`: it does so with its axes in another order than the reference has them.
    """

    index: int
    name: str
    turned: bool = False

    @property
    def given(self) -> bool:
        """Whether it is only an argument, as it came in."""
        return self.index == GIVEN


@dataclass(frozen=True)
class _Form:
    """`total` and `room`: arrays that equal it in any order of axes sum to it within this much."""

    match: Match
    array: Array
    total: float
    room: float


class StageIndex:
    """The stages of one case, and its arguments, by the sizes of their axes."""

    def __init__(
        self,
        stages: Sequence[tuple[str, tuple[Array, ...]]],
        arguments: dict[str, Value],
        tolerance: Tolerance,
    ) -> None:
        self.names = tuple(name for name, _ in stages)
        self._tolerance = tolerance
        self._forms: dict[tuple[int, ...], list[_Form]] = {}
        self.bases = tuple(forms[0] for _, forms in stages)
        for index, (name, forms) in enumerate(stages):
            for array in forms:
                self._add(Match(index, name), array)
        for name, value in arguments.items():
            for array in _arrays(value):
                self._add(Match(GIVEN, name), array)

    def match(self, array: Array) -> Match | None:
        """The first stage this array equals, or None."""
        squeezed = np.squeeze(array)
        total = _total(squeezed)
        for form in self._forms.get(_sizes(squeezed), ()):
            if abs(total - form.total) > form.room:
                continue
            if self._equal(squeezed, form.array):
                base = self.bases[form.match.index] if form.match.index >= 0 else form.array
                return replace(
                    form.match,
                    turned=squeezed.shape != np.squeeze(base).shape
                    or not self._same(squeezed, np.squeeze(base)),
                )
        return None

    def fitting(self, array: Array, after: int = GIVEN - 1) -> tuple[int, ...]:
        """Stages whose arrays have this one's sizes, in order, from behind a stage on."""
        found = (form.match.index for form in self._forms.get(_sizes(np.squeeze(array)), ()))
        return tuple(dict.fromkeys(index for index in found if index > max(after, GIVEN)))

    def forms(self, index: int) -> tuple[Array, ...]:
        """The forms of a stage, axes of length 1 left out."""
        every = (form for forms in self._forms.values() for form in forms)
        return tuple(form.array for form in every if form.match.index == index)

    def _add(self, match: Match, array: Array) -> None:
        if array.size <= CELLS and 0 < np.squeeze(array).ndim <= MOST_AXES:
            squeezed = np.squeeze(array)
            size = float(np.abs(squeezed.astype(np.float64)).sum())
            room = 2 * (self._tolerance.atol * array.size + self._tolerance.rtol * size) + 1e-9
            form = _Form(match, squeezed, _total(squeezed), room)
            self._forms.setdefault(_sizes(squeezed), []).append(form)

    def _equal(self, array: Array, form: Array) -> bool:
        if array.shape == form.shape and self._same(array, form):
            return True
        orders = [
            order
            for order in permutations(range(form.ndim))
            if tuple(form.shape[axis] for axis in order) == array.shape
            and self._same(array, form.transpose(order))
        ]
        return len(orders) == 1

    def _same(self, array: Array, form: Array) -> bool:
        return bool(equal_cells(array, form, self._tolerance).all())


def _sizes(array: Array) -> tuple[int, ...]:
    return tuple(sorted(array.shape))


def _total(array: Array) -> float:
    """The sum of all cells; NaN where one is not finite, which is further from nothing."""
    with np.errstate(all="ignore"):
        return float(array.sum(dtype=np.float64))


def _arrays(value: Value) -> list[Array]:
    if isinstance(value, np.ndarray):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else ()
    return [array for part in parts for array in _arrays(part)]
