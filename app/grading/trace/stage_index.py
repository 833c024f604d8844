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

    `turned`: it does so with its axes in another order than the reference has them. `way`: it is
    what the way from this stage to the next ones leads through, as the powers of a softmax.
    """

    index: int
    name: str
    turned: bool = False
    way: bool = False

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
        for index, name in enumerate(self.names):
            for array in self._on_the_way(index):
                self._add(Match(index, name, way=True), array)

    def match(self, array: Array) -> Match | None:
        """The first stage this array equals, or None."""
        squeezed = np.squeeze(array)
        total = _total(squeezed)
        for form in self._forms.get(_sizes(squeezed), ()):
            if abs(total - form.total) > form.room:
                continue
            if self._equal(squeezed, form.array):
                if form.match.way:
                    return form.match
                base = self.bases[form.match.index] if form.match.index >= 0 else form.array
                return replace(
                    form.match,
                    turned=squeezed.shape != np.squeeze(base).shape
                    or not self._same(squeezed, np.squeeze(base)),
                )
        return None

    def fitting(self, array: Array, after: int = GIVEN - 1) -> tuple[int, ...]:
        """Stages whose arrays have this one's sizes, in order, from behind a stage on."""
        forms = self._forms.get(_sizes(np.squeeze(array)), ())
        found = (form.match.index for form in forms if not form.match.way)
        return tuple(dict.fromkeys(index for index in found if index > max(after, GIVEN)))

    def forms(self, index: int) -> tuple[Array, ...]:
        """The forms of a stage, axes of length 1 left out."""
        every = (form for forms in self._forms.values() for form in forms)
        return tuple(f.array for f in every if f.match.index == index and not f.match.way)

    def leads_to_weights(self, index: int) -> bool:
        """Whether a stage is the scores of a softmax, or comes before its weights in their size."""
        base = self.bases[index] if index >= 0 else None
        if base is None or index == len(self.bases) - 1:
            return False
        before = [at for at in range(index + 1) if self.bases[at].shape == base.shape]
        return any(self._on_the_way(at) and self._weights(at) > index for at in before)

    def _weights(self, index: int) -> int:
        """Where the weights of these scores stand."""
        made = softmax_steps(self.bases[index])[-1]
        found = (
            at
            for at in range(index + 1, len(self.bases))
            if self.bases[at].shape == made.shape and self._same(made, self.bases[at])
        )
        return next(found, -1)

    def weights_of(self, index: int) -> Array | None:
        """The weights that the scores at or before a stage become, or None."""
        for at in range(index, -1, -1):
            if self.bases[at].shape == self.bases[index].shape and self._on_the_way(at):
                return self.bases[self._weights(at)]
        return None

    def _on_the_way(self, index: int) -> tuple[Array, ...]:
        """What a softmax makes of a stage before it is the weights, where one comes later."""
        base = self.bases[index]
        if base.ndim < 2 or base.dtype.kind != "f" or base.size > CELLS:
            return ()
        return softmax_steps(base)[:-1] if self._weights(index) >= 0 else ()

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


def softmax_steps(array: Array) -> tuple[Array, ...]:
    """Shifted, maximum, powers, their sums, unshifted powers, and last the weights themselves."""
    scores = array.astype(np.float64)
    with np.errstate(all="ignore"):
        top = scores.max(axis=-1, keepdims=True)
        powers = np.exp(scores - top)
        total = powers.sum(axis=-1, keepdims=True)
        return scores - top, top, powers, total, np.exp(scores), powers / total


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
