"""The first line where a computation leaves the right one: all it reads is right, it is not.

A line inside one of the learner's own functions is named only where that function was given the
right things, or where what it made proves the fault; else the line that calls it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.grading.sentences.phrases import shown
from app.grading.trace.at_fault import is_at_fault, summed_wrong
from app.grading.trace.divergence_search import Search
from app.grading.trace.signs import Context, Sign, follows, place, sign, softmax_of
from app.grading.trace.stage_index import GIVEN
from app.grading.trace.steps import Step
from app.model import Value

_NUMBERS = ("int", "float", "int64", "float64")


@dataclass(frozen=True)
class Divergence:
    """The first step that is off, and the last right one among what it was made from.

    `names` are all that its line assigned and that are off. `stage` is the place of the stage that
    is due there, `sign` tells how it is off.
    """

    step: Step
    names: tuple[str, ...]
    before: Step | None
    stage: int | None
    sign: Sign

    @property
    def message(self) -> str:
        """Where it goes wrong, in one sentence, and how as far as it is certain."""
        return first_divergence(
            self.step, self.names, None if self.before is None else self.before, self.sign.text
        )


def first_divergence(step: Step, names: tuple[str, ...], before: Step | None, how: str) -> str:
    """ "Right up to `k` (line 9); `scores` (line 10) is the first to go wrong." and how."""
    here = place(step, names)
    verb = "are" if len(names) > 1 else "is"
    if len(names) > 1 and how.startswith("It "):
        how = f"`{shown(step.name, 40)}` {how[3:]}"
    right = before is not None and before.match is not None
    if before is None or not right or before.line.line == step.line.line:
        return f"{here[:1].upper()}{here[1:]} {verb} the first to go wrong. {how}".strip()
    return f"Right up to {place(before)}; {here} {verb} the first to go wrong. {how}".strip()


def first(ground: Context, arguments: Sequence[Value]) -> Divergence | None:
    """The first divergence of a call whose returned value is off; None where none is certain."""
    last = ground.flow.returned(ground.flow.entry_point)
    if last is None:
        return None
    search = Search(ground.flow, ground.book)
    roots = [root for root in search.roots(last) if search.plausible(root)]
    if not roots:
        return None
    order = min(root.order for root in roots)
    earliest = [root for root in ground.flow.steps if root in roots and root.order == order]
    return _LineToName(search, ground, arguments).divergence(earliest)


class _LineToName:
    """Finds the line to name: that of a root, or the one that calls the function it is in."""

    def __init__(self, search: Search, ground: Context, arguments: Sequence[Value]) -> None:
        self._search, self._ground = search, ground
        self._numbers = {f"{value:.6g}" for value in arguments if isinstance(value, int | float)}

    def divergence(self, roots: Sequence[Step]) -> Divergence | None:
        """The divergence at roots of one line, or up the calls from there."""
        root, names = roots[0], tuple(step.name for step in roots)
        before = self._search.before(root)
        if follows(root, before, self._ground.exercise.tolerance):
            return self._softmax(root, names, before)
        while True:
            before = self._search.before(root)
            due = self._search.due(root, before)
            found = sign(root, due, self._ground)
            divergence = Divergence(root, names, before, due, found)
            if self._at_home(root) or self._at_fault(root, due, found):
                if is_at_fault(root, found, self._ground):
                    return divergence
                return self._sums(root)
            caller = self._caller(root)
            if caller is None or not self._ill_given(root):
                return None
            root, names = caller, (caller.name,)

    def _sums(self, root: Step) -> Divergence | None:
        """The line of the sums, where they alone put weights off."""
        sums = summed_wrong(root, self._ground)
        if sums is None:
            return None
        before = self._search.before(sums)
        due = self._search.due(root, before)
        return Divergence(sums, (sums.name,), before, due, sign(sums, due, self._ground))

    def _softmax(
        self, root: Step, names: tuple[str, ...], before: Step | None
    ) -> Divergence | None:
        """A right softmax of what is not yet the scores: the line that gives them to it."""
        while before is not None and before.line.kind == "call":
            caller = self._caller(root)
            given = [] if caller is None else self._made(caller, before)
            if caller is None or not given:
                return None
            root, names, before = caller, (caller.name,), given[0]
        if before is None:
            return None
        due = self._search.due(root, before)
        return Divergence(root, names, before, due, softmax_of(before, self._ground.book))

    def _made(self, caller: Step, like: Step) -> list[Step]:
        flow = self._ground.flow
        made = (*flow.read_by(caller), *flow.called_by(caller))
        return [step for step in made if step.match == like.match]

    def _at_home(self, step: Step) -> bool:
        return step.line.function == self._ground.flow.entry_point

    def _caller(self, step: Step) -> Step | None:
        callers = self._ground.flow.callers(step.line.function)
        later = [c for c in callers if c.order > step.order and (c.unknown or c.opaque)]
        return min(later, key=lambda caller: caller.order, default=None)

    def _at_fault(self, step: Step, due: int | None, found: Sign) -> bool:
        """Whether a function that is off was given all it should get."""
        flow = self._ground.flow
        given = [
            s for s in flow.steps if s.line.kind == "call" and s.line.function == step.line.function
        ]
        numbers = [s for s in given if s.line.first and self._type_name(s) in _NUMBERS]
        if any(self._quoted(s) not in self._numbers for s in numbers):
            return False
        arrays = [s for s in given if s.array is not None]
        if any(s.match is None and not s.partly for s in arrays) or not arrays:
            return False
        own = [s for s in flow.steps if s.line.function == step.line.function and s.match]
        done = {s.match.index for s in own if s.match and s.order < step.order}
        return found.proof or self._in_turn(arrays, due, done)

    def _ill_given(self, step: Step) -> bool:
        """Whether the function a step is in got something that is off, or has its axes turned."""
        given = [
            s
            for s in self._ground.flow.steps
            if s.line.kind == "call" and s.line.function == step.line.function and s.line.first
        ]
        return any(s.unknown or (s.match is not None and s.match.turned) for s in given)

    def _in_turn(self, arrays: Sequence[Step], due: int | None, done: set[int]) -> bool:
        """Whether arguments are the stages before the one that is due, in their order."""
        ranks = [s.match.index for s in arrays if s.match is not None and not s.match.turned]
        if len(ranks) != len(arrays) or GIVEN in ranks or due is None:
            return False
        if len(ranks) == 1:
            return due - 1 in done and set(range(ranks[0], due)) <= done
        return all(after - before == 1 for before, after in zip(ranks, ranks[1:], strict=False))

    @staticmethod
    def _type_name(step: Step) -> str:
        return next(a.type_name for a in step.line.last if a.name == step.name)

    @staticmethod
    def _quoted(step: Step) -> str:
        return next(a.text for a in step.line.last if a.name == step.name)
