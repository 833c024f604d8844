"""The ladder: hints one step at a time, the solution after the last of them or after passing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from app.model import Hint, LearnerId, Slug
from app.ports import LadderStore
from app.records import Revealed
from app.service.door import Door
from app.service.errors import Closed, NoSuchHint, OutOfOrder
from app.service.exercises import Exercises


@dataclass(frozen=True)
class Solution:
    """The reference solution and the other right ways, as (file name, text), in order."""

    reference: bytes
    alternatives: tuple[tuple[str, bytes], ...] = ()


@dataclass(frozen=True)
class Hints:
    """Opens hints and solutions in their order, and remembers which are open."""

    exercises: Exercises
    door: Door
    ladder: LadderStore
    now: Callable[[], datetime]

    def revealed(self, learner: LearnerId, slug: Slug) -> Revealed:
        """How far down the ladder the learner is; hints that were edited away do not count."""
        exercise = self.exercises.get_for(learner, slug)
        found = self.ladder.revealed(learner, slug)
        rules = self.exercises.rulebook.rules(learner, slug)
        if not rules.helps:
            return Revealed()
        hints = min(found.hints, len(exercise.hints))
        return Revealed(hints, found.solution and rules.solution, found.passed)

    def reveal(self, learner: LearnerId, slug: Slug, number: int, *, address: str = "") -> Hint:
        """Open a hint, counted from 1, and record it; opening it again is free.

        Raises NoSuchHint beyond the ladder, OutOfOrder for a step that is not next.
        """
        who = self.door.learner(learner)
        exercise = self.exercises.get_for(who.id, slug)
        if not 1 <= number <= len(exercise.hints):
            raise NoSuchHint(f"{slug} has {len(exercise.hints)} hints")
        self.exercises.check_helps(who.id, slug)
        open_hints = self.revealed(who.id, slug).hints
        if number > open_hints + 1:
            raise OutOfOrder(f"Hint {open_hints + 1} comes first.", open_hints + 1)
        if number > open_hints:
            self.door.admit(who, address, "write")
            self.ladder.reveal_hint(who.id, slug, number, self.now())
        return exercise.hints[number - 1]

    def reveal_solution(self, learner: LearnerId, slug: Slug, *, address: str = "") -> Solution:
        """Show the reference and the accepted alternatives, and record that they were shown.

        Raises OutOfOrder before the last hint is open, unless a submission was accepted.
        """
        who = self.door.learner(learner)
        exercise = self.exercises.get_for(who.id, slug)
        if not self.exercises.rulebook.rules(who.id, slug).solution:
            raise Closed("Your class opens the solution after the assignment has closed.")
        revealed = self.revealed(who.id, slug)
        if not revealed.passed and revealed.hints < len(exercise.hints):
            raise OutOfOrder(
                "The solution opens after the last hint, or once your code passes.",
                revealed.hints + 1,
            )
        if not revealed.solution:
            self.door.admit(who, address, "write")
            self.ladder.reveal_solution(who.id, slug, self.now())
        return Solution(
            exercise.files["reference.py"],
            tuple(
                (path.removeprefix("accepted/"), exercise.files[path])
                for path in exercise.python_files("accepted")
            ),
        )
