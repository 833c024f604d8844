"""Finds the first line where a computation leaves the right one: all it reads is right, it is not.

    what came back is off ── what was it made from? ── … ── a step whose inputs are all right

From the returned value backwards, through the names each line reads and the functions it calls;
steps that equal a stage end the way. Nothing is said where nothing is certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.grading.stages import GIVEN, Book
from app.grading.trace_steps import Flow, Step
from app.model import Array, Tolerance

MOST_STEPS = 200


@dataclass(frozen=True)
class Divergence:
    """The first step that is off, and the last right one among what it was made from.

    `names` are all that its line assigned and that are off. `stage` is the place of the stage that
    is due there. `follows`: the step is a softmax (or its exponentials) of `before`, which is right
    but not yet what belongs into it.
    """

    step: Step
    names: tuple[str, ...]
    before: Step | None
    stage: int | None
    follows: bool = False


def first(flow: Flow, book: Book, tolerance: Tolerance) -> Divergence | None:
    """The first divergence of a call whose returned value is off; None where none is certain."""
    last = flow.returned(flow.entry_point)
    if last is None:
        return None
    search = _Search(flow, book)
    roots = [root for root in search.roots(last) if search.plausible(root)]
    if not roots:
        return None
    order = min(root.order for root in roots)
    earliest = [root for root in flow.steps if root in roots and root.order == order]
    return search.told(earliest, tolerance)


class _Search:
    def __init__(self, flow: Flow, book: Book) -> None:
        self._flow, self._book = flow, book
        self._known: dict[Step, tuple[Step, ...]] = {}
        self._last = flow.returned(flow.entry_point)
        self._met = {s.match.index for s in flow.steps if s.match is not None}

    def plausible(self, step: Step) -> bool:
        """Whether a stage is due where this step stands: it came back, or has a stage's size."""
        if step is self._last:
            return True
        whole = step.whole
        if whole is None or not step.unknown:
            return False
        return any(index not in self._met for index in self._book.fitting(whole))

    def roots(self, step: Step) -> tuple[Step, ...]:
        """The steps behind this one whose inputs are all right while they are not."""
        if step in self._known:
            return self._known[step]
        self._known[step] = ()
        if len(self._known) > MOST_STEPS:
            return ()
        found = self._behind(step)
        self._known[step] = found
        return found

    def _behind(self, step: Step) -> tuple[Step, ...]:
        if step.line.kind == "call":
            return self._given(step)
        read = self._flow.read_by(step)
        doubtful = [s for s in read if self._doubtful(s)]
        found = [root for s in doubtful for root in self.roots(s)]
        certain = [root for root in found if self.plausible(root)]
        if certain:
            return tuple(certain)
        if any(not self._beside(s, read) for s in doubtful) or any(map(self._blank, read)):
            return ()
        inside = [s for s in self._flow.called_by(step) if s.unknown and not s.partly]
        deeper = [root for s in inside for root in self.roots(s) if self.plausible(root)]
        if deeper or any(self.plausible(s) or not self._from_right(s) for s in inside):
            return tuple(deeper)
        return (step,)

    def _given(self, step: Step) -> tuple[Step, ...]:
        """The steps behind what a function was given: those of the line that calls it."""
        found: list[Step] = []
        for caller in self._flow.callers(step.line.function):
            if not caller.unknown:
                continue
            doubtful = [s for s in self._flow.read_by(caller) if self._doubtful(s)]
            others = [s for s in self._flow.called_by(caller) if s.unknown]
            others = [s for s in others if s.line.function != step.line.function]
            found += [root for s in (*doubtful, *others) for root in self.roots(s)]
            found += [] if doubtful or others else [caller]
        return tuple(found)

    def _from_right(self, step: Step) -> bool:
        sources = [s for s in self._flow.read_by(step) if s.array is not None]
        return all(s.match is not None for s in sources)

    def _doubtful(self, step: Step) -> bool:
        """Whether a step may be off: numbers, or a mask where a stage is one; no index."""
        if not step.unknown or step.array is None:
            return False
        return step.array.dtype.kind == "f" or self.plausible(step)

    def _beside(self, doubtful: Step, read: Sequence[Step]) -> bool:
        """Whether a step that no stage tells of is made from right ones that are read as well.

        As the sums of the exponentials beside the exponentials: the step that reads both is the
        first that can be held against a stage.
        """
        known = {s.match.index for s in read if s.match and not s.match.given}
        sources = [s for s in self._flow.read_by(doubtful) if s.array is not None]
        return bool(sources) and all(s.match and s.match.index in known for s in sources)

    def _blank(self, step: Step) -> bool:
        """Whether a step is a constant where a stage is due: it may be the mistake, or filled."""
        whole = step.whole
        if whole is None or not step.settled or step.match is not None:
            return False
        return any(index not in self._met for index in self._book.fitting(whole))

    def told(self, roots: Sequence[Step], tolerance: Tolerance) -> Divergence:
        """The divergence at roots of one line, or where their function is called if it is right."""
        root = roots[0]
        before = self._before(root)
        follows = before is not None and _follows(root, before, tolerance)
        while follows and before is not None and before.line.kind == "call":
            callers = [c for c in self._flow.callers(root.line.function) if c.unknown]
            given = [s for c in callers for s in self._flow.read_by(c) if s.match == before.match]
            if not callers or not given:
                break
            root, before = callers[0], given[0]
        due = self._due(root, before)
        names = tuple(s.name for s in roots) if root is roots[0] else (root.name,)
        return Divergence(root, names, before, due, follows)

    def _before(self, root: Step) -> Step | None:
        """The right step furthest along among what the root reads, else the last one before it."""
        read = [s for s in self._flow.read_by(root) if s.match and not s.match.given]
        if not read:
            read = [
                s
                for s in self._flow.steps
                if s.order < root.order and s.match and not s.match.given and s.line.kind != "call"
            ]
        return max(read, key=lambda s: (s.match.index if s.match else GIVEN, s.order), default=None)

    def _due(self, root: Step, before: Step | None) -> int | None:
        """The stage that is due at the root: the last one for what came back, else by its size."""
        if root is self._last:
            return len(self._book.names) - 1 if self._book.names else None
        whole = root.whole
        if whole is None:
            return None
        after = before.match.index if before is not None and before.match else GIVEN
        fitting = [i for i in self._book.fitting(whole) if i not in self._met]
        later = [i for i in fitting if i > after]
        return later[0] if later else fitting[0] if fitting else None


def _follows(root: Step, before: Step, tolerance: Tolerance) -> bool:
    """Whether the root is what a softmax, or a step of it, makes of the array before it."""
    mine, theirs = root.whole, before.whole
    if mine is None or theirs is None or mine.shape != theirs.shape or mine.dtype.kind != "f":
        return False
    return any(_near(mine, made, tolerance) for made in _softmax_steps(theirs))


def _softmax_steps(array: Array) -> Sequence[Array]:
    scores = array.astype(np.float64)
    with np.errstate(all="ignore"):
        shifted = scores - scores.max(axis=-1, keepdims=True)
        powers = np.exp(shifted)
        return shifted, powers, powers / powers.sum(axis=-1, keepdims=True), np.exp(scores)


def _near(mine: Array, theirs: Array, tolerance: Tolerance) -> bool:
    return bool(np.allclose(mine, theirs, tolerance.rtol, tolerance.atol, equal_nan=True))
