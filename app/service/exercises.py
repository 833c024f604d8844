"""The exercises offered, with what each expects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field

from app.catalog import Catalog
from app.model import Exercise, Expectations, LearnerId, Slug
from app.service.errors import Closed, ExerciseBroken, NoSuchExercise
from app.service.expecting import Expecting
from app.service.rulebook import NoRules, Rulebook


@dataclass(frozen=True)
class Exercises:
    """All exercises as their folders are now; `names` gives what the editor completes."""

    catalog: Catalog
    expecting: Expecting
    names: Callable[[], tuple[Mapping[str, str], ...]]
    rulebook: Rulebook = field(default_factory=NoRules)

    def all_for(self, learner: LearnerId) -> tuple[Exercise, ...]:
        """The exercises that are there for a learner: what others reserved is not."""
        return tuple(one for one in self.all() if self.rulebook.open_to(learner, one.slug))

    def get_for(self, learner: LearnerId, slug: Slug) -> Exercise:
        """One exercise as its folder is now, for a learner. Raises NoSuchExercise."""
        if not self.rulebook.open_to(learner, slug):
            raise NoSuchExercise(slug)
        return self.get(slug)

    def is_open_to_all(self, slug: Slug) -> bool:
        """Whether the exercise is there for anybody: no class keeps it to itself."""
        return self.rulebook.open_to(LearnerId("nobody"), slug)

    def section_of(self, exercise: Exercise, learner: LearnerId) -> tuple[Exercise, ...]:
        """The exercises of its section that are there for a learner, in order."""
        return tuple(one for one in self.all_for(learner) if one.section == exercise.section)

    def following(self, exercise: Exercise, learner: LearnerId) -> Exercise | None:
        """The next exercise of its section, or None after the last."""
        section = self.section_of(exercise, learner)
        after = next((n for n, one in enumerate(section, 1) if one.slug == exercise.slug), 0)
        return section[after] if 0 < after < len(section) else None

    def check_helps(self, learner: LearnerId, slug: Slug) -> None:
        """Raise Closed where a class shows no hints and compares nothing for now."""
        if not self.rulebook.rules(learner, slug).helps:
            raise Closed("Your class has closed hints and comparisons for this assignment.")

    def check_tells_hidden(self, learner: LearnerId, slug: Slug) -> None:
        """Raise Closed where a class tells no more of hidden tests than whether they pass."""
        if not self.rulebook.rules(learner, slug).tells_hidden:
            raise Closed("Your class shows no more about hidden tests until the results are out.")

    def all(self) -> tuple[Exercise, ...]:
        """All exercises that load, by section and order."""
        return tuple(self.catalog.all())

    def get(self, slug: Slug) -> Exercise:
        """One exercise as its folder is now. Raises NoSuchExercise."""
        found = self.catalog.get(slug)
        if found is None:
            raise NoSuchExercise(slug)
        return found

    def get_sound(self, slug: Slug) -> Exercise:
        """One exercise to be judged by. Raises NoSuchExercise, ExerciseBroken."""
        exercise = self.get(slug)
        complaints = self.expecting.complaints(exercise.slug)
        if complaints:
            raise ExerciseBroken(exercise.slug, complaints)
        return exercise

    def expected(self, exercise: Exercise) -> Future[Expectations]:
        """What the exercise expects, once it was computed; see `Expecting.get`."""
        return self.expecting.get(exercise)

    def expectations(self, slug: Slug) -> Expectations:
        """What the exercise expects, computed first where need be (seconds, once a folder digest).

        Raises NoSuchExercise, ExerciseErrors for its author's mistakes, SandboxFault for ours.
        """
        return self.expected(self.get(slug)).result()

    def complaints(self) -> tuple[str, ...]:
        """What is wrong with exercise folders, one line each, for the host's and authors' eyes."""
        found = [str(complaint) for complaint in self.catalog.complaints()]
        for exercise in self.all():
            lines = self.expecting.complaints(exercise.slug)
            found += [f"{exercise.slug}/{line}" for line in lines]
        return tuple(found)
