"""Searches a traced call for the steps that are off while all they were made from is right.

From the returned value backwards, through the names each line reads and the functions it calls;
steps that equal a stage end the way, and where one may be off for an unknown reason nothing is
found.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.grading.trace.stage_index import GIVEN, StageIndex
from app.grading.trace.steps import DataFlow, Step

MOST_STEPS = 200


class Search:
    """One search through the steps of a call."""

    def __init__(self, flow: DataFlow, book: StageIndex) -> None:
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
        called = self._flow.called_by(step)
        inside = [s for s in called if (s.unknown and not s.partly) or s.opaque]
        deeper = [root for s in inside for root in self.roots(s) if self.plausible(root)]
        if deeper or any(self._is_dark(s) for s in inside):
            return tuple(deeper)
        return (step,)

    def _is_dark(self, returned: Step) -> bool:
        """Whether what a function returned may be off for a reason that nothing here tells."""
        return returned.opaque or self.plausible(returned) or not self._from_right(returned)

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

    def before(self, root: Step) -> Step | None:
        """The right step furthest along among what the root reads, else the last one before it."""
        made = (*self._flow.read_by(root), *self._flow.called_by(root))
        read = [s for s in made if s.match and not s.match.given]
        if not read:
            read = [
                s
                for s in self._flow.steps
                if s.order < root.order and s.match and not s.match.given and s.line.kind != "call"
            ]
        return max(read, key=lambda s: (s.match.index if s.match else GIVEN, s.order), default=None)

    def due(self, root: Step, before: Step | None) -> int | None:
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
