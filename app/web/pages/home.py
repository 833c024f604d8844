"""What the home page shows: the sections with their maps, and how far the learner is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.model import Exercise, Slug
from app.records import Progress
from app.service import Service
from app.web.deps import Visitor
from app.web.pages.path_map import PathMap, path_map


@dataclass(frozen=True)
class HomeSection:
    """A section on the home page, with its map and what the learner did in it.

    `numbers` are of its own exercises, `titles` of all there are.
    """

    name: str
    exercises: tuple[Exercise, ...]
    numbers: Mapping[Slug, int]
    titles: Mapping[Slug, str]
    map: PathMap
    passed: int
    begun: int


def home_sections(
    exercises: Sequence[Exercise], progress: Mapping[Slug, Progress]
) -> tuple[HomeSection, ...]:
    """The sections in order, each with its exercises."""
    by_name: dict[str, list[Exercise]] = {}
    for exercise in exercises:
        by_name.setdefault(exercise.section, []).append(exercise)

    titles = {exercise.slug: exercise.title for exercise in exercises}

    def count(section: Sequence[Exercise], *states: str) -> int:
        return sum(e.slug in progress and progress[e.slug].state in states for e in section)

    return tuple(
        HomeSection(
            name,
            tuple(section),
            {exercise.slug: n for n, exercise in enumerate(section, 1)},
            titles,
            path_map(section),
            count(section, "passed"),
            count(section, "begun", "tried"),
        )
        for name, section in by_name.items()
    )


def progress_by_slug(service: Service, who: Visitor) -> dict[Slug, Progress]:
    """What the learner did with each exercise."""
    return {row.exercise: row for row in service.learners.progress(who.learner)}
