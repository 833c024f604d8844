"""Equal programs of a class, side by side; what they mean is for people to judge."""

from __future__ import annotations

from dataclasses import dataclass

from app.classroom.similar import Group, Sent, fingerprint, similar
from app.model import Exercise, LearnerId
from app.model.classes import ClassId, Enrolment, EnrolmentId
from app.service.school.parts import SchoolParts


@dataclass(frozen=True)
class Alike:
    """Groups of equal programs, and the people they speak of."""

    groups: tuple[Group, ...]
    people: dict[EnrolmentId, Enrolment]
    learners: int


class Similarity:
    """The use case behind the page of equal programs."""

    def __init__(self, parts: SchoolParts) -> None:
        self._parts = parts

    def alike(self, class_id: ClassId) -> Alike:
        """Equal programs of different learners; published ones are left out."""
        people = {
            one.learner: one
            for one in self._parts.school.enrolments.of_class(class_id)
            if one.learner is not None and one.state == "active"
        }
        sent = self._sent(class_id, people)
        given = self._parts.school.assignments.of_class(class_id)
        exercises = [self._parts.exercise(one.exercise) for one in given]
        known = {
            fingerprint(text.decode("utf-8", "replace"))[0]
            for exercise in exercises
            if exercise is not None
            for text in _published(exercise)
        }
        learners = len({one.enrolment for one in sent})
        groups = similar(sent, known, learners)
        return Alike(groups, {one.id: one for one in people.values()}, learners)

    def _sent(self, class_id: ClassId, people: dict[LearnerId, Enrolment]) -> list[Sent]:
        return [
            Sent(
                people[one.learner].id,
                one.exercise,
                one.submission,
                one.source.decode("utf-8", "replace"),
                accepted=one.verdict == "accepted",
                named=bool(one.mistakes),
            )
            for one in self._parts.school.work.programs(class_id)
            if one.learner in people and (one.solution_at is None or one.at < one.solution_at)
        ]


def _published(exercise: Exercise) -> list[bytes]:
    """Starter, reference and the other ways that everybody may read."""
    names = [name for name in ("starter.py", "reference.py") if name in exercise.files]
    return [exercise.files[name] for name in (*names, *exercise.python_files("accepted"))]
